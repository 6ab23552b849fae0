// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "findings/example.hpp"

namespace tessera::findings::examples {

// clang-format off
inline constexpr Example packers[] = {
    {.code = "pack.l1-address", .setup = Setup::pack,
     .wrong = R"(.cfg THCON_SEC0_REG1_L1_Dest_addr = 0x18000
STALLWAIT block=pack wait=trisc_cfg
PACR Last=1
)",
     .right = R"(.cfg THCON_SEC0_REG1_L1_Dest_addr = 0x17000
STALLWAIT block=pack wait=trisc_cfg
PACR Last=1
)"},
    {.code = "pack.count-negative", .setup = Setup::pack,
     .wrong = R"(SETADCXX unpackers=PAC x0=8 x1=6
STALLWAIT block=pack wait=trisc_cfg
PACR Last=1
)",
     .right = R"(SETADCXX unpackers=PAC x0=0 x1=7
STALLWAIT block=pack wait=trisc_cfg
PACR Last=1
)"},
    {.code = "pack.x-range", .setup = Setup::pack,
     .wrong = R"(SETADCXX unpackers=PAC x0=0 x1=31
STALLWAIT block=pack wait=trisc_cfg
PACR Last=1
)",
     .right = R"(SETADCXX unpackers=PAC x0=0 x1=15
STALLWAIT block=pack wait=trisc_cfg
PACR Last=1
)"},
    {.code = "pack.interface-group", .setup = Setup::pack,
     .wrong = R"(SETADCXY unpackers=PAC y0=1 BitMask=2
STALLWAIT block=pack wait=trisc_cfg
PACR Last=1 ReadIntfSel=15
)",
     .right = R"(STALLWAIT block=pack wait=trisc_cfg
PACR Last=1 ReadIntfSel=15
)"},
    {.code = "pack.undefined", .setup = Setup::pack,
     .wrong = R"(.cfg THCON_SEC0_REG1_Out_data_format = Int32
STALLWAIT block=pack wait=trisc_cfg
PACR Last=1
)",
     .right = R"(.cfg THCON_SEC0_REG1_Out_data_format = Bfp8_b
STALLWAIT block=pack wait=trisc_cfg
PACR Last=1
)"},
    {.code = "pack.in-format", .setup = Setup::pack,
     .wrong = R"(.cfg THCON_SEC0_REG1_In_data_format = Float16
STALLWAIT block=pack wait=trisc_cfg
PACR Last=1
)",
     .right = R"(.cfg THCON_SEC0_REG1_In_data_format = Float16_b
STALLWAIT block=pack wait=trisc_cfg
PACR Last=1
)"},
    {.code = "pack.dest-addr", .setup = Setup::pack,
     .wrong = R"(.cfg THCON_SEC0_REG1_L1_Dest_addr = 0x20000
STALLWAIT block=pack wait=trisc_cfg
PACR Last=1
)",
     .right = R"(.cfg THCON_SEC0_REG1_L1_Dest_addr = 0x20000 / 16
STALLWAIT block=pack wait=trisc_cfg
PACR Last=1
)"},
    {.code = "pack.x-stride", .setup = Setup::pack,
     .wrong = R"(.cfg PCK0_ADDR_CTRL_XY_REG_0_Xstride = 4
SETADCXX unpackers=PAC x0=1 x1=15
STALLWAIT block=pack wait=trisc_cfg
PACR Last=1
)",
     .right = R"(.cfg PCK0_ADDR_CTRL_XY_REG_0_Xstride = 2
SETADCXX unpackers=PAC x0=1 x1=15
STALLWAIT block=pack wait=trisc_cfg
PACR Last=1
)"},
    {.code = "pack.in-address", .setup = Setup::pack,
     .wrong = R"(.cfg PCK0_ADDR_BASE_REG_0_Base = 8
STALLWAIT block=pack wait=trisc_cfg
PACR Last=1
)",
     .right = R"(.cfg PCK0_ADDR_BASE_REG_0_Base = 0
STALLWAIT block=pack wait=trisc_cfg
PACR Last=1
)"},
    {.code = "pack.one-datum", .setup = Setup::pack,
     .wrong = R"(.cfg THCON_SEC0_REG1_Out_data_format = Bfp8_b
.cfg THCON_SEC0_REG1_Exp_section_size = 1
SETADCXX unpackers=PAC x0=0 x1=0
STALLWAIT block=pack wait=trisc_cfg
PACR Last=1
)",
     .right = R"(.cfg THCON_SEC0_REG1_Out_data_format = Bfp8_b
.cfg THCON_SEC0_REG1_Exp_section_size = 1
STALLWAIT block=pack wait=trisc_cfg
PACR Last=1
)"},
    {.code = "pack.edge-mask-unset", .setup = Setup::pack,
     .wrong = R"(.cfg PCK_EDGE_OFFSET_SEC0_mask = 0
STALLWAIT block=pack wait=trisc_cfg
PACR Last=1
)",
     .right = R"(.cfg PCK_EDGE_OFFSET_SEC0_mask = 0xFFFF
STALLWAIT block=pack wait=trisc_cfg
PACR Last=1
)"},
    {.code = "pack.exponent-section", .setup = Setup::pack,
     .wrong = R"(.cfg THCON_SEC0_REG1_Out_data_format = Bfp8_b
STALLWAIT block=pack wait=trisc_cfg
PACR Last=1
)",
     .right = R"(.cfg THCON_SEC0_REG1_Out_data_format = Bfp8_b
.cfg THCON_SEC0_REG1_Exp_section_size = 1
STALLWAIT block=pack wait=trisc_cfg
PACR Last=1
)"},
    {.code = "pack.decided", .setup = Setup::pack,
     .wrong = R"(STALLWAIT block=pack wait=trisc_cfg
PACR Last=1 RowPadZero=1
)",
     .right = R"(STALLWAIT block=pack wait=trisc_cfg
PACR Last=1
)"},
    {.code = "rounding.stochastic-undocumented", .setup = Setup::pack,
     .wrong = R"(.cfg ALU_ROUNDING_MODE_Gasket_srnd_en = 1
.cfg THCON_SEC0_REG1_Out_data_format = Bfp8_b
STALLWAIT block=pack wait=trisc_cfg
PACR Last=1
)",
     .right = R"(.cfg ALU_ROUNDING_MODE_Gasket_srnd_en = 0
.cfg THCON_SEC0_REG1_Out_data_format = Bfp8_b
STALLWAIT block=pack wait=trisc_cfg
PACR Last=1
)"},
    {.code = "pack.relu-threshold", .setup = Setup::pack,
     .wrong = R"(.cfg STACC_RELU_ApplyRelu = 2
.cfg STACC_RELU_ReluThreshold = 0xBF80
STALLWAIT block=pack wait=trisc_cfg
PACR Last=1
)",
     .right = R"(.cfg STACC_RELU_ApplyRelu = 2
.cfg STACC_RELU_ReluThreshold = 0x3F80
STALLWAIT block=pack wait=trisc_cfg
PACR Last=1
)"},
    {.code = "pack.packer-mask", .arch = Arch::wormhole,
     .wrong = R"(.thread pack
PACR PackSel=5
)",
     .right = R"(.thread pack
PACR PackSel=3
)"},
};
// clang-format on

}  // namespace tessera::findings::examples
