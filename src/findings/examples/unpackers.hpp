// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "findings/example.hpp"

namespace tessera::findings::examples {

// clang-format off
inline constexpr Example unpackers[] = {
    {.code = "unpack.l1-address", .setup = Setup::unpack,
     .wrong = R"(.cfg THCON_SEC0_REG3_Base_address = 0x200000
STALLWAIT block=unpack wait=trisc_cfg
UNPACR SetDatValid=1 Last=1
)",
     .right = R"(.cfg THCON_SEC0_REG3_Base_address = 0x200000 / 16 / 2
STALLWAIT block=unpack wait=trisc_cfg
UNPACR SetDatValid=1 Last=1
)"},
    {.code = "unpack.count-negative", .setup = Setup::unpack,
     .wrong = R"(SETADCXX unpackers=A x0=16 x1=14
STALLWAIT block=unpack wait=trisc_cfg
UNPACR SetDatValid=1 Last=1
)",
     .right = R"(SETADCXX unpackers=A x0=0 x1=15
STALLWAIT block=unpack wait=trisc_cfg
UNPACR SetDatValid=1 Last=1
)"},
    {.code = "unpack.context-adc-3", .setup = Setup::unpack,
     .wrong = R"(STALLWAIT block=unpack wait=trisc_cfg
UNPACR SetDatValid=1 Last=1 OvrdThreadId=1 AddrCntContextId=3
)",
     .right = R"(STALLWAIT block=unpack wait=trisc_cfg
UNPACR SetDatValid=1 Last=1 OvrdThreadId=1 AddrCntContextId=0
)"},
    {.code = "unpack.out-address-misaligned", .setup = Setup::unpack,
     .wrong = R"(.cfg UNP0_ADDR_BASE_REG_1_Base = 4 * 16 * 2 + 1
STALLWAIT block=unpack wait=trisc_cfg
UNPACR SetDatValid=1 Last=1
)",
     .right = R"(.cfg UNP0_ADDR_BASE_REG_1_Base = 4 * 16 * 2
STALLWAIT block=unpack wait=trisc_cfg
UNPACR SetDatValid=1 Last=1
)"},
    {.code = "unpack.unknown-format", .setup = Setup::unpack,
     .wrong = R"(.cfg THCON_SEC0_REG0_TileDescriptor_InDataFormat = 12
STALLWAIT block=unpack wait=trisc_cfg
UNPACR SetDatValid=1 Last=1
)",
     .right = R"(.cfg THCON_SEC0_REG0_TileDescriptor_InDataFormat = Float16_b
STALLWAIT block=unpack wait=trisc_cfg
UNPACR SetDatValid=1 Last=1
)"},
    {.code = "unpack.fp32-to-other", .setup = Setup::unpack,
     .wrong = R"(.cfg THCON_SEC0_REG0_TileDescriptor_InDataFormat = Float32
.cfg THCON_SEC0_REG2_Out_data_format = Bfp8_b
STALLWAIT block=unpack wait=trisc_cfg
UNPACR SetDatValid=1 Last=1
)",
     .right = R"(.cfg THCON_SEC0_REG0_TileDescriptor_InDataFormat = Float32
.cfg THCON_SEC0_REG2_Out_data_format = Tf32
STALLWAIT block=unpack wait=trisc_cfg
UNPACR SetDatValid=1 Last=1
)"},
    {.code = "unpack.dst-transposed", .setup = Setup::unpack,
     .wrong = R"(.cfg THCON_SEC0_REG2_Unpack_If_Sel = 1
.cfg THCON_SEC0_REG2_Haloize_mode = 1
STALLWAIT block=unpack wait=trisc_cfg
UNPACR SetDatValid=1 Last=1
)",
     .right = R"(.cfg THCON_SEC0_REG2_Unpack_If_Sel = 1
STALLWAIT block=unpack wait=trisc_cfg
UNPACR SetDatValid=1 Last=1
)"},
    {.code = "unpack.tilize-conflict", .setup = Setup::unpack,
     .wrong = R"(.cfg THCON_SEC0_REG2_Tileize_mode = 1
.cfg THCON_SEC0_REG2_Upsample_rate = 1
STALLWAIT block=unpack wait=trisc_cfg
UNPACR SetDatValid=1 Last=1
)",
     .right = R"(.cfg THCON_SEC0_REG2_Tileize_mode = 1
STALLWAIT block=unpack wait=trisc_cfg
UNPACR SetDatValid=1 Last=1
)"},
    {.code = "unpack.tilize-sub-byte", .setup = Setup::unpack,
     .wrong = R"(.cfg THCON_SEC0_REG0_TileDescriptor_InDataFormat = Bfp4_b
.cfg THCON_SEC0_REG2_Out_data_format = Bfp4_b
.cfg THCON_SEC0_REG2_Tileize_mode = 1
STALLWAIT block=unpack wait=trisc_cfg
UNPACR SetDatValid=1 Last=1
)",
     .right = R"(.cfg THCON_SEC0_REG2_Tileize_mode = 1
STALLWAIT block=unpack wait=trisc_cfg
UNPACR SetDatValid=1 Last=1
)"},
    {.code = "unpack.bit5-ignored", .setup = Setup::unpack,
     .wrong = R"(STALLWAIT block=unpack wait=trisc_cfg
UNPACR SetDatValid=1 Last=1 srcb_bcast=1
)",
     .right = R"(STALLWAIT block=unpack wait=trisc_cfg
UNPACR SetDatValid=1 Last=1
)"},
    {.code = "unpack.dst-set-ovrd", .setup = Setup::unpack,
     .wrong = R"(.cfg THCON_SEC0_REG2_Unpack_If_Sel = 1
STALLWAIT block=unpack wait=trisc_cfg
UNPACR SetDatValid=1 Last=1
)",
     .right = R"(.cfg THCON_SEC0_REG2_Unpack_If_Sel = 1
.cfg SRCA_SET_SetOvrdWithAddr = 0
STALLWAIT block=unpack wait=trisc_cfg
UNPACR SetDatValid=1 Last=1
)"},
    {.code = "unpack.dst-clobbers-src-a", .setup = Setup::unpack,
     .wrong = R"(.cfg THCON_SEC0_REG2_Unpack_If_Sel = 1
STALLWAIT block=unpack wait=trisc_cfg
UNPACR SetDatValid=1 Last=1
)",
     .right = R"(STALLWAIT block=unpack wait=trisc_cfg
UNPACR SetDatValid=1 Last=1
)"},
    {.code = "unpack.format-mismatch", .setup = Setup::unpack,
     .wrong = R"(.cfg THCON_SEC0_REG2_Out_data_format = Float16
STALLWAIT block=unpack wait=trisc_cfg
UNPACR SetDatValid=1 Last=1
)",
     .right = R"(.cfg THCON_SEC0_REG2_Out_data_format = Float16_b
STALLWAIT block=unpack wait=trisc_cfg
UNPACR SetDatValid=1 Last=1
)"},
    {.code = "unpack.fp32-to-src", .setup = Setup::unpack,
     .wrong = R"(.cfg THCON_SEC0_REG0_TileDescriptor_InDataFormat = Float32
.cfg THCON_SEC0_REG2_Out_data_format = Float32
STALLWAIT block=unpack wait=trisc_cfg
UNPACR SetDatValid=1 Last=1
)",
     .right = R"(.cfg THCON_SEC0_REG0_TileDescriptor_InDataFormat = Float32
.cfg THCON_SEC0_REG2_Out_data_format = Tf32
STALLWAIT block=unpack wait=trisc_cfg
UNPACR SetDatValid=1 Last=1
)"},
    {.code = "unpack.tf32-to-src", .setup = Setup::unpack,
     .wrong = R"(.cfg THCON_SEC0_REG0_TileDescriptor_InDataFormat = Tf32
.cfg THCON_SEC0_REG2_Out_data_format = Tf32
STALLWAIT block=unpack wait=trisc_cfg
UNPACR SetDatValid=1 Last=1
)",
     .right = R"(.cfg THCON_SEC0_REG0_TileDescriptor_InDataFormat = Float32
.cfg THCON_SEC0_REG2_Out_data_format = Tf32
STALLWAIT block=unpack wait=trisc_cfg
UNPACR SetDatValid=1 Last=1
)"},
    {.code = "unpack.int32-to-src", .setup = Setup::unpack,
     .wrong = R"(.cfg THCON_SEC0_REG0_TileDescriptor_InDataFormat = Int32
.cfg THCON_SEC0_REG2_Out_data_format = Int32
STALLWAIT block=unpack wait=trisc_cfg
UNPACR SetDatValid=1 Last=1
)",
     .right = R"(.cfg THCON_SEC0_REG0_TileDescriptor_InDataFormat = Int32
.cfg THCON_SEC0_REG2_Out_data_format = Int32
.cfg THCON_SEC0_REG2_Unpack_If_Sel = 1
STALLWAIT block=unpack wait=trisc_cfg
UNPACR SetDatValid=1 Last=1
)"},
    {.code = "unpack.srca-row-64", .arch = Arch::wormhole, .setup = Setup::unpack,
     .wrong = R"(.cfg UNP0_ADDR_BASE_REG_1_Base = 68 * 16 * 2
STALLWAIT block=unpack wait=trisc_cfg
UNPACR SetDatValid=1 Last=1
)",
     .right = R"(.cfg UNP0_ADDR_BASE_REG_1_Base = 4 * 16 * 2
STALLWAIT block=unpack wait=trisc_cfg
UNPACR SetDatValid=1 Last=1
)"},
    {.code = "unpack.srca-row-16", .setup = Setup::unpack,
     .wrong = R"(.cfg SRCA_SET_SetOvrdWithAddr = 0
SETADCXX unpackers=A x0=0 x1=271
STALLWAIT block=unpack wait=trisc_cfg
UNPACR SetDatValid=1 Last=1
)",
     .right = R"(.cfg SRCA_SET_SetOvrdWithAddr = 0
SETADCXX unpackers=A x0=0 x1=255
STALLWAIT block=unpack wait=trisc_cfg
UNPACR SetDatValid=1 Last=1
)"},
    {.code = "unpack.both-banks",
     .wrong = R"(UNPACR_NOP.clear Bank_Clr_Ctrl=1 Stall_Clr_Cntrl=1
)",
     .right = R"(UNPACR_NOP.clear Bank_Clr_Ctrl=1
)"},
    {.code = "unpack.clear-value",
     .wrong = R"(UNPACR_NOP.clear Src_ClrVal_Ctrl=2
)",
     .right = R"(UNPACR_NOP.clear Src_ClrVal_Ctrl=0
)"},
    {.code = "unpack.nop-unsupported",
     .wrong = R"(UNPACR_NOP.pop
)"},
    {.code = "unpack.setdvalid-queued", .setup = Setup::unpack,
     .wrong = R"(STALLWAIT block=unpack wait=trisc_cfg
UNPACR SetDatValid=1 Last=1
SETDVALID setvalid=1
)",
     .right = R"(STALLWAIT block=unpack wait=trisc_cfg
UNPACR Last=1
STALLWAIT block=tdma wait=unpack0
SETDVALID setvalid=1
)"},
    {.code = "unpack.setdvalid-format",
     .wrong = R"(SETDVALID setvalid=1
)",
     .right = R"(UNPACR_NOP.set-dvalid Set_Dvalid=1
)"},
};
// clang-format on

}  // namespace tessera::findings::examples
