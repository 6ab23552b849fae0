// SPDX-License-Identifier: Apache-2.0
#include "engine/sources/time_loops.hpp"

#include <algorithm>

namespace tessera::engine {

namespace {

constexpr Cycle shortest_leap = 1 << 13, longest_leap = Cycle{1} << 30;
constexpr unsigned leap_growth = 16;
constexpr unsigned most_turns = 64, most_steps = 1 << 13, most_visits = 16;

}  // namespace

/// The time at which the core repeats itself with held clocks.
std::optional<Cycle> TimeLoops::settles(unsigned core, Cycle now) {
    for (unsigned i = 0; i < most_turns; ++i) {
        const auto turn = alone_(core, now, TurnOf::many_instructions);
        if (!turn) return std::nullopt;
        now = turn->time;
        if (turn->repeats) return now;
    }
    return std::nullopt;
}

/// The core's state at `pc`, in its current loop.
std::vector<TimeLoops::Memory> TimeLoops::visits(unsigned core, std::uint32_t pc, Cycle& now) {
    std::vector<Memory> seen;
    for (unsigned i = 0; i < most_steps && seen.size() < most_visits; ++i) {
        if (cores_.program_counter(core) == pc) seen.push_back(cores_.memory(core));
        const auto turn = alone_(core, now, TurnOf::one_instruction);
        if (!turn) return {};
        now = turn->time;
    }
    return seen;
}

std::optional<TimeLoops::Memory> TimeLoops::comes_back(unsigned core, Cycle& now, const Memory& before, std::uint32_t pc,
                                                 Cycle time, Cycle leap) {
    const auto cores = cores_.save();
    const state::Riscv riscv = state_.riscv[core];
    // Two clock values: registers that agree do not depend on the clock and must be unchanged.
    std::array<std::vector<Memory>, 2> seen;
    Cycle then = now;
    for (const Cycle later : {time + leap + leap / 2 + 12'345, time + leap}) {
        state_.riscv[core] = riscv;
        cores_.restore(*cores);
        cores_.hold_time(core, later);
        const auto settled = settles(core, now);
        if (!settled) return std::nullopt;
        then = *settled;
        seen[later == time + leap] = visits(core, pc, then);
    }
    now = then;
    for (std::size_t i = 0; i < std::min(seen[0].size(), seen[1].size()); ++i) {
        const Memory &other = seen[0][i], &after = seen[1][i];
        bool same = true;
        for (std::size_t k = 0; k < before.size() && same; ++k) same = after[k] == before[k] || after[k] != other[k];
        if (same) return after;
    }
    return std::nullopt;
}

bool TimeLoops::loops(unsigned core, Cycle now, Cycle time, Cycle until) {
    cores_.hold_time(core, time);
    if (const auto settled = settles(core, now))
        now = *settled;
    else
        return false;
    std::optional<Memory> memory = cores_.memory(core);
    const std::uint32_t pc = cores_.program_counter(core);
    for (Cycle leap = shortest_leap; time < until; leap = std::min(leap * leap_growth, longest_leap)) {
        leap = std::min(leap, until - time);
        memory = comes_back(core, now, *memory, pc, time, leap);
        if (!memory) return false;
        time += leap;
    }
    cores_.found_time_loop(core, until);
    return true;
}

}  // namespace tessera::engine
