// SPDX-License-Identifier: Apache-2.0
#include "riscv/costs.hpp"

#include "riscv/branch_predictor.hpp"
#include "riscv/retire_queue.hpp"

namespace tessera::riscv {

namespace {

using units::Source;

constexpr Source loads{"BabyRISCV, table of load latencies"};
constexpr Source divides{"BabyRISCV, EX1 (Wormhole: Integer Unit)"};
constexpr Source magnitude{"BabyRISCV: between six and 33, by the magnitude of the dividend; how, no page says",
                           Source::assumed};
constexpr Source branches{"BabyRISCV, EX1 (Wormhole: Integer Unit)"};
constexpr Source predictor{"no page describes the branch predictor", Source::assumed};
constexpr Source no_fetches{"no page gives the time of instruction fetches", Source::assumed};
constexpr FetchCost no_fetch_time{0, 0, 1, no_fetches, no_fetches};
constexpr std::array<FetchCost, riscv_cores> no_fetch_times{no_fetch_time, no_fetch_time, no_fetch_time, no_fetch_time,
                                                            no_fetch_time};
constexpr Source stores{"BabyRISCV, Load/Store Unit"};
constexpr Source queues{"MemoryOrdering, Mechanical description"};
constexpr Source none{"there is none"};
constexpr Source hits{"MemoryOrdering, L0 data cache: about 0.8 % of hits; here exactly each 125th", Source::assumed};
constexpr Source until_retired{
    "BabyRISCV, EX1: the next enters when it has retired; EX1 and retirement in a cycle each", Source::assumed};

constexpr Costs blackhole{
    .local_load = {2, loads},
    .l1_load = {8, loads},
    .l0_hit = {2, loads},
    .atomic = {12, loads},
    .done_check = {3, loads},
    .multiply_busy = {1, {"BabyRISCV, EX2"}},
    .multiply = {2, {"BabyRISCV, EX2"}},
    .divide_short = {2, divides},
    .divide_base = {1, magnitude},
    .divide_group = {1, magnitude},
    .divide_least = {6, magnitude},
    .divide_most = {33, magnitude},
    .mispredicted = {4, branches},
    .predictor_entries = 0,
    .predictor = predictor,
    .serialised = {2, until_retired},
    .l1_store = {5, stores},
    .store_queue = {4, queues},
    .retire_queue = {8, {"BabyRISCV, Retire Unit"}},
    .loads_in_flight = {0, {"no page gives a limit but the retire queue", Source::assumed}},
    .fused = {4, {"PushTensixInstruction, .ttinsn"}},
    .periodic_flush = {125, hits},
    .fetch = no_fetch_times,
    .counts_device_loads = false,
    .coalesces = true,
    .shares_l1 = false,
    .fence_orders = true,
};

constexpr Costs wormhole{
    .local_load = {2, loads},
    .l1_load = {8, loads},
    .l0_hit = {0, none},
    .atomic = {0, none},
    .done_check = {3, loads},
    .multiply_busy = {2, {"BabyRISCV, Integer Unit"}},
    .multiply = {2, {"BabyRISCV, Integer Unit"}},
    .divide_short = {2, divides},
    .divide_base = {1, magnitude},
    .divide_group = {1, magnitude},
    .divide_least = {6, magnitude},
    .divide_most = {33, magnitude},
    .mispredicted = {2, branches},
    .predictor_entries = 0,
    .predictor = predictor,
    .serialised = {1, {"BabyRISCV, Instruction set: fence is a nop, and there are no CSRs"}},
    .l1_store = {5, stores},
    .store_queue = {4, queues},
    .retire_queue = {8, {"BabyRISCV, Load/Store Unit"}},
    .loads_in_flight = {4, {"BabyRISCV, table of load latencies: four of all but local memory, each for N - 1 cycles"}},
    .fused = {1, none},
    .periodic_flush = {0, none},
    .fetch = no_fetch_times,
    .counts_device_loads = true,
    .coalesces = false,
    .shares_l1 = false,
    .fence_orders = false,
};

// Measurements: mesham/tt-sim, riscvbench, on a p150 (2026-08-09) and on an n300 (2026-08-17); retirebench on a p150
// (2026-08-18). spec-notes R13 to R18 say how they were read.
constexpr Source riscvbench_blackhole{"mesham/tt-sim, riscvbench on Blackhole, 2026-08-09", Source::measured};
constexpr Source riscvbench_wormhole{"mesham/tt-sim, riscvbench on Wormhole, 2026-08-17", Source::measured};
constexpr Source retirebench{
    "mesham/tt-sim, retirebench on Blackhole, 2026-08-18: 14 cycles for a dividend of 12 bits; groups of four bits "
    "also give BabyRISCV's least of six",
    Source::measured};
constexpr Source division_wormhole{"as Blackhole's; the pages of both chips give the same limits", Source::assumed};
constexpr Source table_blackhole{
    "mesham/tt-sim, riscvbench on Blackhole, 2026-08-09: 65 branches in turn are predicted; how many more, "
    "nobody measured",
    Source::measured};
constexpr Source table_wormhole{
    "mesham/tt-sim, riscvbench on Wormhole, 2026-08-17: a loop's only branch is predicted, 65 branches in turn are "
    "not; how many are, nobody measured",
    Source::measured};
constexpr Source bursts_blackhole{
    "mesham/tt-sim, riscvbench on Blackhole, 2026-08-09: bursts of 64 and more ADDDMAREG until they are done",
    Source::measured};
constexpr Source bursts_wormhole{
    "mesham/tt-sim, riscvbench on Wormhole, 2026-08-17: bursts of 64 and more ADDDMAREG until they are done",
    Source::measured};
constexpr Source cache_wormhole{"InstructionCache, table of capacities"};
constexpr Source rate_unmeasured{"as a core with a cache of this size; nobody measured this one", Source::assumed};
constexpr Source cache_unmeasured{"as T0's; nobody measured this one", Source::assumed};

constexpr Costs blackhole_silicon = [] {
    Costs cost = blackhole;
    cost.shares_l1 = true;
    cost.done_check = {9, bursts_blackhole};
    cost.divide_base = {2, retirebench};
    cost.divide_group = {4, retirebench};
    cost.predictor_entries = 256;
    cost.predictor = table_blackhole;
    cost.loads_in_flight = {4, riscvbench_blackhole};
    constexpr FetchCost thread{4096, 5, 1, riscvbench_blackhole, riscvbench_blackhole};
    constexpr FetchCost other{4096, 5, 1, cache_unmeasured, cache_unmeasured};
    cost.fetch = {other, thread, thread, thread, other};
    return cost;
}();

constexpr Costs wormhole_silicon = [] {
    Costs cost = wormhole;
    cost.shares_l1 = true;
    cost.done_check = {8, bursts_wormhole};
    cost.divide_base = {2, division_wormhole};
    cost.divide_group = {4, division_wormhole};
    cost.predictor_entries = 8;
    cost.predictor = table_wormhole;
    constexpr FetchCost large{2048, 23, 5, cache_wormhole, riscvbench_wormhole};
    constexpr FetchCost small{512, 28, 5, cache_wormhole, riscvbench_wormhole};
    constexpr FetchCost b{2048, 23, 5, cache_wormhole, rate_unmeasured};
    constexpr FetchCost nc{512, 28, 5, cache_wormhole, rate_unmeasured};
    cost.fetch = {b, large, small, large, nc};
    return cost;
}();

constexpr bool fits(const Costs& cost) {
    for (const FetchCost& fetch : cost.fetch)
        if (cost.has_front_end() != (fetch.cache_bytes != 0)) return false;
    return (cost.loads_in_flight.cycles == 0 || cost.loads_in_flight.cycles == 4) &&
           (cost.loads_in_flight.cycles == 4 || !cost.counts_device_loads) &&
           cost.retire_queue.cycles == RetireQueue::room && cost.predictor_entries <= BranchPredictor::most_entries;
}
static_assert(fits(blackhole) && fits(wormhole) && fits(blackhole_silicon) && fits(wormhole_silicon));

}  // namespace

const Costs& costs(Arch arch, Timing timing) {
    if (timing == Timing::silicon || timing == Timing::silicon_slow)
        return arch == Arch::blackhole ? blackhole_silicon : wormhole_silicon;
    return arch == Arch::blackhole ? blackhole : wormhole;
}

}  // namespace tessera::riscv
