// SPDX-License-Identifier: Apache-2.0
// LaneConfig (SFPCONFIG page): bits of each of the vector unit's eight lane columns.
#pragma once

#include <cstdint>
#include <span>

#include "state/cells.hpp"

namespace tessera::state {

enum class LaneConfig : std::uint8_t {
    enable_fp16a_inf = 0,
    disable_backdoor_load = 1,
    enable_dest_index = 2,
    capture_default_dest_index = 3,
    block_dest_wr_from_sfpu = 4,
    block_sfpu_rd_from_dest = 5,
    dest_rd_col_exchange = 6,
    dest_wr_col_exchange = 7,
    exchange_srcb_srcc = 8,
    block_dest_mov = 9,  ///< two bits: for the even and the odd column
    row_mask = 12,       ///< four bits
};

/// The bits that any column has. Few kernels configure lanes, so most bits are 0 in all of them.
constexpr std::uint32_t in_any_column(std::span<const std::uint32_t> lane_config) {
    std::uint32_t bits = 0;
    for (const std::uint32_t column : lane_config) bits |= column;
    return bits;
}

/// LaneEnabled (VectorUnit, Lane Predication Masks), a bit for each lane. `state`: a State, or what a unit reads of it.
template <class Cells>
std::uint32_t enabled_lanes(const Cells& state) {
    // The four lanes of a column are eight apart.
    constexpr std::uint32_t rows = 15, column_lanes = 0x01010101, eight_apart = 1 | 1 << 7 | 1 << 14 | 1 << 21;
    const std::span<const std::uint32_t> lane_config = state[cells::lane_config_block];
    const auto mask_of = [](std::uint32_t column) { return column >> static_cast<unsigned>(LaneConfig::row_mask) & rows; };
    std::uint32_t masked = 0;
    if (mask_of(in_any_column(lane_config)))
        for (unsigned column = 0; column < cells::lane_config_words; ++column)
            masked |= (mask_of(lane_config[column]) * eight_apart & column_lanes) << column;
    return (state[cells::cc_enable_block[0]] ? state[cells::cc_block[0]] : ~std::uint32_t{0}) & ~masked;
}

}  // namespace tessera::state
