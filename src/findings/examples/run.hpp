// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "findings/example.hpp"

namespace tessera::findings::examples {

// clang-format off
inline constexpr Example run[] = {
    {.code = "not-supported",
     .wrong = R"(RAREB
)",
     .right = R"(NOP
)"},
    {.code = "unknown-opcode",
     .wrong = R"(.ttinsn 0xFF000000
)",
     .right = R"(.ttinsn 0x02000000
)"},
    {.code = "isa.undefined-bits",
     .wrong = R"(.ttinsn 0x02000001
)",
     .right = R"(NOP
)"},
    {.code = "deadlock",
     .wrong = R"(SEMWAIT block=sync sem_sel=sem1 wait=zero
SEMGET sem_sel=sem1
)",
     .right = R"(SEMWAIT block=sync sem_sel=sem1 wait=zero
SEMGET sem_sel=sem1
.thread math
SEMPOST sem_sel=sem1
)"},
    {.code = "no-progress",
     .wrong = R"(.repeat 100000
    NOP
.end
)"},
};
// clang-format on

}  // namespace tessera::findings::examples
