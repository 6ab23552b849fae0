// SPDX-License-Identifier: Apache-2.0
#include "engine/execution/execution.hpp"

#include <algorithm>
#include <bit>

#include "checks/checker.hpp"
#include "engine/execution/by_reference.hpp"
#include "engine/observe/events.hpp"
#include "engine/run_recorder.hpp"

namespace tessera::engine {

namespace {

constexpr unsigned first_unpacker = static_cast<unsigned>(plan::Pipe::unpacker0);

}  // namespace

std::uint32_t Execution::new_record(const plan::Plan& plan, const Origin& origin, Cycle now) {
    const std::int64_t number = records_.next_number();
    return records_.add(units::PlanRef::of(plan), {number, origin, now, now, now, -1, true});
}

// The vector clock is copied only for an instruction whose accesses or banks are checked.
inline void Execution::know(Record& record, const hazards::Ticket& ticket) {
    static_cast<hazards::Ticket&>(record.ticket) = ticket;
    const units::Resolved& resolved = *record.resolved;
    if (order_.is_on() && (resolved.has_work || resolved.hands_over || !resolved.plan.banks.empty()))
        record.ticket.known = order_.known(ticket.thread);
}

void Execution::take_up(units::PlanRef resolved, const hazards::Ticket& ticket, const Issued& issued) {
    const std::uint32_t id = records_.add(std::move(resolved), issued);
    Record& record = records_[id];
    const plan::Plan& plan = record.plan();
    record.ready += plan.cost.address;
    if (writes_.are_told()) {
        if (!options_.reference) writes_.written().add_effects(plan, plan::When::issue);
        writes_.instruction_wrote(record, true);
    }
    know(record, ticket);
    work_.add(plan.pipes, plan.thread, false, plan::is_scalar_request(plan));
    if (pipes_.queue_depth(plan.pipes) == 0) return start(id, issued.issue);
    const unsigned pipe = record.pipe();
    queues_[pipe].waiting.push_back(id);
    if (queues_[pipe].waiting.size() == 1) try_queue(pipe, record.ready);
}

void Execution::start_command(const plan::Plan& plan, std::int64_t index, std::optional<unsigned> core) {
    const Cycle now = scheduler_.now();
    const std::uint32_t id = new_record(plan, {index, -1}, now);
    Record& record = records_[id];
    record.by_core = true;
    const bool stores_flag = std::holds_alternative<plan::StoreWork>(plan.work);
    record.ticket = order_.command(core, plan.thread, index, stores_flag);
    if (stores_flag && checker_.looks_on()) order_.mark_flags(record.ticket, record.resolved->work().accesses);
    work_.add(plan.pipes, plan.thread, true, false);
    start(id, now);
}

// It stalls no instruction, and none stalls it.
void Execution::execute_scheduled(const plan::Plan& plan, const Origin& origin, Cycle now) {
    for (const auto& finding : plan.findings)
        diagnostics_.note(finding,
                          {plan.thread, origin.index, origin.position, plan.instruction.word, scheduler_.now()});
    const std::uint32_t id = new_record(plan, origin, now);
    Record& record = records_[id];
    record.resolved.alone().plan.cost.occupancy = 0;
    know(record, order_.issue(plan.thread, plan.pipes, origin.index, false));
    start(id, now);
}

// At most one try is pending per queue: the earliest one.
inline void Execution::try_queue(unsigned p, Cycle time) {
    if (queues_[p].try_at <= time) return;
    queues_[p].try_at = time;
    scheduler_.clock().schedule(time, Event::Kind::start_queued, p);
}

void Execution::try_queues(Cycle now) {
    for (unsigned p = 0; p < plan::pipes; ++p)
        if (!queues_[p].waiting.empty()) {
            waits_.bank_passed(p, scheduler_.cause());
            try_queue(p, now);
        }
}

bool Execution::all_queues_empty() const {
    return std::all_of(queues_.begin(), queues_.end(), [](const Queue& queue) { return queue.waiting.empty(); });
}

void Execution::start_queued(unsigned p, Cycle now) {
    auto& queue = queues_[p].waiting;
    if (queues_[p].try_at != now) return;  // an earlier try replaced it
    queues_[p].try_at = never;
    const std::uint32_t id = queue.front();
    Record& record = records_[id];
    const Cycle earliest = std::max(record.ready, pipes_.free_at(record.plan().pipes));
    if (earliest > now) return try_queue(p, earliest);
    if (!banks_.ready(record.plan())) {  // tried again when a bank changes hands
        if (record.blocked_since == never) {
            record.blocked_since = now;
            record.blocked_by = banks_.wait(record.plan());
        }
        return;
    }
    queue.pop_front();
    // Its record may be gone once it has started.
    const Cause cause = record.cause(now);
    const Changed changed{record.plan().pipes, record.plan().thread};
    start(id, now);
    scheduler_.caused_by(cause);
    scheduler_.raise(Signal::unit, now, changed);
    if (!queue.empty()) try_queue(p, std::max(now, pipes_.free_at(records_[queue.front()].plan().pipes)));
}

// An instruction that waits in front of the vector unit lands at its issue: nobody else uses the unit's registers.
void Execution::start(std::uint32_t id, Cycle now) {
    Record& record = records_[id];
    const auto& plan = record.plan();
    if (options_.on_wait) waits_.started(record, now);
    Times& times = record.times;
    pipes_.when(plan, now, delays_, times);
    for (Cycle* time : {&times.start, &times.end, &times.free}) *time += record.waits;
    occupation_.take(plan, times);
    const bool lazy = lazy_ends_.may_end(record);
    if (!lazy) work_.begin(plan.pipes, now);
    banks_.begin_hand_over(*record.resolved);
    for (const auto& need : plan.banks)
        if (need.in_unit && !plan.waits_in_unit) order_.take_bank(record.ticket, need.src, need.bank);
    checker_.check_start(*record.resolved, record.ticket, record.ticket.known, record.origin.position, now);
    if (!plan.waits_in_unit && checker_.looks_on() && plan.pipes & bit(plan::Pipe::scalar))
        order_.mark_flags(record.ticket, record.resolved->work().accesses);

    const bool waits_in_unit = plan.waits_in_unit;
    if (times.land != now)
        scheduler_.clock().schedule(times.land, Event::Kind::land, id);
    else
        waits_in_unit ? attempt(id, now) : land(id, now);
    if (waits_in_unit) return;
    if (lazy) return end_lazily(id);
    if (times.end == now)
        end(id, now);
    else
        record.end_event = scheduler_.clock().schedule(times.end, Event::Kind::end, id);
    if (plan.cost.transfer.bytes) begin_transfer(id, now);
}

void Execution::land_or_try(std::uint32_t id, Cycle now) {
    if (records_[id].plan().waits_in_unit)
        attempt(id, now);
    else
        land(id, now);
}

// The instruction waits inside its unit.
void Execution::attempt(std::uint32_t id, Cycle now) {
    if (!held_.try_resume(id, now)) return;
    Record& record = records_[id];
    const plan::Plan& plan = record.plan();
    pipes_.release(plan.pipes, now);
    record.times.land = record.times.end = now;
    if (plan.conditions) {
        checker_.waited(plan.thread, plan.conditions, record.origin.index);
        checker_.awaited_is_over(plan.thread);
    }
    for (const auto& need : plan.banks) order_.take_bank(record.ticket, need.src, need.bank);
    if (checker_.looks_on()) order_.mark_flags(record.ticket, record.resolved->work().accesses);
    land(id, now);
    end(id, now);
}

void Execution::land(std::uint32_t id, Cycle now) {
    Record& record = records_[id];
    const Cause by = record.cause(now);
    scheduler_.caused_by(by);
    if (record.plan().cost.lands_at_end)
        checker_.check_arrival(*record.resolved, {record.origin.index, record.origin.position, 0, now});
    if (record.explanation >= 0) explainer_.trace_elements(record);
    // Only the units know how far a compressed stream may have come.
    if (writes_.are_told()) writes_.written().watch(record.plan(), options_.reference);
    const bool done =
        options_.reference && !record.by_plan && land_by_reference(record, state_, outcome_, places_, scheduler_.now());
    Signals signals = options_.reference ? effects_.write(*record.resolved, plan::When::issue, by) : Signals();
    signals |= effects_.write_at_start(*record.resolved, by, now, scheduler_);
    if (recorder_) recorder_->executes(*record.resolved);
    if (!done) signals |= execute_work(record.plan(), state_);
    if (writes_.are_told()) {
        Written& written = writes_.written();
        if (options_.reference) written.add_effects(record.plan(), plan::When::issue);
        written.add_effects(record.plan(), plan::When::start);
        written.add_watched();
        if (!written.empty()) writes_.instruction_wrote(record);
    }
    if (record.plan().pipes & bit(plan::Pipe::vector)) schedule_.remember(record.plan(), record.origin);
    scheduler_.raise(signals.without(Signal::mutex), now);
}

void Execution::end(std::uint32_t id, Cycle now) {
    Record& record = records_[id];
    const auto& plan = record.plan();
    const Cause by = record.cause(now);
    scheduler_.caused_by(by);
    banks_.end_hand_over(*record.resolved,
                         [&](unsigned bank) { order_.give_bank(record.ticket, state::Src(bank / 2), bank % 2); });
    const Signals signals = effects_.write(*record.resolved, plan::When::end, by);
    if (writes_.are_told()) {
        writes_.written().add_effects(plan, plan::When::end);
        if (!writes_.written().empty()) writes_.instruction_wrote(record);
    }
    work_.end(plan.pipes, now);
    work_.remove(plan.pipes, plan.thread, record.by_core, plan::is_scalar_request(plan));
    scheduler_.note_event(now);
    if (options_.on_event) options_.on_event(event_of(record, now, places_, costs_));
    const Changed changed{plan.pipes, record.by_core ? no_thread : unsigned{plan.thread}, true};
    records_.remove(id);
    scheduler_.raise(signals | Signal::unit, now, changed);
}

// It has executed: from now on only its lazy end is kept.
inline void Execution::end_lazily(std::uint32_t id) {
    const Record& record = records_[id];
    const plan::Plan& plan = record.plan();
    work_.remove(plan.pipes, plan.thread, false, false);
    work_.run(plan.pipes, plan.thread, scheduler_.now(), record.times.end);
    records_.remove(id);
}

inline void Execution::begin_transfer(std::uint32_t id, Cycle now) {
    const Record& record = records_[id];
    const plan::Cost& cost = record.plan().cost;
    const unsigned side = static_cast<unsigned>(std::countr_zero(record.plan().pipes)) - first_unpacker;
    const Cycle ends = record.times.free;
    transfers_.begin(side, id, cost.transfer, ends - cost.occupancy, ends);
    if (transfers_.reads(1 - side, now)) share_l1(now);
}

void Execution::share_l1(Cycle now) {
    transfers_.share(scheduler_.clock(), now, [&](unsigned side, Cycle time) { end_transfer_at(side, time); });
}

void Execution::end_transfer_at(unsigned side, Cycle time) {
    const std::uint32_t id = transfers_.who(side);
    Record& record = records_[id];
    const plan::Cost& cost = record.plan().cost;
    record.times.end = std::max(time + cost.latency - cost.occupancy, record.times.land);
    scheduler_.clock().cancel(record.end_event);
    record.end_event = scheduler_.clock().schedule(record.times.end, Event::Kind::end, id);
    pipes_.taken_until(first_unpacker + side, time);
    const auto& queue = queues_[first_unpacker + side].waiting;
    if (!queue.empty()) try_queue(first_unpacker + side, std::max(time, records_[queue.front()].ready));
}

}  // namespace tessera::engine
