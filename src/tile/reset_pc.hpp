// SPDX-License-Identifier: Apache-2.0
// Where RISC-V cores begin when they leave reset: fixed addresses, unless registers say otherwise, which are debug registers on Blackhole
// and configuration on Wormhole (SoftReset, RISCV soft reset). RISC-V B always begins at 0.
#pragma once

#include "state/state.hpp"
#include "tessera/kernels.hpp"

namespace tessera::tile {

std::uint32_t reset_pc(const state::State& state, RiscvCore core);

/// Sets those registers, as a host would.
void set_reset_pc(state::State& state, RiscvCore core, std::uint32_t pc);

}  // namespace tessera::tile
