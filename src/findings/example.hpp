// SPDX-License-Identifier: Apache-2.0
// A smallest program that has a fault or a finding, and the same without it.
#pragma once

#include <string_view>

#include "tessera/arch.hpp"

namespace tessera::findings {

/// The lines that stand before an example's, so that it shows only what matters.
enum class Setup : unsigned char { none, unpack, pack, macros };

struct Example {
    std::string_view code;
    Arch arch = Arch::blackhole;
    Setup setup = Setup::none;
    std::string_view wrong;    ///< assembly with this fault or finding
    std::string_view right{};  ///< the cured lines; empty: the cure is to leave them out
};

/// Unpacker 0 is set up for a face of 256 datums of BF16 to SrcA.
inline constexpr std::string_view unpack_setup = R"(.cfg THCON_SEC0_REG0_TileDescriptor_InDataFormat = Float16_b
.cfg THCON_SEC0_REG0_TileDescriptor_IsUncompressed = 1
.cfg THCON_SEC0_REG0_TileDescriptor_XDim = 256
.cfg THCON_SEC0_REG0_TileDescriptor_YDim = 1
.cfg THCON_SEC0_REG2_Out_data_format = Float16_b
.cfg THCON_SEC0_REG3_Base_address = 0x20000 / 16
.cfg UNP0_ADDR_BASE_REG_1_Base = 4 * 16 * 2
.cfg SRCA_SET_SetOvrdWithAddr = 1
SETADCXX unpackers=A x0=0 x1=255
)";

/// Packer 0 is set up for a row of BF16 from Dst, uncompressed.
inline constexpr std::string_view pack_setup = R"(.thread pack
.cfg ALU_FORMAT_SPEC_REG2_Dstacc = Float16_b
.cfg PCK0_ADDR_CTRL_XY_REG_0_Xstride = 2
.cfg PCK0_ADDR_CTRL_XY_REG_0_Ystride = 32
.cfg PCK_EDGE_OFFSET_SEC0_mask = 0xFFFF
.cfg PACK_COUNTERS_SEC0_pack_reads_per_xy_plane = 16
.cfg THCON_SEC0_REG1_L1_Dest_addr = 0x20000 / 16
.cfg THCON_SEC0_REG1_Disable_zero_compress = 1
.cfg THCON_SEC0_REG1_In_data_format = Float16_b
.cfg THCON_SEC0_REG1_Out_data_format = Float16_b
SETADCXX unpackers=PAC x0=0 x1=15
)";

/// SFPLOADMACRO: macro 0 stores two cycles later than the earliest, macro 1 one cycle.
inline constexpr std::string_view macro_setup = R"(.thread math
SFPLOADI lreg_ind=L0 instr_mod0=10 imm16=0
SFPLOADI lreg_ind=L0 instr_mod0=8 imm16=0x1300
SFPCONFIG config_dest=4 instr_mod1=0
SFPLOADI lreg_ind=L0 instr_mod0=8 imm16=0x0B00
SFPCONFIG config_dest=5 instr_mod1=0
)";

constexpr std::string_view lines_of(Setup setup) {
    switch (setup) {
        case Setup::none: break;
        case Setup::unpack: return unpack_setup;
        case Setup::pack: return pack_setup;
        case Setup::macros: return macro_setup;
    }
    return {};
}

}  // namespace tessera::findings
