// SPDX-License-Identifier: Apache-2.0
// LaneConfig (SFPCONFIG page): bits of each of the vector unit's eight lane columns. The matrix unit uses some of
// them, too.
#pragma once

#include <cstdint>

#include "units/state_view.hpp"

namespace tessera::units {

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

/// Columns of Dst and source banks that BLOCK_DEST_MOV lets MOVA2D, MOVB2D, MOVD2A and MOVD2B write, a bit each.
inline std::uint16_t moved_columns(const StateView& view) {
    std::uint32_t blocked = 0;
    for (unsigned pair = 0; pair < state::cells::lane_config_words; ++pair) {
        const std::uint32_t config = view[state::cells::lane_config_block[pair]];
        blocked |= (config >> static_cast<unsigned>(LaneConfig::block_dest_mov) & 3) << 2 * pair;
    }
    return static_cast<std::uint16_t>(~blocked);
}

}  // namespace tessera::units
