// SPDX-License-Identifier: Apache-2.0
// The fields of LaneConfig that the matrix unit uses.
#pragma once

#include <cstdint>
#include <span>

#include "state/lane_config.hpp"
#include "units/state_view.hpp"

namespace tessera::units {

using state::LaneConfig;

/// Columns of Dst and source banks that BLOCK_DEST_MOV lets MOVA2D, MOVB2D, MOVD2A, MOVD2B and MOVB2A write, a bit
/// each.
inline std::uint16_t moved_columns(const StateView& view) {
    const std::span<const std::uint32_t> lane_config = view[state::cells::lane_config_block];
    std::uint32_t blocked = 0;
    for (unsigned pair = 0; pair < state::cells::lane_config_words; ++pair)
        blocked |= (lane_config[pair] >> static_cast<unsigned>(LaneConfig::block_dest_mov) & 3) << 2 * pair;
    return static_cast<std::uint16_t>(~blocked);
}

}  // namespace tessera::units
