// SPDX-License-Identifier: Apache-2.0
// Instructions scheduled by SFPLOADMACRO (its page, Functional model, the text behind it; spec-notes V65 to V72), held
// in cells. They count cycles or vector instructions. While any is pending, a thread's instructions take one cycle
// each, plus those for which the vector unit stalls them. A thread that waits for another lets time pass.
#pragma once

#include <array>
#include <optional>

#include "engine/execution/scheduled.hpp"
#include "frontend/expanders.hpp"

namespace tessera::functional {

using engine::Origin;

class Schedule {
public:
    /// Per thread, 1 if an instruction is in the unit. Instructions that execute as time passes count; instructions
    /// that wait for later ones do not.
    using InUnit = std::array<std::uint32_t, state::threads>;

    Schedule(state::State& state, units::Slots& slots, const units::CostTable& costs, InUnit& in_unit,
             frontend::ExpanderListener& listener)
        : state_(state), slots_(slots), costs_(costs), in_unit_(in_unit), listener_(listener) {
        inspect();
    }

    /// True if an instruction is scheduled, or due in this cycle.
    bool busy() const { return any_ || due_now_; }
    /// True if an instruction executes as time passes.
    bool waits_for_time() const { return awaited_ || due_now_; }

    /// Requires busy(). Advances to the cycle in which the instruction issues; the caller resolves it again then.
    void come_to(const plan::Plan& plan);
    /// Requires busy(). Issues a vector instruction in that cycle; false if it is discarded.
    bool issue_vector(const plan::Plan& plan, const Origin& origin);
    /// Call after issue and execution: schedules the instructions that it starts.
    void issued(const plan::Plan& plan, const Origin& origin);
    /// Lets time pass until only instructions that need further instructions are left.
    void pass_time();
    void report_unfinished();

private:
    using Cycle = std::uint64_t;
    void inspect();
    void next_cycle();
    void take_due();
    void execute_due();
    void report(const findings::Note& what, const plan::Plan& of, const Origin& origin);

    state::State& state_;
    units::Slots& slots_;
    const units::CostTable& costs_;
    InUnit& in_unit_;
    frontend::ExpanderListener& listener_;  ///< gets findings
    bool any_ = false;
    bool awaited_ = false;  ///< the next cycle executes something
    engine::ScheduledOrigins origins_;

    Cycle now_ = 0, unit_free_ = 0;
    std::array<Cycle, state::threads> next_{};  ///< next instruction of each thread
    std::optional<engine::VectorPast> last_;

    engine::Due due_;
    bool due_now_ = false;
    unsigned taken_in_ = 0;  ///< sub-units with a due instruction in this cycle
    state::LRegs lregs_before_;
};

}  // namespace tessera::functional
