// SPDX-License-Identifier: Apache-2.0
// Start addresses of RISC-V cores out of reset. They are fixed unless registers override them: debug registers on
// Blackhole, configuration on Wormhole (SoftReset, RISCV soft reset). RISC-V B always starts at 0.
#pragma once

#include "state/state.hpp"
#include "tessera/kernels.hpp"

namespace tessera::tile {

std::uint32_t reset_pc(const state::State& state, RiscvCore core);

/// Sets the override registers, as a host would.
void set_reset_pc(state::State& state, RiscvCore core, std::uint32_t pc);

}  // namespace tessera::tile
