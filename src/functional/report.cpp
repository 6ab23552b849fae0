// SPDX-License-Identifier: Apache-2.0
// Reports of the machine: findings, ends, blocked parties.
#include <fmt/format.h>

#include <bit>

#include "engine/observe/wait_text.hpp"
#include "engine/stuck.hpp"
#include "frontend/mop_expander.hpp"
#include "frontend/replay_expander.hpp"
#include "frontend/status_kinds.hpp"
#include "functional/machine.hpp"
#include "tessera/assembly.hpp"

namespace tessera::functional {

using engine::Wait;
using state::ReplayMode;

void Machine::stop(const findings::Note& note, Where where) {
    if (stopped_) return;
    stopped_ = true;
    stuck_ = engine::is_stuck(note.id);
    where.cycle = no_cycle;
    Fault fault;
    findings::describe(note, fault);
    fault.where = std::move(where);
    run_.fault = std::move(fault);
}

Where Machine::where(unsigned t) const {
    const Thread& thread = threads_[t];
    return places_.where(t, thread.front.gate().index, thread.front.gate().instruction.word, no_cycle,
                         thread.front.gate().position);
}

void Machine::note(const findings::Note& what, unsigned thread, std::uint32_t word, std::int64_t index,
                   std::int64_t position) {
    const auto where = [&] { return places_.where(thread, index, word, no_cycle, position); };
    const auto shown = [&](std::string_view name, std::uint32_t value) {
        return findings::is_op(name) ? places_.op_value_text(thread, value) : std::string();
    };
    if (log_.add(what, {thread, word}, where, shown)) stopped_ = true;
}

void Machine::report(const findings::Note& what, unsigned thread, std::uint32_t word, const Origin& origin) {
    note(what, thread, word, origin.index, origin.position);
}

void Machine::fail(const findings::Note& what, unsigned thread, std::uint32_t word, const Origin& origin) {
    stop(what, places_.where(thread, origin.index, word, no_cycle, origin.position));
}

void Machine::found(const findings::Note& what, unsigned thread, const frontend::WordOrigin& origin) {
    note(what, thread, origin.word, origin.index, origin.position);
}

void Machine::failed(const findings::Note& what, unsigned thread, const frontend::WordOrigin& origin) {
    stop(what, places_.where(thread, origin.index, origin.word, no_cycle, origin.position));
}

std::uint32_t Machine::queued(unsigned t) const {
    const Thread& thread = threads_[t];
    std::uint32_t kinds = 0;
    for (const auto& entry : thread.front.fifo)
        if (entry.mop_register < 0) kinds |= frontend::status_kinds(isa::decode(entry.word, state_.arch().arch));
    if (frontend::mop_active(state_, t)) kinds |= frontend::mop_kind;
    if (thread.front.gated()) kinds |= frontend::status_kinds(thread.front.gate().instruction);
    return kinds;
}

std::uint32_t Machine::busy(unsigned t) const {
    std::uint32_t kinds = queued(t);
    for (unsigned p = 0; p < plan::pipes; ++p)
        if (activity_.in_pipe[p][t]) kinds |= frontend::status_kinds(plan::Pipe(p));
    return kinds;
}

std::string Machine::wait_text(const Wait& wait, unsigned thread) const {
    const std::string text = engine::wait_text(wait, thread, state_, activity_);
    return text.empty() ? "nothing" : text;
}

void Machine::report_holder(const Wait& wait, unsigned thread, Blocked& blocked) const {
    blocked.holder = engine::holder(wait, thread, state_, held_ ? &held_->resolved->plan : nullptr);
    blocked.last_touched = engine::last_cause(last_causes_, wait, thread, state_, places_);
}

Blocked Machine::blocked_thread(unsigned t) const {
    const Thread& thread = threads_[t];
    Blocked b;
    b.since = no_cycle;
    b.who = fmt::format("T{} front end", t);
    b.finished = thread.front.fifo.empty() && !thread.front.gated() && !frontend::mop_active(state_, t) &&
                 frontend::replay_mode(state_, t) != ReplayMode::play;
    if (b.finished) return b;
    b.waits_for = wait_text(thread.wait, t);
    if (thread.wait.kind == Wait::Kind::latched)
        b.waits_for += engine::latched_by(t, thread.latched_word, thread.latched_index, state_.arch().arch, places_);
    report_holder(thread.wait, t, b);
    if (!thread.front.gated()) return b;
    b.instruction = disassemble_named(thread.front.gate().instruction.word, state_.arch().arch);
    if (thread.front.gate().position >= 0)
        b.instruction += fmt::format(" (instruction {} of an expansion)", thread.front.gate().position);
    b.place = places_.place_of(t, thread.front.gate().index);
    return b;
}

void Machine::list_blocked_units(std::vector<Blocked>& list) const {
    const auto describe = [&](const Waiting& waiting, unsigned pipe, bool first) {
        const plan::Plan& plan = waiting.resolved->plan;
        Blocked b;
        b.since = no_cycle;
        b.who = std::string(name(plan::Pipe(pipe)));
        b.instruction = disassemble_named(plan.instruction.word, state_.arch().arch);
        b.place = places_.place_of(plan.thread, waiting.index);
        b.waits_for = first ? plan::missing(plan, state_) : "the instruction before it";
        if (b.waits_for.empty()) b.waits_for = frontend::unmet(state_, activity_, plan.thread, plan.conditions);
        for (const auto& need : plan.banks) {
            if (!first || bank_ready(need)) continue;
            b.waits_for = engine::bank_text(need);
            b.holder = "matrix unit";
            b.last_touched =
                engine::cause_text(last_causes_.banks[static_cast<unsigned>(need.src) * 2 + need.bank], places_);
        }
        if (b.waits_for.empty()) b.waits_for = "nothing";
        return b;
    };
    if (held_) {
        const plan::Plan& plan = held_->resolved->plan;
        list.push_back(describe(*held_, static_cast<unsigned>(std::countr_zero(plan.pipes)), true));
        list.back().who += fmt::format(" (T{})", plan.thread);
    }
    for (unsigned p = 0; p < plan::pipes; ++p)
        for (const Waiting& waiting : queues_[p]) list.push_back(describe(waiting, p, &waiting == &queues_[p].front()));
}

Run Machine::finish() {
    using namespace state::cells;
    if (!stopped_) schedule_.report_unfinished();
    for (unsigned t = 0; t < state::threads; ++t) {
        const Thread& thread = threads_[t];
        const ReplayMode mode = frontend::replay_mode(state_, t);
        if (!run_.fault && (mode == ReplayMode::record || mode == ReplayMode::record_and_execute))
            note({findings::id("frontend.recording-open"), {frontend::replay_left(state_, t)}}, t,
                 thread.front.recording().word, thread.front.recording().index, -1);
        unsigned count = 0;
        for (const auto& entry : thread.front.fifo)
            if (entry.mop_register < 0 && count < fifo_words)
                state_.write(fifo_block[t * fifo_words + count++], entry.word);
        state_.write(fifo_count_block[t], count);
        state_.write(scalar_outstanding_block[t], activity_.scalar_requests[t]);
        for (unsigned i = count; i < fifo_words; ++i) state_.write(fifo_block[t * fifo_words + i], 0);
        run_.instructions[t] = thread.issued;
    }
    constexpr unsigned first_queue = static_cast<unsigned>(plan::Pipe::scalar);
    for (unsigned p = first_queue; p < plan::pipes; ++p)
        for (unsigned i = 0; i < queue_words; ++i)
            state_.write(queue_block[(p - first_queue) * queue_words + i],
                         i < queues_[p].size() ? queues_[p][i].resolved->plan.instruction.word : 0);
    run_.has_clock = false;
    run_.findings = log_.take();
    return std::move(run_);
}

}  // namespace tessera::functional
