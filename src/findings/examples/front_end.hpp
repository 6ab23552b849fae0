// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "findings/example.hpp"

namespace tessera::findings::examples {

// clang-format off
inline constexpr Example front_end[] = {
    {.code = "frontend.nested",
     .wrong = R"(REPLAY start_idx=0 len=1 load_mode=1
REPLAY start_idx=8 len=1
REPLAY start_idx=0 len=1
)",
     .right = R"(REPLAY start_idx=0 len=1 load_mode=1
NOP
REPLAY start_idx=0 len=1
)"},
    {.code = "frontend.mop-word-counts",
     .wrong = R"(.mop outer_count = 1
.mop inner_count = 1
.mop start_op = NOP
.mop end_op0 = NOP
.mop end_op1 = NOP
.mop loop_op = NOP
.mop loop_op1 = NOP
.mop loop0_last = NOP
.mop loop1_last = NOP
MOP mop_type=template1 loop_count=3
)",
     .right = R"(.mop outer_count = 1
.mop inner_count = 1
.mop start_op = NOP
.mop end_op0 = NOP
.mop end_op1 = NOP
.mop loop_op = NOP
.mop loop_op1 = NOP
.mop loop0_last = NOP
.mop loop1_last = NOP
MOP mop_type=template1
)"},
    {.code = "frontend.mop-count",
     .wrong = R"(.mop outer_count = 1025
.mop inner_count = 1
.mop start_op = NOP
.mop end_op0 = NOP
.mop end_op1 = NOP
.mop loop_op = NOP
.mop loop_op1 = NOP
.mop loop0_last = NOP
.mop loop1_last = NOP
MOP mop_type=template1
)",
     .right = R"(.mop outer_count = 127
.mop inner_count = 1
.mop start_op = NOP
.mop end_op0 = NOP
.mop end_op1 = NOP
.mop loop_op = NOP
.mop loop_op1 = NOP
.mop loop0_last = NOP
.mop loop1_last = NOP
MOP mop_type=template1
)"},
    {.code = "frontend.mop-outer-erratum",
     .wrong = R"(.mop outer_count = 1
.mop inner_count = 0
.mop start_op = NOP
.mop end_op0 = SEMPOST sem_sel=sem1
.mop end_op1 = NOP
.mop loop_op = NOP
.mop loop_op1 = NOP
.mop loop0_last = NOP
.mop loop1_last = NOP
MOP mop_type=template1
)"},
    {.code = "frontend.mop-empty",
     .wrong = R"(.mop outer_count = 0
.mop inner_count = 0
.mop start_op = NOP
.mop end_op0 = NOP
.mop end_op1 = NOP
.mop loop_op = NOP
.mop loop_op1 = NOP
.mop loop0_last = NOP
.mop loop1_last = NOP
MOP mop_type=1
)",
     .right = R"(.mop outer_count = 1
.mop inner_count = 1
.mop start_op = NOP
.mop end_op0 = NOP
.mop end_op1 = NOP
.mop loop_op = NOP
.mop loop_op1 = NOP
.mop loop0_last = NOP
.mop loop1_last = NOP
MOP mop_type=1
)"},
    {.code = "frontend.mop-unset",
     .wrong = R"(.mop flags0 = 0
MOP mop_type=template0 loop_count=1
)",
     .right = R"(.mop flags0 = 0
.mop a0 = NOP
MOP mop_type=template0 loop_count=1
)"},
    {.code = "frontend.mop-unwritten",
     .wrong = R"(.mop a0 = NOP
MOP mop_type=template0 loop_count=1
)",
     .right = R"(.mop flags0 = 0
.mop a0 = NOP
MOP mop_type=template0 loop_count=1
)"},
    {.code = "frontend.replay-count",
     .wrong = R"(REPLAY start_idx=0 len=40 load_mode=1
.repeat 40
    NOP
.end
)",
     .right = R"(REPLAY start_idx=0 len=32 load_mode=1
.repeat 32
    NOP
.end
)"},
    {.code = "frontend.replay-unrecorded",
     .wrong = R"(REPLAY start_idx=0 len=1
)",
     .right = R"(REPLAY start_idx=0 len=1 load_mode=1
NOP
REPLAY start_idx=0 len=1
)"},
    {.code = "frontend.replay-overwritten",
     .wrong = R"(REPLAY start_idx=0 len=2 load_mode=1
NOP
NOP
REPLAY start_idx=1 len=1 load_mode=1
NOP
REPLAY start_idx=0 len=2
)",
     .right = R"(REPLAY start_idx=0 len=2 load_mode=1
NOP
NOP
REPLAY start_idx=2 len=1 load_mode=1
NOP
REPLAY start_idx=0 len=2
)"},
    {.code = "frontend.recording-open",
     .wrong = R"(REPLAY start_idx=0 len=2 load_mode=1
NOP
)",
     .right = R"(REPLAY start_idx=0 len=1 load_mode=1
NOP
)"},
};
// clang-format on

}  // namespace tessera::findings::examples
