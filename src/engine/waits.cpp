// SPDX-License-Identifier: Apache-2.0
// RunOptions::on_wait: who waited, for what, and who ended it. Whoever does something says so (Engine::caused_by); whoever is
// woken by it remembers that, and tells it if it goes on then.
#include <algorithm>

#include "diagnostics/op_index.hpp"
#include "engine/engine.hpp"

namespace tessera {

namespace {

constexpr std::string_view kinds[] = {
    "none",      "fifo-empty", "fifo-full",        "latched-wait", "bank",      "mutex",     "semaphore",
    "unit-busy", "queue-full", "address-phase",    "own-scalar",   "dst-block", "drain",     "expander",
    "delayed",   "own-stores", "own-instructions", "tile",         "finished",  "condition", "memory"};
static_assert(std::size(kinds) == static_cast<std::size_t>(engine::Wait::Kind::count));

}  // namespace

std::span<const std::string_view> wait_kinds() { return std::span(kinds).subspan(1); }

namespace engine {

namespace {

constexpr std::string_view name(Wait::Kind kind) { return kinds[static_cast<std::size_t>(kind)]; }

}  // namespace

Touch Engine::touch_of(const Record& record, Cycle now) const {
    return {false, record.plan().thread, record.index, now, record.number};
}

Touch Engine::touch_of_turn(unsigned i) const {
    const bool of_thread = i < state::threads;
    const unsigned core = core_of(i);
    const std::uint64_t ops = of_thread ? threads_[i].kernel_ops : 0;
    return {true, of_thread ? static_cast<int>(i) : -1, diagnostics::KernelOp{ops, core, state_.riscv[core].pc}.index(), now_};
}

tessera::Doer Engine::doer(const Touch& touch) const {
    tessera::Doer doer;
    if (touch.thread < 0 && !touch.by_core) return doer;
    doer.number = touch.number;
    doer.thread = touch.thread;
    if (touch.thread >= 0) doer.index = op_number(touch.index);
    tell_core(touch.index, doer.core, doer.pc);
    return doer;
}

void Engine::remember_waiting(unsigned i) {
    Waiting& waiting = waiting_[i];
    waiting = {};
    if (i >= state::threads && i < core_b) {
        const Thread& thread = threads_[i - state::threads];
        const GateWord& at = thread.front.gate();
        if (thread.front.gated()) waiting = {at.index, at.position, at.instruction.word, 0, {}};
    } else if (cores_) {
        waiting.pc = state_.riscv[core_of(i)].pc;
    } else {
        const auto& ops = program_->threads[i];
        const std::size_t next = threads_[i].next_op;
        if (next >= ops.size()) return;
        waiting.index = static_cast<std::int64_t>(next);
        if (ops[next].kind == Op::Kind::ins) waiting.word = ops[next].value;
    }
}

// Whoever comes first after which all conditions of a latched wait are met has met them.
void Engine::note_latch(unsigned t, const Touch& by) {
    Thread& thread = threads_[t];
    if (thread.latch_met || !frontend::has_latch(state_, t) || !frontend::conditions_met(state_, work_.activity(), t))
        return;
    thread.latch_met = true;
    thread.latch_met_by = by;
}

void Engine::tell_wait(unsigned i, Cycle end, bool over) {
    const Actor& actor = actors_[i];
    const Waiting& waiting = waiting_[i];
    tessera::Wait told;
    const bool front_end = i >= state::threads && i < core_b;
    told.who = front_end ? tessera::Wait::Who::front_end : tessera::Wait::Who::core;
    told.thread = i < core_b ? static_cast<int>(i % state::threads) : -1;
    if (cores_ && !front_end) {
        told.core = static_cast<int>(core_of(i));
        told.pc = waiting.pc;
    }
    told.kind = name(actor.wait.kind);
    told.reason = reason(actor.wait, i);
    told.begin = actor.since;
    told.end = end;
    told.over = over;
    told.index = op_number(waiting.index);
    told.position = waiting.position;
    told.word = waiting.word;
    if (over) told.ended_by = doer(waiting.ended_by);
    options_.on_wait(told);
}

void Engine::tell_delay(unsigned t, Cycle begin, Cycle end) {
    tessera::Wait told;
    told.who = tessera::Wait::Who::front_end;
    told.thread = static_cast<int>(t);
    told.kind = name(Wait::Kind::delayed);
    told.reason = describe({Wait::Kind::delayed}, t);
    told.begin = begin;
    told.end = end;
    options_.on_wait(told);
}

void Engine::tell_unit_wait(const Record& record, const UnitWait& wait, Cycle begin, Cycle end, const Touch& ended_by,
                            bool over) {
    if (end <= begin) return;
    tessera::Wait told;
    told.who = tessera::Wait::Who::unit;
    told.thread = record.plan().thread;
    told.unit = plan::name(plan::Pipe(queue_of(record.plan().pipes)));
    told.kind = name(wait.kind);
    told.reason = wait.reason;
    told.begin = begin;
    told.end = end;
    told.over = over;
    told.number = record.number;
    told.index = op_number(record.index);
    told.position = record.position;
    told.word = record.plan().instruction.word;
    if (over) told.ended_by = doer(ended_by);
    options_.on_wait(told);
}

Wait Engine::bank_wait(const plan::Plan& plan) const {
    for (const auto& need : plan.banks)
        if (!bank_ready(need))
            return {Wait::Kind::bank, static_cast<std::uint8_t>(need.src), need.bank,
                    static_cast<std::uint16_t>(need.owner)};
    return {};
}

Engine::UnitWait Engine::held_wait() const {
    const plan::Plan& plan = records_[held_->record].plan();
    UnitWait wait{Wait::Kind::condition, held().waits_for};
    if (bank_wait(plan).kind != Wait::Kind::none)
        wait.kind = Wait::Kind::bank;
    else if (!plan::missing(plan, state_).empty())
        wait.kind = Wait::Kind::memory;
    return wait;
}

// What it has waited for in front of its unit is told; it is the one that others wait for from now on.
void Engine::tell_started(const Record& record, Cycle now) {
    tell_queued(record, now, true);
    const Touch by = touch_of(record, now);
    for (unsigned p = 0; p < plan::pipes; ++p)
        if (record.plan().pipes >> p & 1) queues_[p].last = by;
    record.plan().dst_writes.for_each([&](unsigned block) { dst_writer_[block] = by; });
}

void Engine::tell_queued(const Record& record, Cycle now, bool over) {
    if (now <= record.ready) return;
    const unsigned p = queue_of(record.plan().pipes);
    const Wait busy{Wait::Kind::unit_busy, static_cast<std::uint8_t>(p)};
    const bool blocked = record.blocked_since != never;
    const Cycle free = blocked ? record.blocked_since : now;
    tell_unit_wait(record, {busy.kind, describe(busy, 0)}, record.ready, free, queues_[p].last, over || blocked);
    if (blocked)
        tell_unit_wait(record, {record.blocked_by.kind, describe(record.blocked_by, 0)}, free, now,
                       queues_[p].bank_passed_by, over);
}

void Engine::tell_waiting_in_units() {
    if (held_) {
        const Record& record = records_[held_->record];
        tell_unit_wait(record, held_wait_, record.blocked_since, now_, {}, false);
    }
    for (const Queue& queue : queues_)
        for (const std::uint32_t id : queue.waiting) tell_queued(records_[id], now_, false);
}

}  // namespace engine

}  // namespace tessera
