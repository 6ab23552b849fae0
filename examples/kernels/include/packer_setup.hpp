// SPDX-License-Identifier: Apache-2.0
// How the packer walks through Dst: T0 configures it, since configuration words are shared.
#pragma once

#include "other_packers.hpp"
#include "pack.hpp"

namespace kernel {

/// Steps of Y and Z in Dst in bytes; a step of W is a half.
template <std::uint32_t y_step, std::uint32_t z_step, bool fp32_in_dst = false>
inline void configure_packer() {
    configure<cfg::PCK0_ADDR_CTRL_XY_REG_0_Xstride(2), cfg::PCK0_ADDR_CTRL_XY_REG_0_Ystride(y_step),
              cfg::PCK0_ADDR_CTRL_ZW_REG_0_Zstride(z_step), cfg::PCK0_ADDR_CTRL_ZW_REG_0_Wstride(half_rows * row_bytes),
              cfg::PCK_EDGE_OFFSET_SEC0_mask(0xFFFF), cfg::PCK_DEST_RD_CTRL_Read_32b_data(fp32_in_dst),
              cfg::PACK_COUNTERS_SEC0_pack_reads_per_xy_plane(16), cfg::THCON_SEC0_REG1_Disable_zero_compress(1),
              cfg::THCON_SEC0_REG1_In_data_format(Float16_b), cfg::THCON_SEC0_REG1_Out_data_format(Float16_b)>();
    chip::configure_other_packers();
}

}  // namespace kernel
