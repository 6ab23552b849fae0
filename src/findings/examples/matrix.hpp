// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "findings/example.hpp"

namespace tessera::findings::examples {

// clang-format off
inline constexpr Example matrix[] = {
    {.code = "matrix.src-a-row",
     .wrong = R"(.thread math
SETDVALID setvalid=3
SETRWC rwc_a=8 BitMask=a
MVMUL
)",
     .right = R"(.thread math
SETDVALID setvalid=3
SETRWC rwc_a=0 BitMask=a
MVMUL
)"},
    {.code = "matrix.tf32-low",
     .wrong = R"(.thread math
.cfg ALU_FORMAT_SPEC_REG0_SrcA = Tf32
.cfg DISABLE_IMPLIED_SRCA_FMT_Base = 1
SETDVALID setvalid=1
STALLWAIT block=math wait=trisc_cfg
MOVA2D dest_32b_lo=1
)",
     .right = R"(.thread math
.cfg ALU_FORMAT_SPEC_REG0_SrcA = Tf32
.cfg DISABLE_IMPLIED_SRCA_FMT_Base = 1
SETDVALID setvalid=1
STALLWAIT block=math wait=trisc_cfg
MOVA2D
)"},
    {.code = "matrix.bank-not-owned",
     .wrong = R"(.thread math
MOVD2A instr_mod=2
)",
     .right = R"(.thread math
SETDVALID setvalid=1
STALLWAIT block=math wait=srca_vld
MOVD2A instr_mod=2
)"},
    {.code = "matrix.bank-not-held",
     .wrong = R"(.thread math
SETRWC clear_ab_vld=a
)",
     .right = R"(.thread math
SETDVALID setvalid=1
STALLWAIT block=math wait=srca_vld
SETRWC clear_ab_vld=a
)"},
    {.code = "matrix.bank-kept",
     .wrong = R"(SETDVALID setvalid=1
.thread math
MOVA2D
)",
     .right = R"(SETDVALID setvalid=1
.thread math
MOVA2D
CLEARDVALID cleardvalid=1
)"},
    {.code = "matrix.zeroacc-range",
     .wrong = R"(.thread math
ZEROACC clear_mode=1 where=100
)",
     .right = R"(.thread math
ZEROACC clear_mode=1 where=3
)"},
    {.code = "matrix.zeroacc-revert",
     .wrong = R"(.thread math
ZEROACC clear_mode=1 clear_zero_flags=1
)",
     .right = R"(.thread math
ZEROACC clear_mode=1
)"},
    {.code = "matrix.cleardvalid-reset",
     .wrong = R"(.thread math
CLEARDVALID reset=1
)",
     .right = R"(.thread math
CLEARDVALID cleardvalid=1
)"},
    {.code = "matrix.shift-direction",
     .wrong = R"(SETDVALID setvalid=1
.thread math
MOVA2D
SHIFTXA shift_mode=0
)",
     .right = R"(SETDVALID setvalid=1
.thread math
MOVA2D
SHIFTXA shift_mode=2
)"},
    {.code = "matrix.shift-row",
     .wrong = R"(SETDVALID setvalid=3
.thread math
SETRWC rwc_a=3 BitMask=1
MOVA2D
SHIFTXA shift_mode=2
)"},
    {.code = "matrix.debug-move",
     .wrong = R"(.thread math
MOVDBGA2D
)",
     .right = R"(.thread math
SETDVALID setvalid=1
MOVA2D
)"},
    {.code = "matrix.legacy",
     .wrong = R"(SETDVALID setvalid=3
.thread math
CONV3S1
)",
     .right = R"(SETDVALID setvalid=3
.thread math
MVMUL
)"},
};
// clang-format on

}  // namespace tessera::findings::examples
