// SPDX-License-Identifier: Apache-2.0
// Cells that instructions change: what a change may wake, and who made the last one.
#pragma once

#include "engine/context.hpp"
#include "engine/last_causes.hpp"
#include "engine/scheduler.hpp"
#include "units/plan_cache.hpp"

namespace tessera::engine {

struct EffectsState {
protected:
    LastCauses last_causes_;
    std::array<std::uint32_t, 4> bank_words_{};  ///< instructions that have passed on a bank last, by source * 2 + bank
};

class Effects : private Context, private EffectsState {
public:
    Effects(const Context& context, ChangeListener& listener) : Context(context), listener_(listener) {}

    const EffectsState& saved() const { return *this; }
    void restore(const EffectsState& saved) { static_cast<EffectsState&>(*this) = saved; }

    /// Writes those effects of the plan that come at this time; what they may wake.
    Signals write(const units::Resolved& resolved, plan::When when, const Cause& by) {
        return resolved.has(when) ? write(resolved.plan, when, by) : Signals{0};
    }
    Signals write(const plan::Plan& plan, plan::When when, const Cause& by);
    /// Those that come when the instruction executes, with what others learn from them.
    Signals write_at_start(const units::Resolved& resolved, const Cause& by, Cycle now, Scheduler& scheduler);
    /// What a change of the cell may wake.
    Signals signals_of(state::Cell cell) const;

    LastCauses& last_causes() { return last_causes_; }
    const LastCauses& last_causes() const { return last_causes_; }
    std::uint32_t bank_word(std::size_t bank) const { return bank_words_[bank]; }

private:
    ChangeListener& listener_;
};

}  // namespace tessera::engine
