// SPDX-License-Identifier: Apache-2.0
// Lazy ends. An instruction of fixed latency that changes nothing at its end needs no event: it takes one step from
// start to end. A later waiter reads the end from Activity::busy_until.
#pragma once

#include "engine/context.hpp"
#include "engine/execution/effects.hpp"
#include "engine/execution/held_instruction.hpp"
#include "engine/execution/occupation.hpp"
#include "engine/execution/vector_schedule.hpp"
#include "engine/gates.hpp"

namespace tessera::engine {

struct LazyEndsParts {
    Scheduler& scheduler_;
    Pipes& pipes_;
    Gates& gates_;
    Effects& effects_;
    Occupation& occupation_;
    HeldInstruction& held_;
    VectorSchedule& schedule_;
};

class LazyEnds : private Context, private LazyEndsParts {
public:
    LazyEnds(const Context& context, const LazyEndsParts& parts) : Context(context), LazyEndsParts(parts) {}

    /// Whether an actor waits for the end of such an instruction.
    bool is_end_awaited(plan::PipeMask pipes, unsigned thread) const {
        return scheduler_.is_end_awaited(pipes, thread) || gates_.is_end_awaited(pipes, thread);
    }
    /// Whether the end of the instruction may be lazy.
    bool may_pass(const units::Resolved& resolved) const;
    /// The same for an instruction that waited in a queue and starts now. Readers of L1 need a record, because the
    /// other unpacker looks it up.
    bool may_end(const Record& record) const;
    /// Runs the instruction from its issue to its end without a record. Returns the signals it raises.
    Signals pass(const units::Resolved& resolved, const hazards::Ticket& ticket, const Origin& origin, Cycle now, Cycle start);
};

}  // namespace tessera::engine
