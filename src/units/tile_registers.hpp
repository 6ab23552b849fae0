// SPDX-License-Identifier: Apache-2.0
// Reading and writing registers of the tile (state/mmio.hpp), for every unit that can.
#pragma once

#include "units/state_view.hpp"

namespace tessera::units {

/// Plans a write of `value` at `address`; `who` names the instruction. The plan fails if the state has no register
/// there, or this instruction cannot write it.
void write_tile_register(const StateView& view, plan::Plan& plan, std::uint32_t address, std::uint32_t value,
                         std::string_view who);

/// The same for the scalar unit, which can also write TDMA-RISC's command register: the plan is the mover's then.
void write_tile_register_or_command(const StateView& view, plan::Plan& plan, std::uint32_t address, std::uint32_t value,
                                    std::string_view who);

/// The value at `address`; 0 and a failed plan if the state has no register there.
std::uint32_t read_tile_register(const StateView& view, plan::Plan& plan, std::uint32_t address, std::string_view who);

/// The same; none if the state has no register there.
std::optional<std::uint32_t> tile_register(const StateView& view, std::uint32_t address);

/// Plans a command of TDMA-RISC (TDMA-RISC, Functional specification).
void tdma_command(const StateView& view, plan::Plan& plan, std::uint32_t command);

/// Plans a transfer of the mover; addresses and count in bytes. Sets pipe and cost.
void plan_transfer(const StateView& view, plan::Plan& plan, std::uint32_t to, std::uint32_t from, std::uint32_t bytes,
                   std::uint32_t direction);

}  // namespace tessera::units
