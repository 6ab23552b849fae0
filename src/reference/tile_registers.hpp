// SPDX-License-Identifier: Apache-2.0
// Registers of the tile from 0xFFB0'0000 on that are in the coprocessor's state: overlay streams (Using an overlay
// stream as general-purpose MMIO registers) and TDMA-RISC (its page, memory map and Functional specification).
#pragma once

#include "reference/machine.hpp"

namespace tessera::reference {

/// *(uint32_t*)Addr = Value. False: the state has no register there, or the command does not exist.
bool StoreRegister(Machine& m, std::uint32_t Addr, std::uint32_t Value, bool Commands);
/// *(uint32_t*)Addr; false if the state has no register there.
bool LoadRegister(const Machine& m, std::uint32_t Addr, std::uint32_t& Value);

/// The mover's page, Functional model.
Outcome Mover(Machine& m, std::uint32_t dst, std::uint32_t src, std::uint32_t count, std::uint32_t mode);

}  // namespace tessera::reference
