// SPDX-License-Identifier: Apache-2.0
// The report of a run, at its end or between two steps: counts, waits by reason, blocked actors and what blocks them.
#pragma once

#include <vector>

#include "engine/context.hpp"
#include "engine/execution/execution.hpp"
#include "engine/gates.hpp"
#include "engine/observe/waits.hpp"
#include "engine/rest_of_program.hpp"
#include "engine/scheduler.hpp"
#include "engine/threads/front_ends.hpp"

namespace tessera::engine {

struct ReportParts {
    Scheduler& scheduler_;
    Workload& work_;
    const Pipes& pipes_;
    const Fronts& fronts_;
    const NextOps& next_ops_;
    const Gates& gates_;
    const Banks& banks_;
    const Records& records_;
    const Effects& effects_;
    const HeldInstruction& held_;
    const Execution& execution_;
    const FrontEnds& front_ends_;
    Waits& waits_;
};

class Report : private Context, private ReportParts {
public:
    Report(const Context& context, const ReportParts& parts) : Context(context), ReportParts(parts) {}

    /// Every actor that waits, and for what.
    std::vector<Blocked> blocked() const;
    /// An actor's place in the program.
    Where where(const Agent& agent) const;
    /// The whole report. Open waits are counted, so call it once. `tell_waits`: RunOptions::on_wait gets them, too.
    Run run(bool tell_waits);

private:
    /// Of a run without cores.
    RestOfProgram rest_of_program() const;
    Blocked blocked(unsigned actor) const;
    Blocked queued(unsigned pipe, std::uint32_t record) const;
    /// Records of the instructions that have started and not ended, in the order of issue.
    std::vector<std::uint32_t> in_units() const;
    Blocked at_work(const Record& record) const;
    void describe_core(unsigned actor, Blocked& blocked) const;
    std::string last_change(const Cores::Polled& polled) const;
    std::string last_changes(std::span<const Cores::Polled> polled) const;
    void report_waiting_in_units() const;
    plan::PipeMask units_at_gate(unsigned thread) const;
    /// Run::at_work and Run::in_front.
    void list_unfinished(Run& run) const;
};

}  // namespace tessera::engine
