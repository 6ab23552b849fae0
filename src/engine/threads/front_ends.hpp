// SPDX-License-Identifier: Apache-2.0
// A thread's wait gate: holds instructions while they must wait, and issues them.
#pragma once

#include "engine/context.hpp"
#include "engine/delays.hpp"
#include "engine/execution/effects.hpp"
#include "engine/execution/execution.hpp"
#include "engine/execution/lazy_ends.hpp"
#include "engine/execution/vector_schedule.hpp"
#include "engine/gates.hpp"
#include "engine/kept.hpp"
#include "engine/observe/explainer.hpp"
#include "engine/observe/waits.hpp"
#include "engine/observe/window.hpp"
#include "engine/observe/writes.hpp"
#include "engine/scheduler.hpp"
#include "engine/sources/auto_sync.hpp"
#include "engine/sources/program_feed.hpp"
#include "engine/threads/expansion.hpp"
#include "engine/threads/interlocks.hpp"

namespace tessera::engine {

struct FrontEndsState {
protected:
    /// Counts of a thread.
    struct Count {
        std::uint64_t issued = 0;
        std::array<Cycle, plan::pipes> issuing{};  ///< cycles of issue, by pipe
        plan::Pipe issued_to{};                    ///< pipe of the last instruction
        Cycle issue_done = 0, delayed_until = 0;   ///< counted in advance: the last issue, and its delay
    };
    std::array<Count, state::threads> counts_{};
    std::uint64_t issued_ = 0;
    Agent last_issued_;
    WindowCount window_;
};

struct FrontEndsParts {
    Scheduler& scheduler_;
    Pipes& pipes_;
    const Workload& work_;
    Delays& delays_;
    Fronts& fronts_;
    ProgramFeed& feed_;
    AutoSync& auto_sync_;
    Expansion& expansion_;
    Gates& gates_;
    Interlocks& interlocks_;
    Effects& effects_;
    Records& records_;
    HeldInstruction& held_;
    Execution& execution_;
    LazyEnds& lazy_ends_;
    VectorSchedule& schedule_;
    Waits& waits_;
    Explainer& explainer_;
};

class FrontEnds : private Context, public Kept<FrontEndsState>, private FrontEndsParts {
public:
    FrontEnds(const Context& context, const FrontEndsParts& parts);

    /// The effect of a front end's act on other actors.
    enum class Act : std::uint8_t { observable, unobservable };
    Act act(unsigned thread);
    /// The instruction of the last act, if no other actor could observe it.
    const units::PlanRef& issued_unobservable() const { return *issued_unobservable_; }

    // Issued instructions.

    std::uint64_t issued() const { return issued_; }
    std::uint64_t issued(unsigned thread) const { return counts_[thread].issued; }
    const Agent& last_issued() const { return last_issued_; }
    const WindowCount& window() const { return window_; }
    /// Counts of front ends and units up to a cycle.
    Tally tally(Cycle at) const;

    /// Counts instructions that KnownTraces issued to that pipe; `last` is the last of them.
    void count(unsigned thread, std::size_t instructions, const Agent& last, plan::Pipe pipe) {
        Count& count = counts_[thread];
        count.issued += instructions;
        issued_ += instructions;
        records_.pass_numbers(instructions);
        last_issued_ = last;
        count.issued_to = pipe;
        count.issue_done = count.delayed_until = last.at + 1;
    }
    /// Counts cycles of issue to the pipe.
    void count_issuing(unsigned thread, unsigned pipe, Cycle cycles) { counts_[thread].issuing[pipe] += cycles; }

private:
    /// The front end waits.
    Act waits(Cycle now);
    void note_window(bool ends, Cycle now);
    void end_declaration(unsigned thread, const frontend::GateWord& at, Cycle now);
    bool pass_holds_or_wait(unsigned thread, frontend::GateWord& at);
    bool is_unobservable(const units::Resolved& resolved) const;
    void issue_unobservable(unsigned thread, const units::Resolved& resolved, Cycle now);
    void issue(unsigned thread, units::PlanRef resolved, Cycle now);
    hazards::Ticket order_issue(unsigned thread, const units::Resolved& resolved, std::int64_t index);
    Cycle hold_front_end(unsigned thread, const plan::Plan& plan, const Cause& issued);
    void note_latched(unsigned thread, const Cause& issued);
    void go_on(unsigned thread, plan::PipeMask pipes, Cycle now, Cycle next, bool in_step);
    Cycle issue_vector(const units::Resolved& resolved, const frontend::GateWord& at, Cycle now);
    void leave_gate(unsigned thread, Cycle now) { fronts_[thread].leave(state_, now, expansion_); }
    void raise_issued(unsigned thread, Signals signals);
    void count_issue(unsigned thread, const frontend::GateWord& at, Cycle now);
    void count_cycles(unsigned thread, plan::PipeMask pipes, Cycle now, Cycle next);
    bool goes_in_step(unsigned thread, const frontend::GateWord& at) const;

    const isa::InstructionSpec* const window_instruction_;
    const units::PlanRef* issued_unobservable_ = nullptr;
};

}  // namespace tessera::engine
