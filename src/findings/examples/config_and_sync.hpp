// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "findings/example.hpp"

namespace tessera::findings::examples {

// clang-format off
inline constexpr Example config_and_sync[] = {
    {.code = "mmio-unmapped",
     .wrong = R"(.gpr 4 = 0xFFB40000
STALLWAIT block=thcon wait=trisc_cfg
STOREIND.mmio AddrReg=4 DataReg=5
)"},
    {.code = "config.index",
     .wrong = R"(SETC16 setc16_reg=255 setc16_value=1
)",
     .right = R"(SETC16 setc16_reg=1 setc16_value=1
)"},
    {.code = "config.rdcfg-together", .arch = Arch::wormhole,
     .wrong = R"(RDCFG GprAddress=5 CfgReg=72
.thread math
RDCFG GprAddress=5 CfgReg=72
)",
     .right = R"(RDCFG GprAddress=5 CfgReg=72
SEMPOST sem_sel=sem1
.thread math
SEMWAIT block=cfg sem_sel=sem1 wait=zero
RDCFG GprAddress=5 CfgReg=72
)"},
    {.code = "config.undocumented-field",
     .wrong = R"(.cfg PACK_COUNTERS_SEC0_auto_ctxt_inc_xys_cnt = 1
)"},
    {.code = "misc.thread-override",
     .wrong = R"(SETADC CntSetMask=1 DimensionIndex=1 Value=0x20005
)",
     .right = R"(.thread math
SETADC CntSetMask=1 DimensionIndex=1 Value=5
)"},
    {.code = "misc.no-counter",
     .wrong = R"(SETADCZW unpackers=A z0=1
)",
     .right = R"(SETADCZW unpackers=A z0=1 BitMask=1
)"},
    {.code = "scalar.undefined-mode",
     .wrong = R"(BITWOPDMAREG OpSel=7
)",
     .right = R"(BITWOPDMAREG OpSel=0
)"},
    {.code = "scalar.reg2flop-index",
     .wrong = R"(REG2FLOP SizeSel=1 TargetSel=0 FlopIndex=127
)"},
    {.code = "scalar.reg2flop-target",
     .wrong = R"(REG2FLOP SizeSel=1 TargetSel=1
)",
     .right = R"(REG2FLOP SizeSel=1 TargetSel=0
)"},
    {.code = "scalar.l1-address",
     .wrong = R"(.gpr 4 = 0x20000
STALLWAIT block=thcon wait=trisc_cfg
LOADIND AddrRegIndex=4 DataRegIndex=8
)",
     .right = R"(.gpr 4 = 0x20000 / 16
STALLWAIT block=thcon wait=trisc_cfg
LOADIND AddrRegIndex=4 DataRegIndex=8
)"},
    {.code = "scalar.src-address",
     .wrong = R"(.gpr 4 = 0x10000
STALLWAIT block=thcon wait=trisc_cfg
STOREIND.src AddrReg=4 DataReg=6
)"},
    {.code = "scalar.undefined-source",
     .wrong = R"(SETDMAREG.special WhichPackers=1 InputSource=12
)",
     .right = R"(SETDMAREG.special WhichPackers=1 InputSource=0
)"},
    {.code = "scalar.fifo-width",
     .wrong = R"(.gpr 4 = 0x2000
STALLWAIT block=thcon wait=trisc_cfg
ATINCGETPTR Sel32b=1 AddrRegIndex=4 DataRegIndex=8
)",
     .right = R"(.gpr 4 = 0x2000
STALLWAIT block=thcon wait=trisc_cfg
ATINCGETPTR WrapVal=4 Sel32b=1 AddrRegIndex=4 DataRegIndex=8
)"},
    {.code = "scalar.fifo-word",
     .wrong = R"(.gpr 4 = 0x2000
STALLWAIT block=thcon wait=trisc_cfg
ATINCGETPTR WrapVal=4 Sel32b=3 AddrRegIndex=4 DataRegIndex=8
)",
     .right = R"(.gpr 4 = 0x2000
STALLWAIT block=thcon wait=trisc_cfg
ATINCGETPTR WrapVal=4 Sel32b=1 AddrRegIndex=4 DataRegIndex=8
)"},
    {.code = "sync.mutex-index",
     .wrong = R"(ATGETM mutex_index=1
)",
     .right = R"(ATGETM mutex_index=2
ATRELM mutex_index=2
)"},
    {.code = "sync.mutex-not-held",
     .wrong = R"(ATRELM mutex_index=2
)",
     .right = R"(ATGETM mutex_index=2
ATRELM mutex_index=2
)"},
    {.code = "sync.no-semaphore",
     .wrong = R"(SEMPOST
)",
     .right = R"(SEMPOST sem_sel=sem1
)"},
    {.code = "sync.init-above-max",
     .wrong = R"(SEMINIT max_value=1 init_value=2 sem_sel=sem1
)",
     .right = R"(SEMINIT max_value=2 init_value=1 sem_sel=sem1
)"},
    {.code = "sync.post-at-15",
     .wrong = R"(SEMINIT max_value=15 init_value=15 sem_sel=sem1
SEMPOST sem_sel=sem1
)",
     .right = R"(SEMINIT max_value=15 init_value=14 sem_sel=sem1
SEMPOST sem_sel=sem1
)"},
    {.code = "sync.post-above-max",
     .wrong = R"(SEMINIT max_value=1 init_value=1 sem_sel=sem1
SEMPOST sem_sel=sem1
)",
     .right = R"(SEMINIT max_value=1 init_value=0 sem_sel=sem1
SEMPOST sem_sel=sem1
)"},
    {.code = "sync.get-at-0",
     .wrong = R"(SEMGET sem_sel=sem1
)",
     .right = R"(SEMPOST sem_sel=sem1
SEMGET sem_sel=sem1
)"},
    {.code = "sync.semwait-no-condition",
     .wrong = R"(SEMPOST sem_sel=sem1
SEMWAIT block=sync sem_sel=sem1
)",
     .right = R"(SEMPOST sem_sel=sem1
SEMWAIT block=sync sem_sel=sem1 wait=zero
)"},
    {.code = "sync.wait-replaced", .arch = Arch::wormhole,
     .wrong = R"(SEMWAIT block=math sem_sel=sem1 wait=zero
SEMWAIT block=math sem_sel=sem2 wait=max
.thread math
NOP
SEMPOST sem_sel=sem1
)",
     .right = R"(SEMWAIT block=math|sync sem_sel=sem1 wait=zero
SEMWAIT block=math|sync sem_sel=sem2 wait=zero
.thread math
SEMPOST sem_sel=sem1
SEMPOST sem_sel=sem2
)"},
};
// clang-format on

}  // namespace tessera::findings::examples
