// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "findings/example.hpp"

namespace tessera::findings::examples {

// clang-format off
inline constexpr Example hazards[] = {
    {.code = "hazard.config-store", .setup = Setup::unpack,
     .wrong = R"(UNPACR SetDatValid=1 Last=1
)",
     .right = R"(STALLWAIT block=unpack wait=trisc_cfg
UNPACR SetDatValid=1 Last=1
)"},
    {.code = "hazard.config-overtaken", .setup = Setup::unpack,
     .wrong = R"(STALLWAIT block=unpack wait=trisc_cfg
UNPACR SetDatValid=1 Last=1
.cfg THCON_SEC0_REG3_Base_address = 0x22000 / 16
)",
     .right = R"(STALLWAIT block=unpack wait=trisc_cfg
UNPACR SetDatValid=1 Last=1
.drain
.cfg THCON_SEC0_REG3_Base_address = 0x22000 / 16
)"},
    {.code = "hazard.mop-overtaken",
     .wrong = R"(.mop flags0 = 0
.mop a0 = NOP
MOP mop_type=template0 loop_count=7
.mop a0 = DMANOP
)",
     .right = R"(.mop flags0 = 0
.mop a0 = NOP
MOP mop_type=template0 loop_count=7
.drain
.mop a0 = DMANOP
)"},
    {.code = "hazard.gpr-store",
     .wrong = R"(.gpr 4 = 1
ADDDMAREG OpARegIndex=4 OpBRegIndex=4 ResultRegIndex=5
)",
     .right = R"(.gpr 4 = 1
STALLWAIT block=thcon wait=trisc_cfg
ADDDMAREG OpARegIndex=4 OpBRegIndex=4 ResultRegIndex=5
)"},
    {.code = "hazard.gpr-overtaken",
     .wrong = R"(.gpr 4 = 1
STALLWAIT block=thcon wait=trisc_cfg
ADDDMAREG OpARegIndex=4 OpBRegIndex=4 ResultRegIndex=5
.gpr 4 = 2
)",
     .right = R"(.gpr 4 = 1
STALLWAIT block=thcon wait=trisc_cfg
ADDDMAREG OpARegIndex=4 OpBRegIndex=4 ResultRegIndex=5
.drain
.gpr 4 = 2
)"},
    {.code = "hazard.config-late", .setup = Setup::unpack,
     .wrong = R"(.gpr 4 = 0x22000 / 16
STALLWAIT block=cfg wait=trisc_cfg
WRCFG GprAddress=4 CfgReg=76
UNPACR SetDatValid=1 Last=1
)",
     .right = R"(.gpr 4 = 0x22000 / 16
STALLWAIT block=cfg wait=trisc_cfg
WRCFG GprAddress=4 CfgReg=76
NOP
UNPACR SetDatValid=1 Last=1
)"},
    {.code = "hazard.config-stream", .setup = Setup::unpack,
     .wrong = R"(STALLWAIT block=cfg wait=trisc_cfg
STREAMWRCFG StreamRegAddr=28 CfgReg=76
UNPACR SetDatValid=1 Last=1
)",
     .right = R"(STALLWAIT block=cfg wait=trisc_cfg
STREAMWRCFG StreamRegAddr=28 CfgReg=76
STALLWAIT block=unpack wait=cfgexu
UNPACR SetDatValid=1 Last=1
)"},
    {.code = "hazard.gpr-late",
     .wrong = R"(RDCFG GprAddress=5 CfgReg=72
WRCFG GprAddress=5 CfgReg=73
)",
     .right = R"(RDCFG GprAddress=5 CfgReg=72
NOP
WRCFG GprAddress=5 CfgReg=73
)"},
    {.code = "hazard.gpr-late-scalar",
     .wrong = R"(RDCFG GprAddress=5 CfgReg=72
ADDDMAREG OpARegIndex=5 OpBRegIndex=5 ResultRegIndex=6
)",
     .right = R"(RDCFG GprAddress=5 CfgReg=72
NOP
ADDDMAREG OpARegIndex=5 OpBRegIndex=5 ResultRegIndex=6
)"},
    {.code = "hazard.gpr-request",
     .wrong = R"(.gpr 4 = 0x2000
STALLWAIT block=thcon wait=trisc_cfg
LOADIND SizeSel=1 AddrRegIndex=4 DataRegIndex=8
ADDDMAREG OpARegIndex=8 OpBRegIndex=8 ResultRegIndex=9
)",
     .right = R"(.gpr 4 = 0x2000
STALLWAIT block=thcon wait=trisc_cfg
LOADIND SizeSel=1 AddrRegIndex=4 DataRegIndex=8
STALLWAIT block=thcon wait=thcon
ADDDMAREG OpARegIndex=8 OpBRegIndex=8 ResultRegIndex=9
)"},
    {.code = "hazard.vector-result", .arch = Arch::wormhole,
     .wrong = R"(.thread math
SFPLOADI lreg_ind=0 imm16=0x3F80
SFPMAD lreg_src_a=L0 lreg_src_b=L0 lreg_src_c=L9 lreg_dest=L1
SFPMAD lreg_src_a=L1 lreg_src_b=L1 lreg_src_c=L9 lreg_dest=L2
)",
     .right = R"(.thread math
SFPLOADI lreg_ind=0 imm16=0x3F80
SFPMAD lreg_src_a=L0 lreg_src_b=L0 lreg_src_c=L9 lreg_dest=L1
SFPNOP
SFPMAD lreg_src_a=L1 lreg_src_b=L1 lreg_src_c=L9 lreg_dest=L2
)"},
    {.code = "hazard.vector-shuffle", .arch = Arch::wormhole,
     .wrong = R"(.thread math
SFPSHFT2 lreg_src_c=L0 lreg_dest=L1 instr_mod1=3
SFPMOV lreg_c=L0 lreg_dest=L2
)",
     .right = R"(.thread math
SFPSHFT2 lreg_src_c=L0 lreg_dest=L1 instr_mod1=3
SFPNOP
SFPMOV lreg_c=L0 lreg_dest=L2
)"},
    {.code = "hazard.vector-backdoor",
     .wrong = R"(.thread math
SFPCONFIG imm16_math=0x2 config_dest=15 instr_mod1=1
SFPMOV lreg_c=L0 lreg_dest=L12
)",
     .right = R"(.thread math
SFPCONFIG imm16_math=0x2 config_dest=15 instr_mod1=1
SFPNOP
SFPMOV lreg_c=L0 lreg_dest=L12
)"},
    {.code = "hazard.dst",
     .wrong = R"(.thread math
SETDVALID setvalid=2
MOVB2D
SFPLOADI lreg_ind=0 imm16=0x3F80
SFPSTORE lreg_ind=0
)",
     .right = R"(.thread math
SETDVALID setvalid=2
MOVB2D
SFPLOADI lreg_ind=0 imm16=0x3F80
STALLWAIT block=sfpu wait=math
SFPSTORE lreg_ind=0
)"},
    {.code = "hazard.src",
     .wrong = R"(UNPACR_NOP.clear Set_Dvalid=1
.thread math
MOVD2A instr_mod=2
)",
     .right = R"(UNPACR_NOP.clear Set_Dvalid=1
.thread math
STALLWAIT block=math wait=srca_vld
MOVD2A instr_mod=2
)"},
    {.code = "hazard.config-use", .setup = Setup::unpack,
     .wrong = R"(STALLWAIT block=unpack wait=trisc_cfg
UNPACR SetDatValid=1 Last=1
.thread math
RMWCIB0 Mask=0xFF Data=0x20 CfgRegAddr=76
)"},
    {.code = "hazard.config-write",
     .wrong = R"(RMWCIB0 Mask=0xFF Data=1 CfgRegAddr=48
.thread math
RMWCIB0 Mask=0xFF Data=2 CfgRegAddr=48
)",
     .right = R"(ATGETM mutex_index=2
RMWCIB0 Mask=0xFF Data=1 CfgRegAddr=48
ATRELM mutex_index=2
.thread math
ATGETM mutex_index=2
RMWCIB0 Mask=0xFF Data=2 CfgRegAddr=48
ATRELM mutex_index=2
)"},
};
// clang-format on

}  // namespace tessera::findings::examples
