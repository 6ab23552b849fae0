// SPDX-License-Identifier: Apache-2.0
// Reading and writing registers of the tile (state/mmio.hpp), for every unit that can.
#pragma once

#include "units/state_view.hpp"

namespace tessera::units {

/// Plans what a write of `value` at `address` does; `who` is the instruction. Where nothing is that the state has, or nothing
/// that this instruction can write, the plan fails.
void write_tile_register(const StateView& view, plan::Plan& plan, std::uint32_t address, std::uint32_t value,
                         std::string_view who);

/// The same for the scalar unit, which can also write TDMA-RISC's command register: the plan is the mover's then.
void write_tile_register_or_command(const StateView& view, plan::Plan& plan, std::uint32_t address, std::uint32_t value,
                                    std::string_view who);

/// What a read at `address` gives; 0 with a failed plan where nothing is that the state has.
std::uint32_t read_tile_register(const StateView& view, plan::Plan& plan, std::uint32_t address, std::string_view who);

/// The same; nothing where nothing is.
std::optional<std::uint32_t> tile_register(const StateView& view, std::uint32_t address);

/// Plans what TDMA-RISC's command does (TDMA-RISC, Functional specification).
void tdma_command(const StateView& view, plan::Plan& plan, std::uint32_t command);

/// Plans a transfer of the mover; addresses and count in bytes. Sets pipe and cost.
void plan_transfer(const StateView& view, plan::Plan& plan, std::uint32_t to, std::uint32_t from, std::uint32_t bytes,
                   std::uint32_t direction);

}  // namespace tessera::units
