// SPDX-License-Identifier: Apache-2.0
// Instructions that take a fixed time and change nothing when it is over: while nobody waits for that they take one step from start to end,
// and whoever asks later finds until when (Activity::busy_until).
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

    /// Whether somebody waits for such an instruction to end.
    bool is_end_awaited(plan::PipeMask pipes, unsigned thread) const {
        return scheduler_.is_end_awaited(pipes, thread) || gates_.is_end_awaited(pipes, thread);
    }
    /// Whether nobody needs to be told when the instruction ends.
    bool may_pass(const units::Resolved& resolved) const;
    /// The same of one that starts now and has waited in a queue: once it has executed nothing is left of it but its end. A record that reads
    /// L1 is asked for by the other unpacker, and who goes on from a snapshot may want to be told.
    bool may_end(const Record& record) const;
    /// From start to end at once, without a record; what it may wake.
    Signals pass(const units::Resolved& resolved, const hazards::Ticket& ticket, const Origin& origin, Cycle now);
};

}  // namespace tessera::engine
