// SPDX-License-Identifier: Apache-2.0
// Changes of cells by instructions: the signals that a change raises, and the cause of the last change.
#pragma once

#include "engine/context.hpp"
#include "engine/kept.hpp"
#include "engine/last_causes.hpp"
#include "engine/scheduler.hpp"
#include "units/plan_cache.hpp"

namespace tessera::engine {

/// Runs the plan's work. Returns the signal of configuration that it writes, which may switch branch predictors.
inline Signals execute_work(const plan::Plan& plan, state::State& state) {
    const std::uint64_t configured = state.configured;
    plan::run_work(plan, state);
    return state.configured == configured ? Signals() : Signal::predictor;
}

struct EffectsState {
protected:
    LastCauses last_causes_;
    std::array<std::uint32_t, 4> bank_words_{};  ///< last instruction that passed on each bank, by source * 2 + bank
};

class Effects : private Context, public Kept<EffectsState> {
public:
    Effects(const Context& context, ChangeListener& listener) : Context(context), listener_(listener) {}

    /// Writes the plan's effects of this moment. Returns the signals they raise.
    Signals write(const units::Resolved& resolved, plan::When when, const Cause& by) {
        return resolved.has(when) ? write(resolved.plan, when, by) : Signals();
    }
    Signals write(const plan::Plan& plan, plan::When when, const Cause& by);
    /// Writes the effects of the execution, and releases vector clocks with them.
    Signals write_at_start(const units::Resolved& resolved, const Cause& by, Cycle now, Scheduler& scheduler);
    /// The signals that a change of the cell raises.
    Signals signals_of(state::Cell cell) const;

    LastCauses& last_causes() { return last_causes_; }
    const LastCauses& last_causes() const { return last_causes_; }
    std::uint32_t bank_word(std::size_t bank) const { return bank_words_[bank]; }

private:
    ChangeListener& listener_;
};

}  // namespace tessera::engine
