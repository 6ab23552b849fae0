// SPDX-License-Identifier: Apache-2.0
#include "engine/sources/time_loops.hpp"

#include <algorithm>
#include <bit>

#include "engine/sources/quiet_port.hpp"

namespace tessera::engine {

namespace {

constexpr Cycle longest_delay = 1 << 17, shortest_leap = 1 << 13, longest_leap = Cycle{1} << 30;
constexpr unsigned leap_growth = 16;
constexpr Cycle shortest_stride = 1 << 10, strides_of_a_power = 64, longest_trial = 1 << 24;
constexpr std::uint32_t repeating = 256;  // instructions: most loops repeat themselves within them
constexpr unsigned most_turns = 1 << 10, most_steps = 1 << 13, most_visits = 16;

}  // namespace

std::optional<Turn> TimeLoops::act_alone(unsigned core, Cycle now, std::uint32_t most_instructions) {
    QuietPort port(port_, core, now, most_instructions);
    const Turn turn = cores_.act(core, now, port);
    if (port.noticed() || turn.kind != Turn::Kind::again) return std::nullopt;
    return turn;
}

/// The time at which the core repeats itself with held clocks.
std::optional<Cycle> TimeLoops::settle(unsigned core, Cycle now) {
    for (unsigned i = 0; i < most_turns; ++i) {
        const auto turn = act_alone(core, now, repeating);
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
        const auto turn = act_alone(core, now, 1);
        if (!turn) return {};
        now = turn->time;
    }
    return seen;
}

std::optional<TimeLoops::Memory> TimeLoops::come_back(unsigned core, Cycle& now, const Memory& before, std::uint32_t pc,
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
        const auto settled = settle(core, now);
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

// Multiples of a power of two are where bits of the clock change. The stride grows with the distance, so that a loop sees each part
// of a period that is long enough.
bool TimeLoops::try_strides(unsigned core, Cycle now, Cycle time, Cycle until) {
    const Cycle end = now + longest_trial;
    for (Cycle at = time; now < end;) {
        const Cycle stride = std::max(shortest_stride, std::bit_floor((at - time) / strides_of_a_power));
        at = (at / stride + 1) * stride;
        if (at > until) return false;
        for (const Cycle shown : {at - 1, at}) {
            cores_.hold_time(core, shown);
            const auto settled = settle(core, now);
            if (!settled) return true;
            now = *settled;
        }
    }
    return false;
}

bool TimeLoops::find_loops(std::span<const Candidate> candidates, Cycle time, Cycle until) {
    cores_.forget_time_loops();
    const bool all = std::all_of(candidates.begin(), candidates.end(),
                                 [&](const Candidate& one) { return find_loop(one.core, one.now, time, until); });
    if (!all) cores_.forget_time_loops();
    return all;
}

bool TimeLoops::find_loop(unsigned core, Cycle now, Cycle time, Cycle until) {
    const state::SavedState state = state_.save();
    const auto cores = cores_.save();
    const bool found = stays_in_loop(core, now, time, until);
    state_.restore(state);
    cores_.restore(*cores);
    return found;
}

bool TimeLoops::stays_in_loop(unsigned core, Cycle now, Cycle time, Cycle until) {
    const auto cores = cores_.save();
    const state::Riscv riscv = state_.riscv[core];
    if (try_strides(core, now, time, until)) return false;
    state_.riscv[core] = riscv;
    cores_.restore(*cores);
    // A delay that is under way ends first: it has begun somewhere.
    if (until - time > longest_delay) time += longest_delay;
    cores_.hold_time(core, time);
    if (const auto settled = settle(core, now))
        now = *settled;
    else
        return false;
    std::optional<Memory> memory = cores_.memory(core);
    const std::uint32_t pc = cores_.program_counter(core);
    for (Cycle leap = shortest_leap; time < until; leap = std::min(leap * leap_growth, longest_leap)) {
        leap = std::min(leap, until - time);
        memory = come_back(core, now, *memory, pc, time, leap);
        if (!memory) return false;
        time += leap;
    }
    cores_.found_time_loop(core, until);
    return true;
}

}  // namespace tessera::engine
