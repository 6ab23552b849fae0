// SPDX-License-Identifier: Apache-2.0
#include "riscv/costs.hpp"

#include "riscv/retire_queue.hpp"

namespace tessera::riscv {

namespace {

using units::Source;

constexpr Source loads{"BabyRISCV, table of load latencies"};
constexpr Source divides{"BabyRISCV, EX1 (Wormhole: Integer Unit)"};
constexpr Source magnitude{"BabyRISCV: between six and 33, by the magnitude of the dividend; how, no page says", true};
constexpr Source branches{"BabyRISCV, EX1 (Wormhole: Integer Unit); no page describes the branch predictor"};
constexpr Source stores{"BabyRISCV, Load/Store Unit"};
constexpr Source queues{"MemoryOrdering, Mechanical description"};
constexpr Source none{"there is none"};
constexpr Source hits{"MemoryOrdering, L0 data cache: about 0.8 % of hits; here exactly each 125th", true};
constexpr Source until_retired{
    "BabyRISCV, EX1: the next enters when it has retired; EX1 and retirement in a cycle each", true};

constexpr Costs blackhole{
    .local_load = {2, loads},
    .l1_load = {8, loads},
    .l0_hit = {2, loads},
    .atomic = {12, loads},
    .multiply_busy = {1, {"BabyRISCV, EX2"}},
    .multiply = {2, {"BabyRISCV, EX2"}},
    .divide_short = {2, divides},
    .divide_least = {6, magnitude},
    .divide_most = {33, magnitude},
    .mispredicted = {4, branches},
    .serialised = {2, until_retired},
    .l1_store = {5, stores},
    .store_queue = {4, queues},
    .retire_queue = {8, {"BabyRISCV, Retire Unit"}},
    .loads_in_flight = {0, {"no page gives a limit but the retire queue", true}},
    .fused = {4, {"PushTensixInstruction, .ttinsn"}},
    .periodic_flush = {125, hits},
    .coalesces = true,
    .fence_orders = true,
};

constexpr Costs wormhole{
    .local_load = {2, loads},
    .l1_load = {8, loads},
    .l0_hit = {0, none},
    .atomic = {0, none},
    .multiply_busy = {2, {"BabyRISCV, Integer Unit"}},
    .multiply = {2, {"BabyRISCV, Integer Unit"}},
    .divide_short = {2, divides},
    .divide_least = {6, magnitude},
    .divide_most = {33, magnitude},
    .mispredicted = {2, branches},
    .serialised = {1, {"BabyRISCV, Instruction set: fence is a nop, and there are no CSRs"}},
    .l1_store = {5, stores},
    .store_queue = {4, queues},
    .retire_queue = {8, {"BabyRISCV, Load/Store Unit"}},
    .loads_in_flight = {4, {"BabyRISCV, Load/Store Unit: four loads of latency N every N - 1 cycles"}},
    .fused = {1, none},
    .periodic_flush = {0, none},
    .coalesces = false,
    .fence_orders = false,
};

static_assert(blackhole.loads_in_flight.cycles == 0 && wormhole.loads_in_flight.cycles == 4);  // Hart relies on both
static_assert(blackhole.retire_queue.cycles == RetireQueue::room && wormhole.retire_queue.cycles == RetireQueue::room);

}  // namespace

const Costs& costs(Arch arch) { return arch == Arch::blackhole ? blackhole : wormhole; }

}  // namespace tessera::riscv
