// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "findings/example.hpp"

namespace tessera::findings::examples {

// clang-format off
inline constexpr Example cores[] = {
    {.code = "state.read-before-write",
     .wrong = R"(.thread math
SFPLOAD lreg_ind=0
)",
     .right = R"(.thread math
ZEROACC clear_mode=3
STALLWAIT block=sfpu wait=math
SFPLOAD lreg_ind=0
)"},
};
// clang-format on

}  // namespace tessera::findings::examples
