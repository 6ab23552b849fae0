// SPDX-License-Identifier: Apache-2.0
// Registers of the tile behind 0xFFB0'0000, as far as the coprocessor's state has them: overlay streams (Using an overlay
// stream as general-purpose MMIO registers) and TDMA-RISC (its page, memory map and Functional specification).
#pragma once

#include "reference/machine.hpp"

namespace tessera::reference {

/// *(uint32_t*)Addr = Value. False: nothing that the state has is there, or the command does not exist.
bool StoreRegister(Machine& m, std::uint32_t Addr, std::uint32_t Value, bool Commands);
/// *(uint32_t*)Addr, if the state has it.
bool LoadRegister(const Machine& m, std::uint32_t Addr, std::uint32_t& Value);

/// The mover's page, Functional model.
Outcome Mover(Machine& m, std::uint32_t dst, std::uint32_t src, std::uint32_t count, std::uint32_t mode);

}  // namespace tessera::reference
