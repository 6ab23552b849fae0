// SPDX-License-Identifier: Apache-2.0
// Whether time alone can make the cores do anything (time_loops.hpp). They are asked in a copy of the run.
#include <algorithm>

#include "engine/engine.hpp"

namespace tessera::engine {

// After a first look, others come when the time without a change has doubled.
void Engine::look_further_ahead() {
    if (!waits_for_cores()) return;
    look_ahead_at_ = now_ + (now_ - quiet_since_);
    const Cycle until = std::min(options_.max_cycles, now_ + TimeLoops::furthest);
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
        copy.due_.fill(never);
        copy.turn_of_ = i;
        TimeLoops look(state_, *cores_, [&](unsigned core, Cycle now, TimeLoops::TurnOf one) { return copy.alone(core, now, one); });
        all = look.loops(core_of(i), due_[i], now_, until);
        state_.restore(state);
        cores_->restore(*cores);
    }
    checker_.begin_run(slots_.plans.begin_run());
    return all;
}

/// One turn of the core, as if there were no other. Nothing: somebody could notice what it did, or it has stopped.
std::optional<Turn> Engine::alone(unsigned core, Cycle now, TimeLoops::TurnOf one) {
    EnginePort port(*this);
    port.begin_turn(core, now, turn_limit(turn_of_));
    const std::uint64_t changes = changes_;
    const Turn turn = one == TimeLoops::TurnOf::one_instruction ? cores_->step(core, now, port) : cores_->act(core, now, port);
    if (stopped_ || changes_ != changes || turn.kind != Turn::Kind::again) return std::nullopt;
    return turn;
}

}  // namespace tessera::engine
