// SPDX-License-Identifier: Apache-2.0
// The meaning of a tile's address to a request: L1, DRAM or a register of an NIU.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "reference/noc/checked.hpp"
#include "reference/noc/chip/dram.hpp"
#include "reference/noc/chip/tile.hpp"

namespace tessera::reference::noc {

enum class Memory : std::uint8_t { l1, dram, registers };

/// An address of a tile.
struct End {
    Tile* tile = nullptr;
    Memory memory = Memory::l1;
    std::uint64_t address = 0;
    Niu* niu = nullptr;        ///< of registers
    std::uint32_t offset = 0;  ///< of the register, from NIU_BASE

    bool is_register() const { return memory == Memory::registers; }
};

/// The end that an address of a tile means to a request on a NoC. All of `size` bytes must be there.
Checked<End> resolve(unsigned noc, Tile& tile, std::uint64_t address, std::uint64_t size);

/// Bytes from an offset of an end on, or the value of a register.
std::vector<std::uint8_t> fetch(const Dram& dram, const End& end, std::uint64_t from, std::uint64_t size);
/// Stores bytes there, or their value to a register.
void put(Dram& dram, const End& end, std::uint64_t from, std::span<const std::uint8_t> bytes);

/// True if two ranges of memory have a byte in common.
bool overlap(const End& a, std::uint64_t a_size, const End& b, std::uint64_t b_size);

}  // namespace tessera::reference::noc
