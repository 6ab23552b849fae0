// SPDX-License-Identifier: Apache-2.0
#include "engine/observe/waits.hpp"

#include "engine/observe/wait_text.hpp"

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

tessera::Initiator Waits::doer(const Cause& cause) const {
    tessera::Initiator doer;
    if (cause.thread < 0 && !cause.by_core) return doer;
    doer.number = cause.number;
    doer.thread = cause.thread;
    if (cause.thread >= 0) doer.index = places_.op_number(cause.index);
    places_.report_core(cause.index, doer.core, doer.pc);
    return doer;
}

std::string Waits::describe(const Wait& wait, unsigned actor) const {
    if (wait.kind == Wait::Kind::tile) return cores_ ? cores_->describe(wait, core_of(actor)) : std::string();
    return wait_text(wait, actor % state::threads, state_, work_.activity());
}

std::string Waits::reason(const Wait& wait, unsigned actor) const {
    if (wait.kind != Wait::Kind::latched) return describe(wait, actor);
    return frontend::describe({frontend::LatchedWait::For(wait.a), wait.c});
}

void Waits::begins(unsigned i) {
    Waiting& waiting = waiting_[i];
    waiting = {};
    if (is_front_end(i)) {
        const frontend::Expanders& front = fronts_[i - state::threads];
        const frontend::GateWord& at = front.gate();
        if (front.gated()) waiting = {at.index, at.position, at.instruction.word};
    } else if (cores_) {
        waiting.pc = state_.riscv[core_of(i)].pc;
    } else if (const Op* next = next_op(program_, next_ops_, i)) {
        waiting.index = static_cast<std::int64_t>(next_ops_[i]);
        if (next->kind == Op::Kind::ins) waiting.word = next->value;
    }
}

void Waits::waited(unsigned i, Cycle end, bool over) {
    const Actor& actor = scheduler_.actor(i);
    const Waiting& waiting = waiting_[i];
    tessera::Wait reported;
    reported.who = is_front_end(i) ? tessera::Wait::Who::front_end : tessera::Wait::Who::core;
    reported.thread = i < core_b ? static_cast<int>(i % state::threads) : -1;
    if (cores_ && !is_front_end(i)) {
        reported.core = static_cast<int>(core_of(i));
        reported.pc = waiting.pc;
    }
    reported.kind = name(actor.wait.kind);
    reported.reason = reason(actor.wait, i);
    reported.begin = actor.since;
    reported.end = end;
    reported.over = over;
    reported.index = places_.op_number(waiting.index);
    reported.position = waiting.position;
    reported.word = waiting.word;
    if (over) reported.ended_by = doer(actor.ended_by);
    options_.on_wait(reported);
}

void Waits::delayed(unsigned t, Cycle begin, Cycle end) {
    tessera::Wait reported;
    reported.who = tessera::Wait::Who::front_end;
    reported.thread = static_cast<int>(t);
    reported.kind = name(Wait::Kind::delayed);
    reported.reason = describe({Wait::Kind::delayed}, t);
    reported.begin = begin;
    reported.end = end;
    options_.on_wait(reported);
}

void Waits::unit_waited(const Record& record, const UnitWait& wait, Cycle begin, Cycle end, const Cause& ended_by,
                        bool over) {
    if (end <= begin) return;
    tessera::Wait reported;
    reported.who = tessera::Wait::Who::unit;
    reported.thread = record.plan().thread;
    reported.unit = plan::name(plan::Pipe(record.pipe()));
    reported.kind = name(wait.kind);
    reported.reason = wait.reason;
    reported.begin = begin;
    reported.end = end;
    reported.over = over;
    reported.number = record.number;
    reported.index = places_.op_number(record.origin.index);
    reported.position = record.origin.position;
    reported.word = record.plan().instruction.word;
    if (over) reported.ended_by = doer(ended_by);
    options_.on_wait(reported);
}

void Waits::started(const Record& record, Cycle now) {
    queued(record, now, true);
    const Cause by = record.cause(now);
    const plan::Plan& plan = record.plan();
    if (const int mutex = plan::mutex_of(plan); mutex >= 0)
        mutex_taker_[static_cast<unsigned>(mutex)] = by;
    else if (plan.cost.occupancy)  // a scheduled instruction keeps no other one out
        plan::for_each_pipe(plan.pipes, [&](unsigned p) { pipe_taker_[p] = by; });
    plan.dst_writes.for_each([&](unsigned block) { dst_writer_[block] = by; });
}

const Cause& Waits::taker_before(const plan::Plan& plan) const {
    const int mutex = plan::mutex_of(plan);
    return mutex >= 0 ? mutex_taker_[static_cast<unsigned>(mutex)] : pipe_taker_[Pipes::first_of(plan.pipes)];
}

void Waits::queued(const Record& record, Cycle now, bool over) {
    if (now <= record.ready) return;
    const unsigned p = record.pipe();
    const Wait busy{Wait::Kind::unit_busy, static_cast<std::uint8_t>(p)};
    const bool blocked = record.blocked_since != never;
    const Cycle free = blocked ? record.blocked_since : now;
    unit_waited(record, {busy.kind, describe(busy, 0)}, record.ready, free, pipe_taker_[p], over || blocked);
    if (blocked)
        unit_waited(record, {record.blocked_by.kind, describe(record.blocked_by, 0)}, free, now, bank_passed_by_[p],
                    over);
}

}  // namespace engine

}  // namespace tessera
