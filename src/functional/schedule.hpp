// SPDX-License-Identifier: Apache-2.0
// Instructions that SFPLOADMACRO has scheduled (its page, Functional model, the text behind it; spec-notes V65 to V72): cells hold them.
// They count cycles, or vector instructions, so while there are any a thread's instructions have cycles: one each, and those for which
// the vector unit holds them back. A thread that waits for another lets as many pass as are needed.
#pragma once

#include <array>
#include <optional>

#include "engine/execution/scheduled.hpp"
#include "units/vector/scheduling.hpp"

namespace tessera::functional {

using engine::Origin;

class Schedule {
public:
    class Listener {
    public:
        virtual void tell(const findings::Note& note, unsigned thread, std::uint32_t word, const Origin& origin) = 0;
        virtual void fail(const findings::Note& note, unsigned thread, std::uint32_t word, const Origin& origin) = 0;

    protected:
        ~Listener() = default;
    };

    /// An instruction of each thread in the unit: what executes as time passes is one, what waits for instructions that may never come is not.
    using InUnit = std::array<std::uint32_t, state::threads>;

    Schedule(state::State& state, units::Slots& slots, const units::CostTable& costs, InUnit& in_unit,
             Listener& listener)
        : state_(state), slots_(slots), costs_(costs), in_unit_(in_unit), listener_(listener) {
        view();
    }

    /// Something is scheduled, or due in this cycle.
    bool busy() const { return any_ || due_now_; }
    /// Something executes as time passes.
    bool waits_for_time() const { return awaited_ || due_now_; }

    /// While busy(): the cycle comes in which the instruction is issued. It is to be resolved again then.
    void come_to(const plan::Plan& plan);
    /// While busy(): a vector instruction is issued in that cycle. False: it is discarded.
    bool issue_vector(const plan::Plan& plan, const Origin& origin);
    /// It has been issued and executed: what it leaves to be scheduled.
    void issued(const plan::Plan& plan, const Origin& origin);
    /// All passes that time alone brings.
    void pass_time();
    void tell_unfinished();

private:
    using Cycle = std::uint64_t;
    void view();
    void next_cycle();
    void take_due();
    void execute_due();
    void execute(const plan::Plan& plan, const Origin& origin);
    bool is_held_back(const plan::Plan& plan, Cycle at) const;

    state::State& state_;
    units::Slots& slots_;
    const units::CostTable& costs_;
    InUnit& in_unit_;
    Listener& listener_;
    bool any_ = false;
    bool awaited_ = false;  ///< the next cycle does something
    engine::ScheduledOrigins origins_;

    Cycle now_ = 0, unit_free_ = 0;
    std::array<Cycle, state::threads> next_{};  ///< instruction of each thread
    struct Past {
        units::vector::Footmark mark;
        Cycle start = 0;
    };
    std::optional<Past> last_;

    engine::Due due_;
    std::array<Origin, state::cells::sub_units> due_origins_{};
    bool due_now_ = false;
    unsigned taken_in_ = 0;  ///< sub-units in which something was due in this cycle
    state::LRegs lregs_before_;
};

}  // namespace tessera::functional
