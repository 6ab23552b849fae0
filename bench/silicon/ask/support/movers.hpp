// SPDX-License-Identifier: Apache-2.0
// Packers and unpackers for the kernels here: fields that differ from what a reset leaves.
#pragma once

#include "support/ask.hpp"

namespace asking {

/// A PACR of `pacr_datums` datums, and the last one of an output.
#ifdef ARCH_BLACKHOLE
constexpr uint32_t pacr_datums = 64;
#define PACK TTI_PACR(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
#define PACK_LAST TTI_PACR(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)
#else
constexpr uint32_t pacr_datums = 256;
#define PACK TTI_PACR(0, 0, 1, 0, 0, 0, 0)
#define PACK_LAST TTI_PACR(0, 0, 1, 0, 0, 0, 1)
#endif

/// Packs Dst to ASK_SCRATCH, by packer 0.
inline void configure_packer(Format out) {
    SET(PCK0_ADDR_CTRL_XY_REG_0_Xstride, 2);
    SET(PCK0_ADDR_CTRL_XY_REG_0_Ystride, 32);
    SET(PCK0_ADDR_CTRL_ZW_REG_0_Zstride, 16 * 32);
    SET(PCK_EDGE_OFFSET_SEC0_mask, 0xFFFF);
    SET(PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, 16);
    SET(THCON_SEC0_REG1_Exp_section_size, 64);
    SET(THCON_SEC0_REG1_L1_Dest_addr, ASK_SCRATCH / 16 - 1);
    SET(THCON_SEC0_REG1_Disable_zero_compress, 1);
    SET(THCON_SEC0_REG1_In_data_format, out == fp32 ? fp32 : bf16);
    SET(THCON_SEC0_REG1_Out_data_format, out);
    SET(PCK_DEST_RD_CTRL_Read_32b_data, out == fp32);
    SET(ALU_FORMAT_SPEC_REG2_Dstacc, out == fp32 ? fp32 : bf16);
    SET(ALU_ACC_CTRL_Fp32_enabled, out == fp32);
    TTI_SETC16(ADDR_MOD_PACK_SEC0_YsrcIncr_ADDR32, 0);
#ifdef ARCH_BLACKHOLE
    TTI_SETADCXX(4, 15, 0);
#else
    TTI_SETADCXX(4, 255, 0);
#endif
    TTI_SETADCXY(4, 0, 0, 0, 0, 0xB);
    TTI_SETADCZW(4, 0, 0, 0, 0, 0xF);
    configured();
}

/// An UNPACR by each unpacker; the bank stays the unpacker's.
#define UNPACK_A TTI_UNPACR(0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1)
#define UNPACK_B TTI_UNPACR(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1)

/// Unpacks x datums of ASK_SCRATCH to SrcA, and what is 64 KiB behind it to SrcB. A descriptor: format, no zeros left out, X; Y, Z.
template <uint32_t x = 256>
inline void configure_unpackers(Format in, bool compressed = false) {
    volatile uint32_t* const cfg = get_cfg_pointer();
    constexpr uint32_t descriptors[] = {THCON_SEC0_REG0_TileDescriptor_ADDR32, THCON_SEC1_REG0_TileDescriptor_ADDR32};
    for (const uint32_t first : descriptors) {
        cfg[first] = in | (compressed ? 0u : 1u << 4) | x << 16;
        cfg[first + 1] = (compressed ? 3u : 1u) | 4u << 16;
        cfg[first + 2] = 0;
        cfg[first + 3] = 0;
    }
    const Format out = in == fp32 ? fp32 : bf16;
    SET(ALU_FORMAT_SPEC_REG0_SrcA, out);
    SET(ALU_FORMAT_SPEC_REG1_SrcB, out);
    SET(THCON_SEC0_REG2_Out_data_format, out);
    SET(THCON_SEC1_REG2_Out_data_format, out);
    SET(THCON_SEC0_REG2_Disable_zero_compress_cntx0, !compressed);
    SET(THCON_SEC1_REG2_Disable_zero_compress_cntx0, !compressed);
    SET(THCON_SEC0_REG2_Throttle_mode, 2);
    SET(THCON_SEC1_REG2_Throttle_mode, 2);
    SET(THCON_SEC0_REG5_Tile_x_dim_cntx0, x);
    SET(THCON_SEC0_REG5_Dest_cntx0_address, 4 * 16);
    SET(THCON_SEC0_REG3_Base_address, ASK_SCRATCH / 16 - 1);
    SET(THCON_SEC1_REG3_Base_address, ASK_SCRATCH / 16 + 0x1000 - 1);
    SET(SRCA_SET_SetOvrdWithAddr, 1);
    TTI_SETADCXX(3, x - 1, 0);
    TTI_SETADCXY(3, 0, 0, 0, 0, 0xB);
    TTI_SETADCZW(3, 0, 0, 0, 0, 0xF);
    TTI_CLEARDVALID(0, 1);
    configured();
}

}  // namespace asking
