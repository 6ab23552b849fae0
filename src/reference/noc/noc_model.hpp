// SPDX-License-Identifier: Apache-2.0
// The NIUs' request initiators and both NoCs, where every request completes at once. Slow and literal: each request
// goes through the steps of NoC/Counters in their order. It shares nothing with the rest but the name of the chip.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "reference/noc/chip/chip.hpp"
#include "tessera/arch.hpp"

namespace tessera::reference {

/// All tiles of a chip without harvested parts, as firmware leaves it (NoC/MemoryMap, NoC/Coordinates).
/// Tiles are named by their coordinates on NoC 0; others than the chip has have no registers and no memory.
class NocModel {
public:
    explicit NocModel(Arch arch);

    /// A register of an NIU, at an offset from NIU_BASE; 0 where the page has none. Not const: a load of
    /// NIU_TRANS_COUNT_RTZ_NUM changes NIU_TRANS_COUNT_RTZ_SOURCE (BlackholeA0/NoC/MemoryMap).
    std::uint32_t load(unsigned x, unsigned y, unsigned noc, std::uint32_t offset);
    /// Stores to one. A store of 1 to NOC_CMD_CTRL performs the request. Not empty: why the pages do not say what
    /// happens; nothing is changed then.
    std::string store(unsigned x, unsigned y, unsigned noc, std::uint32_t offset, std::uint32_t value);
    /// L1 of a Tensix or Ethernet tile; empty for other tiles.
    std::vector<std::uint8_t>& l1(unsigned x, unsigned y);
    /// Bytes of the DRAM behind the DRAM tile at (x, y); three tiles share each. For other tiles, nothing and zeros.
    void write_dram(unsigned x, unsigned y, std::uint64_t address, std::span<const std::uint8_t> bytes);
    std::vector<std::uint8_t> read_dram(unsigned x, unsigned y, std::uint64_t address, std::size_t size) const;

private:
    noc::Chip chip_;
    std::vector<std::uint8_t> none_;
};

}  // namespace tessera::reference
