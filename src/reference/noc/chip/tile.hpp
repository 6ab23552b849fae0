// SPDX-License-Identifier: Apache-2.0
// One tile: its place, its two NIUs and its L1.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "reference/noc/chip/niu.hpp"

namespace tessera::reference::noc {

enum class Kind : std::uint8_t { tensix, ethernet, dram, pcie, arc, l2cpu, security, empty };

struct Tile {
    Kind kind = Kind::empty;
    unsigned x = 0, y = 0;              ///< on NoC 0
    unsigned index = 0, group = 0;      ///< those of NOC_ENDPOINT_ID; a DRAM tile's group is its memory
    std::array<Niu, 2> niu{};           ///< of NoC 0 and NoC 1
    std::vector<std::uint8_t> bytes{};  ///< L1, once it is used

    /// Tensix and Ethernet tiles have L1 and request initiators.
    bool has_l1() const { return kind == Kind::tensix || kind == Kind::ethernet; }
    /// Bytes of L1; 0 for other tiles.
    std::uint32_t l1_size() const;
    /// L1 with all of its bytes; empty for other tiles.
    std::vector<std::uint8_t>& l1();
    /// As messages name the tile.
    std::string name() const;
};

}  // namespace tessera::reference::noc
