// SPDX-License-Identifier: Apache-2.0
// A packer's position in its tile, for edge masks and pack counters (Packers, Edge masking, TilePositionGenerator).
#pragma once

#include <cstdint>

namespace tessera::plan {

/// The steps of a tile position.
struct TileWalk {
    std::uint16_t rows_per_plane = 0;  ///< pack_reads_per_xy_plane
    bool transposed = false;           ///< pack_yz_transposed
    friend constexpr bool operator==(const TileWalk&, const TileWalk&) = default;
};

struct TilePosition {
    std::uint8_t x = 0;  ///< 0 to 15
    std::uint8_t y = 0, z = 0;
    friend constexpr bool operator==(const TilePosition&, const TilePosition&) = default;

    constexpr void advance(std::uint32_t datums, const TileWalk& walk) {
        std::uint32_t left = x + datums;
        for (; left >= 16; left -= 16) next_row(walk.transposed ? z : y, walk.transposed ? y : z, walk.rows_per_plane);
        x = static_cast<std::uint8_t>(left);
    }

private:
    static constexpr void next_row(std::uint8_t& row, std::uint8_t& plane, unsigned rows_per_plane) {
        if (++row != rows_per_plane) return;
        row = 0;
        ++plane;
    }
};

}  // namespace tessera::plan
