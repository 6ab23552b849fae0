// SPDX-License-Identifier: Apache-2.0
// A core that waits for something and reads the time meanwhile never comes back to the same registers, so that it is not found to
// repeat itself. But once all others wait, and nothing is on its way, time is all that can change; so the cores are asked what they
// would do if it did. In a copy of the run clocks stand still until a core repeats itself, then show a much later cycle, and so on
// until the last one that the run may have. A core that does something that others could notice on the way, or ends, only delays. If
// none does, and each comes back to where it was but for what it has from the clocks, the run hangs. docs/deadlocks.md has examples.
#include <algorithm>

#include "engine/engine.hpp"

namespace tessera::engine {

namespace {

/// Looking ahead further would take clocks of 32 bits round too often to see anything.
constexpr Cycle furthest = Cycle{1} << 36;
constexpr Cycle shortest_leap = 1 << 13, longest_leap = Cycle{1} << 30;
constexpr unsigned leap_growth = 16;
constexpr unsigned most_turns = 64, most_steps = 1 << 13, most_visits = 16;

}  // namespace

// After a first look, others come when the time without a change has doubled.
void Engine::look_further_ahead() {
    if (!waits_for_cores()) return;
    look_ahead_at_ = now_ + (now_ - quiet_since_);
    const Cycle until = std::min(options_.max_cycles, now_ + furthest);
    if (until > now_ && only_time_passes(until)) stop({findings::id("no-progress.polling")}, {});
}

/// Nothing is on its way, and no front end will act by itself.
bool Engine::waits_for_cores() const {
    if (clock_.next() != never || work_.last_end() > now_ || schedule_.due_at != never || host_due() != never) return false;
    return std::all_of(due_.begin() + state::threads, due_.begin() + core_b, [](Cycle due) { return due == never; });
}

bool Engine::only_time_passes(Cycle until) {
    const state::SavedState state = state_.save();
    const auto cores = cores_->save();
    RunOptions unseen;
    unseen.timing = options_.timing;
    unseen.seed = options_.seed;
    unseen.max_cycles = never - 1;
    Engine copy(state_, slots_, *cores_, unseen, Reset::vendor_sim);
    bool all = true;
    for (unsigned i = 0; i < actors && all; ++i) {
        if (due_[i] == never || actors_[i].repeats_since == changes_) continue;
        copy.go_back_to(*this);
        all = copy.loops_in_time(i, due_[i], until);
        state_.restore(state);
        cores_->restore(*cores);
    }
    checker_.begin_run(slots_.plans.begin_run());
    return all;
}

/// One turn of the core, as if there were no other. Nothing: somebody could notice what it did, or it has stopped.
std::optional<Turn> Engine::alone(unsigned core, Cycle now, TurnOf one) {
    EnginePort port(*this);
    port.begin_turn(core, now, turn_limit(turn_of_));
    const std::uint64_t changes = changes_;
    const Turn turn = one == TurnOf::one_instruction ? cores_->step(core, now, port) : cores_->act(core, now, port);
    if (stopped_ || changes_ != changes || turn.kind != Turn::Kind::again) return std::nullopt;
    return turn;
}

/// The core comes to repeat itself while its clocks are held. Its time then.
std::optional<Cycle> Engine::settles(unsigned core, Cycle now) {
    for (unsigned i = 0; i < most_turns; ++i) {
        const auto turn = alone(core, now, TurnOf::many_instructions);
        if (!turn) return std::nullopt;
        now = turn->time;
        if (turn->repeats) return now;
    }
    return std::nullopt;
}

/// What the core remembers whenever it comes to `pc`, in the loop that it is in.
std::vector<Engine::Memory> Engine::visits(unsigned core, std::uint32_t pc, Cycle& now) {
    std::vector<Memory> seen;
    for (unsigned i = 0; i < most_steps && seen.size() < most_visits; ++i) {
        if (cores_->program_counter(core) == pc) seen.push_back(cores_->memory(core));
        const auto turn = alone(core, now, TurnOf::one_instruction);
        if (!turn) return {};
        now = turn->time;
    }
    return seen;
}

std::optional<Engine::Memory> Engine::comes_back(unsigned core, Cycle& now, const Memory& before, std::uint32_t pc,
                                                 Cycle time, Cycle leap) {
    const auto cores = cores_->save();
    const state::Riscv riscv = state_.riscv[core];
    // To two cycles: what is then the same does not come from the clocks, and has to be what it was before.
    std::array<std::vector<Memory>, 2> seen;
    Cycle then = now;
    for (const Cycle later : {time + leap + leap / 2 + 12'345, time + leap}) {
        state_.riscv[core] = riscv;
        cores_->restore(*cores);
        cores_->hold_time(core, later);
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

bool Engine::loops_in_time(unsigned actor, Cycle now, Cycle until) {
    const unsigned core = core_of(actor);
    due_.fill(never);
    turn_of_ = actor;
    Cycle time = now_;
    cores_->hold_time(core, time);
    if (const auto settled = settles(core, now))
        now = *settled;
    else
        return false;
    std::optional<Memory> memory = cores_->memory(core);
    const std::uint32_t pc = cores_->program_counter(core);
    for (Cycle leap = shortest_leap; time < until; leap = std::min(leap * leap_growth, longest_leap)) {
        leap = std::min(leap, until - time);
        memory = comes_back(core, now, *memory, pc, time, leap);
        if (!memory) return false;
        time += leap;
    }
    cores_->found_time_loop(core, until);
    return true;
}

}  // namespace tessera::engine
