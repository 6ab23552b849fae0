// SPDX-License-Identifier: Apache-2.0
// An instruction from issue to end, if its landing or end is an event: queue of its unit, start, landing of effects,
// hand-over of banks.
#pragma once

#include "engine/context.hpp"
#include "engine/execution/effects.hpp"
#include "engine/execution/held_instruction.hpp"
#include "engine/execution/lazy_ends.hpp"
#include "engine/execution/occupation.hpp"
#include "engine/execution/vector_schedule.hpp"
#include "engine/kept.hpp"
#include "engine/observe/explainer.hpp"
#include "engine/observe/waits.hpp"
#include "engine/observe/writes.hpp"
#include "engine/pipes/banks.hpp"
#include "engine/pipes/records.hpp"
#include "engine/pipes/transfers.hpp"
#include "util/ring.hpp"

namespace tessera::engine {

struct ExecutionState {
protected:
    struct Queue {
        Ring<std::uint32_t> waiting;  ///< records
        Cycle try_at = never;         ///< next try of the first one
    };
    std::array<Queue, plan::pipes> queues_{};  ///< in front of units; Wormhole's packers share the first packer's
};

struct ExecutionParts {
    Scheduler& scheduler_;
    Workload& work_;
    Pipes& pipes_;
    Delays& delays_;
    Transfers& transfers_;
    Banks& banks_;
    Records& records_;
    Effects& effects_;
    Occupation& occupation_;
    HeldInstruction& held_;
    VectorSchedule& schedule_;
    LazyEnds& lazy_ends_;
    Writes& writes_;
    Waits& waits_;
    Explainer& explainer_;
};

class Execution : private Context, public Kept<ExecutionState>, private ExecutionParts {
public:
    Execution(const Context& context, const ExecutionParts& parts) : Context(context), ExecutionParts(parts) {}

    /// The instruction enters its unit, or the queue in front of it.
    void take_up(units::PlanRef resolved, const hazards::Ticket& ticket, const Issued& issued);
    /// A core's command to TDMA-RISC, which belongs to no thread.
    void start_command(const plan::Plan& plan, std::int64_t index, std::optional<unsigned> core);
    /// An instruction that SFPLOADMACRO has scheduled, at the end of the cycle in which it is due.
    void execute_scheduled(const plan::Plan& plan, const Origin& origin, Cycle now);

    // Events.

    void land_or_try(std::uint32_t record, Cycle now);
    void end(std::uint32_t record, Cycle now);
    void start_queued(unsigned pipe, Cycle now);
    void share_l1(Cycle now);
    /// A bank changed its owner: tries the instructions that wait for it in front of their unit.
    void try_queues(Cycle now);

    // Queues.

    std::size_t queued(unsigned pipe) const { return queues_[pipe].waiting.size(); }
    /// Records, in order.
    const Ring<std::uint32_t>& queue(unsigned pipe) const { return queues_[pipe].waiting; }
    bool all_queues_empty() const;
    /// Whether an instruction waits in its unit.
    bool holds_instruction() const { return held_.holds(); }

private:
    /// Of what no thread issues.
    std::uint32_t new_record(const plan::Plan& plan, const Origin& origin, Cycle now);
    void know(Record& record, const hazards::Ticket& ticket);
    void try_queue(unsigned pipe, Cycle time);
    void start(std::uint32_t id, Cycle now);
    void attempt(std::uint32_t id, Cycle now);
    void land(std::uint32_t id, Cycle now);
    void end_lazily(std::uint32_t id);
    void begin_transfer(std::uint32_t id, Cycle now);
    void end_transfer_at(unsigned side, Cycle time);
};

}  // namespace tessera::engine
