// SPDX-License-Identifier: Apache-2.0
// What a run tells when it is over, or when somebody asks between two steps: counts, waits by reason, who is blocked and by whom.
#pragma once

#include <vector>

#include "engine/context.hpp"
#include "engine/observe/waits.hpp"
#include "engine/execution/execution.hpp"
#include "engine/scheduler.hpp"
#include "engine/threads/front_ends.hpp"
#include "engine/gates.hpp"

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

    /// Who waits for what.
    std::vector<Blocked> blocked() const;
    /// Who has done something, and where.
    Where where(const Agent& agent) const;
    /// All of it. Waits that go on are counted, so it is to be asked once.
    Run run();

private:
    Blocked blocked(unsigned actor) const;
    Blocked queued(unsigned pipe, std::uint32_t record) const;
    void describe_core(unsigned actor, Blocked& blocked) const;
    void describe_front_end(unsigned thread, Blocked& blocked) const;
    void tell_waiting_in_units() const;
};

}  // namespace tessera::engine
