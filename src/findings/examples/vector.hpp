// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "findings/example.hpp"

namespace tessera::findings::examples {

// clang-format off
inline constexpr Example vector[] = {
    {.code = "vector.stack-full",
     .wrong = R"(.thread math
.repeat 9
    SFPPUSHC
.end
)",
     .right = R"(.thread math
.repeat 8
    SFPPUSHC
.end
)"},
    {.code = "vector.stack-empty",
     .wrong = R"(.thread math
SFPPOPC
)",
     .right = R"(.thread math
SFPPUSHC
SFPPOPC
)"},
    {.code = "vector.popc-full-stack", .arch = Arch::wormhole,
     .wrong = R"(.thread math
.repeat 8
    SFPPUSHC
.end
SFPPOPC instr_mod1=1
)",
     .right = R"(.thread math
.repeat 7
    SFPPUSHC
.end
SFPPOPC instr_mod1=1
)"},
    {.code = "vector.config-two-uses",
     .wrong = R"(.thread math
SFPCONFIG imm16_math=1 config_dest=15 instr_mod1=9
)",
     .right = R"(.thread math
SFPCONFIG imm16_math=1 config_dest=15 instr_mod1=1
)"},
    {.code = "vector.config-nowhere",
     .wrong = R"(.thread math
SFPCONFIG config_dest=9
)",
     .right = R"(.thread math
SFPCONFIG config_dest=11
)"},
    {.code = "vector.load-nowhere",
     .wrong = R"(.thread math
SFPLOADI lreg_ind=11 instr_mod0=floatb imm16=0x4000
)",
     .right = R"(.thread math
SFPLOADI lreg_ind=0 instr_mod0=floatb imm16=0x4000
SFPCONFIG config_dest=11
)"},
    {.code = "vector.swap-mode",
     .wrong = R"(.thread math
SFPSWAP lreg_src_c=L0 lreg_dest=L1 instr_mod1=12
)",
     .right = R"(.thread math
SFPSWAP lreg_src_c=L0 lreg_dest=L1 instr_mod1=1
)"},
    {.code = "vector.macro-empty", .setup = Setup::macros,
     .wrong = R"(SFPLOADMACRO lreg_ind=8 instr_mod0=2 dest_reg_addr=0
)",
     .right = R"(SFPLOADMACRO lreg_ind=0 instr_mod0=2 dest_reg_addr=0
)"},
    {.code = "vector.macro-replaced", .setup = Setup::macros,
     .wrong = R"(SFPLOADMACRO lreg_ind=0 instr_mod0=2 dest_reg_addr=0
SFPLOADMACRO lreg_ind=4 instr_mod0=2 dest_reg_addr=4
)",
     .right = R"(SFPLOADMACRO lreg_ind=0 instr_mod0=2 dest_reg_addr=0
SFPNOP
SFPLOADMACRO lreg_ind=4 instr_mod0=2 dest_reg_addr=4
)"},
    {.code = "vector.undefined-mode",
     .wrong = R"(.thread math
SFPLOADI lreg_ind=0 instr_mod0=3 imm16=1
)",
     .right = R"(.thread math
SFPLOADI lreg_ind=0 instr_mod0=0 imm16=1
)"},
    {.code = "vector.reserved-mode",
     .wrong = R"(.thread math
SFPABS lreg_c=L0 lreg_dest=L1 instr_mod1=2
)",
     .right = R"(.thread math
SFPABS lreg_c=L0 lreg_dest=L1 instr_mod1=0
)"},
    {.code = "vector.multiply-addend",
     .wrong = R"(.thread math
SFPMUL24 lreg_src_a=L0 lreg_src_b=L1 lreg_src_c=L2 lreg_dest=L3
)",
     .right = R"(.thread math
SFPMUL24 lreg_src_a=L0 lreg_src_b=L1 lreg_src_c=L9 lreg_dest=L3
)"},
    {.code = "vector.multiply-add-operands",
     .wrong = R"(.thread math
SFPADD lreg_src_a=L0 lreg_src_b=L1 lreg_src_c=L2 lreg_dest=L3
)",
     .right = R"(.thread math
SFPMAD lreg_src_a=L0 lreg_src_b=L1 lreg_src_c=L2 lreg_dest=L3
)"},
};
// clang-format on

}  // namespace tessera::findings::examples
