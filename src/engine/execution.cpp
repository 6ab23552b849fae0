// SPDX-License-Identifier: Apache-2.0
// From issue to end: queues in front of unpackers and packers, start, landing of effects, hand-over of banks.
#include <algorithm>
#include <bit>

#include "diagnostics/op_index.hpp"
#include "engine/engine.hpp"
#include "engine/run_recorder.hpp"
#include "tessera/assembly.hpp"

namespace tessera::engine {

namespace {

/// Calls f with the number of each bank that changes hands when the instruction ends.
template <class F>
void for_each_hand_over(const units::Resolved& resolved, F&& f) {
    for (unsigned mask = resolved.hands_over; mask; mask &= mask - 1) f(static_cast<unsigned>(std::countr_zero(mask)));
}

constexpr unsigned first_unpacker = static_cast<unsigned>(plan::Pipe::unpacker0);

// Of memory, which the scalar unit's conditions count.
bool is_request(const plan::Plan& plan) { return plan.cost.lands_at_end && plan.pipes & bit(plan::Pipe::scalar); }

template <class F>
void for_each_pipe(plan::PipeMask mask, F&& f) {
    for (; mask; mask &= static_cast<plan::PipeMask>(mask - 1)) f(static_cast<unsigned>(std::countr_zero(mask)));
}

}  // namespace

std::uint32_t Engine::new_record(units::PlanRef resolved, std::int64_t number) {
    if (free_records_.empty()) {
        free_records_.push_back(static_cast<std::uint32_t>(records_.size()));
        records_.add();
    }
    const std::uint32_t id = free_records_.back();
    free_records_.pop_back();
    Record& record = records_[id];
    record.used = true;
    record.resolved = std::move(resolved);
    record.number = number;
    record.blocked_since = never;
    return id;
}

// What is known is copied only for an instruction whose accesses or banks will be asked about.
void Engine::know(Record& record, const hazards::Ticket& ticket) {
    static_cast<hazards::Ticket&>(record.ticket) = ticket;
    const units::Resolved& resolved = *record.resolved;
    if (order_.is_on() && (resolved.has_work || resolved.hands_over || !resolved.plan.banks.empty()))
        record.ticket.known = order_.known(ticket.thread);
}

// An issued instruction goes to its unit, or into the queue in front of it.
void Engine::take_up(std::uint32_t id, const hazards::Ticket& ticket, const Origin& origin, Cycle now) {
    Record& record = records_[id];
    const plan::Plan& plan = record.plan();
    record.index = origin.index;
    record.position = origin.position;
    record.issue = now;
    record.ready = now + plan.cost.address;
    if (options_.on_write) {
        if (!options_.reference) written_.add_effects(plan, plan::When::issue);
        tell_written(record, true);
    }
    know(record, ticket);
    work_.add(plan.pipes, plan.thread, false, is_request(plan));
    if (pipes_.queue_depth(plan.pipes) == 0) return start(id, now);
    const unsigned queue = queue_of(plan.pipes);
    queues_[queue].waiting.push_back(id);
    if (queues_[queue].waiting.size() == 1) try_queue(queue, record.ready);
}

// A bank that is about to be passed on is nobody's: an instruction that comes after must not slip in before.
bool Engine::bank_ready(const plan::BankNeed& need) const {
    const auto owner = state::cells::bank_owner(need.src, need.bank);
    return state_[owner] == static_cast<std::uint32_t>(need.owner) &&
           hand_overs_[state::index(owner) - state::cells::bank_owner_block.first] == 0;
}

bool Engine::banks_ready(const plan::Plan& plan, bool in_unit) const {
    for (const auto& need : plan.banks)
        if (need.in_unit == in_unit && !bank_ready(need)) return false;
    return true;
}

// At most one try is pending per queue: the earliest asked for.
void Engine::try_queue(unsigned p, Cycle time) {
    if (queues_[p].try_at <= time) return;
    queues_[p].try_at = time;
    clock_.schedule(time, Event::Kind::start_queued, p);
}

void Engine::start_queued(unsigned p, Cycle now) {
    auto& queue = queues_[p].waiting;
    if (queues_[p].try_at != now) return;  // an earlier try took its place
    queues_[p].try_at = never;
    if (queue.empty()) return;
    const std::uint32_t id = queue.front();
    Record& record = records_[id];
    const Cycle earliest = std::max(record.ready, pipes_.free_at(record.plan().pipes));
    if (earliest > now) return try_queue(p, earliest);
    if (!banks_ready(record.plan(), true)) {  // tried again when a bank changes hands
        if (record.blocked_since == never) {
            record.blocked_since = now;
            record.blocked_by = bank_wait(record.plan());
        }
        return;
    }
    queue.pop_front();
    start(id, now);
    caused_by(touch_of(record, now));
    raise(static_cast<Signals>(Signal::unit), now, {record.plan().pipes, record.plan().thread});
    if (!queue.empty()) try_queue(p, std::max(now, pipes_.free_at(records_[queue.front()].plan().pipes)));
}

void Engine::start(std::uint32_t id, Cycle now) {
    Record& record = records_[id];
    const auto& plan = record.plan();
    if (options_.on_wait) tell_started(record, now);
    const Times& times = record.times = pipes_.when(plan, now, delays_);
    pipes_.take(plan, times);
    postpone_waiters(plan.pipes);
    const bool unseen = rest_is_unseen(record);
    if (!unseen) work_.begin(plan.pipes, now);
    for_each_hand_over(*record.resolved, [&](unsigned i) { ++hand_overs_[i]; });
    for (const auto& need : plan.banks)
        if (need.in_unit && !plan.waits_in_unit) order_.take_bank(record.ticket, need.src, need.bank);
    checker_.begins(*record.resolved, record.ticket, record.ticket.known, record.position, now);
    if (!plan.waits_in_unit && checker_.looks_on() && plan.pipes & bit(plan::Pipe::scalar))
        order_.flags(record.ticket, record.resolved->accesses);

    if (plan.waits_in_unit) {
        ++waiting_in_units_;
        if (times.land == now) return attempt(id, now);
        clock_.schedule(times.land, Event::Kind::land, id);
        return;
    }
    if (times.land == now)
        land(id, now);
    else
        clock_.schedule(times.land, Event::Kind::land, id);
    if (unseen) return end_unseen(id);
    if (times.end == now)
        end(id, now);
    else
        record.end_event = clock_.schedule(times.end, Event::Kind::end, id);
    if (plan.cost.transfer.bytes) begin_transfer(id, now);
}

// What becomes visible when it executes, and what others know from that.
Signals Engine::effects_at_start(const units::Resolved& resolved, const Touch& by, Cycle now) {
    const Signals signals = write_effects(resolved, plan::When::start, by);
    if (!signals) return signals;
    const unsigned thread = resolved.plan.thread;
    for (const auto& effect : resolved.plan.effects) {
        using namespace state::cells;
        if (effect.when != plan::When::start) continue;
        if (semaphore_value_block.contains(effect.cell))
            order_.semaphore_changed(thread, state::index(effect.cell) - semaphore_value_block.first);
        if (stream_register_block.contains(effect.cell)) order_.told(thread, hazards::stream_registers_word);
        if (!mutex_block.contains(effect.cell)) continue;
        const unsigned mutex = state::index(effect.cell) - mutex_block.first;
        order_.mutex_released(thread, mutex);
        mutex_released(thread, mutex, now);
    }
    return signals;
}

void Engine::land(std::uint32_t id, Cycle now) {
    Record& record = records_[id];
    const Touch by = touch_of(record, now);
    caused_by(by);
    if (record.explanation >= 0) trace_elements(record);
    // How far a compressed stream may have come is kept by the units alone.
    if (options_.on_write) written_.watch(record.plan(), options_.reference);
    const bool done = options_.reference && !record.by_plan && land_by_reference(record);
    Signals signals = options_.reference ? write_effects(*record.resolved, plan::When::issue, by) : Signals{0};
    signals |= effects_at_start(*record.resolved, by, now);
    if (recorder_) recorder_->executes(*record.resolved);
    if (!done) plan::run_work(record.plan(), state_);
    if (options_.on_write) {
        if (options_.reference) written_.add_effects(record.plan(), plan::When::issue);
        written_.add_effects(record.plan(), plan::When::start);
        written_.add_watched();
        if (!written_.empty()) tell_written(record);
    }
    if (record.plan().pipes & bit(plan::Pipe::vector))
        remember_scheduled(record.plan(), {record.index, record.position});
    raise(signals & static_cast<Signals>(~static_cast<Signals>(Signal::mutex)), now);
}

void Engine::end(std::uint32_t id, Cycle now) {
    Record& record = records_[id];
    const auto& plan = record.plan();
    const Touch by = touch_of(record, now);
    caused_by(by);
    for_each_hand_over(*record.resolved, [&](unsigned i) {
        order_.give_bank(record.ticket, state::Src(i / 2), i % 2);
        --hand_overs_[i];
    });
    const Signals signals = write_effects(*record.resolved, plan::When::end, by);
    if (options_.on_write) {
        written_.add_effects(plan, plan::When::end);
        if (!written_.empty()) tell_written(record);
    }
    work_.end(plan.pipes, now);
    work_.remove(plan.pipes, plan.thread, record.by_core, is_request(plan));
    last_event_ = std::max(last_event_, now);
    if (options_.on_event) {
        tessera::Event event;
        event.thread = plan.thread;
        event.index = op_number(record.index);
        tell_core(record.index, event.core, event.pc);
        event.position = record.position;
        event.number = record.number;
        event.command = record.by_core;
        event.word = plan.instruction.word;
        event.instruction =
            record.by_core ? std::string("mover command") : disassemble(plan.instruction.word, plan.instruction.arch);
        for_each_pipe(plan.pipes, [&](unsigned p) {
            if (!event.unit.empty()) event.unit += ", ";
            event.unit += name(plan::Pipe(p));
        });
        event.pushed = record.pushed;
        event.gate = record.gate;
        event.ready = std::min(record.ready, record.times.start);
        event.occupancy = plan.cost.occupancy;
        event.latency = plan.cost.latency;
        list_accesses(plan, event);
        event.issue = record.issue;
        event.start = record.times.start;
        event.land = record.times.land;
        event.end = now;
        options_.on_event(event);
    }
    const Changed changed{plan.pipes, record.by_core ? no_thread : unsigned{plan.thread}, true};
    record.used = record.by_core = false;
    free_records_.push_back(id);
    raise(signals | Signal::unit, now, changed);
}

void Engine::begin_transfer(std::uint32_t id, Cycle now) {
    const Record& record = records_[id];
    const plan::Cost& cost = record.plan().cost;
    const unsigned side = static_cast<unsigned>(std::countr_zero(record.plan().pipes)) - first_unpacker;
    const Cycle ends = record.times.free;
    transfers_.begin(side, id, cost.transfer, ends - cost.occupancy, ends);
    if (transfers_.reads(1 - side, now)) share_l1(now);
}

void Engine::share_l1(Cycle now) {
    if (sharing_event_) clock_.cancel(*sharing_event_);
    sharing_event_.reset();
    const Cycle next = transfers_.share(now, [&](unsigned side, Cycle time) { end_transfer_at(side, time); });
    if (next != never) sharing_event_ = clock_.schedule(next, Event::Kind::share_l1, 0);
}

void Engine::end_transfer_at(unsigned side, Cycle time) {
    const std::uint32_t id = transfers_.who(side);
    Record& record = records_[id];
    const plan::Cost& cost = record.plan().cost;
    record.times.end = std::max(time + cost.latency - cost.occupancy, record.times.land);
    clock_.cancel(record.end_event);
    record.end_event = clock_.schedule(record.times.end, Event::Kind::end, id);
    pipes_.taken_until(first_unpacker + side, time);
    const auto& queue = queues_[first_unpacker + side].waiting;
    if (!queue.empty()) try_queue(first_unpacker + side, std::max(time, records_[queue.front()].ready));
}

}  // namespace tessera::engine
