// SPDX-License-Identifier: Apache-2.0
#include "engine/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "engine/last_causes.hpp"
#include "engine/observe/events.hpp"
#include "engine/observe/wait_text.hpp"
#include "hazards/order.hpp"
#include "tessera/assembly.hpp"
#include "units/resolve.hpp"
#include "units/state_view.hpp"

namespace tessera::engine {

namespace {

// Some waits have the same reason in words.
void add_wait(std::vector<WaitUse>& waits, int thread, std::string reason, Cycle cycles) {
    const auto known = std::find_if(waits.begin(), waits.end(), [&](const WaitUse& each) {
        return each.thread == thread && each.reason == reason;
    });
    if (known == waits.end())
        waits.push_back({thread, std::move(reason), cycles});
    else
        known->cycles += cycles;
}

}  // namespace

// A waiting core, or one that has not finished.
void Report::describe_core(unsigned i, Blocked& b) const {
    if (cores_) {
        const auto polled = cores_->describe(core_of(i), scheduler_.is_repeating(i), b);
        if (!polled.empty()) b.last_touched = last_changes(polled);
        return;
    }
    const Op* const op = next_op(program_, next_ops_, i);
    if (!op) return;
    if (op->kind == Op::Kind::ins) b.instruction = disassemble_named(op->value, state_.arch().arch);
    b.place = program_->place(i, next_ops_[i]);
}

// Of a word of L1: a core's store, unless something else may have written there later.
std::string Report::last_change(const Cores::Polled& polled) const {
    if (polled.place != Cores::Polled::Place::l1) return last_cause(effects_.last_causes(), polled, state_, places_);
    const auto store = order_.last_store(polled.at);
    return store ? places_.core_access_text(store->core, store->pc, "the store at ") : std::string();
}

std::string Report::last_changes(std::span<const Cores::Polled> polled) const {
    if (polled.size() == 1) return last_change(polled[0]);
    std::vector<std::string> known;
    for (const auto& one : polled)
        if (const std::string text = last_change(one); !text.empty())
            known.push_back(fmt::format("{} ({})", text, one.name));
    return fmt::format("{}", fmt::join(known, "; and by "));
}

RestOfProgram Report::rest_of_program() const {
    const auto front = [&](unsigned t) -> const frontend::Expanders& { return fronts_[t]; };
    return {*program_, next_ops_, front};
}

Blocked Report::blocked(unsigned i) const {
    const unsigned t = i % state::threads;
    const bool core = !is_front_end(i);
    const Actor& actor = scheduler_.actor(i);
    Blocked b;
    b.who = core && cores_ ? std::string(name(RiscvCore(core_of(i))))
                           : fmt::format("T{} {}", t, core ? "core" : "front end");
    const bool idle = !core && fronts_[t].is_empty(state_) && (cores_ || scheduler_.actor(t).finished);
    b.finished = actor.finished || idle;
    if (b.finished) {
        if (core && cores_) describe_core(i, b);
        if (!core) name_recording(b, fronts_[t], t, state_, places_);
        return b;
    }
    b.waits_for = waits_.describe(actor.wait, i);
    if (actor.wait.kind == Wait::Kind::latched)
        b.waits_for += latched_by(t, gates_.latched(t), state_.arch().arch, places_);
    b.holder = holder(actor.wait, t, state_, held_.plan());
    if (program_ && b.holder.empty()) b.holder = rest_of_program().holder_of_semaphore(actor.wait, t, state_, places_);
    b.last_touched = last_cause(effects_.last_causes(), actor.wait, t, state_, places_);
    if (core) describe_core(i, b);
    // Of a core that is not held, only its next turn is known.
    b.since = core && actor.wait.kind == Wait::Kind::none ? no_cycle : actor.since;
    if (!core) name_instruction(b, fronts_[t], t, state_.arch().arch, places_);
    if (!core && b.waits_for.empty()) b.waits_for = endless_wait_text(outcome_.run().fault, t);
    if (b.waits_for.empty()) b.waits_for = Blocked::nothing;
    return b;
}

Blocked Report::queued(unsigned pipe, std::uint32_t id) const {
    const Record& record = records_[id];
    const plan::Plan& plan = record.plan();
    Blocked b = blocked_in_unit(plan, pipe, record.origin.index, state_.arch().arch, places_);
    b.since = record.ready;
    b.waits_for = "the instruction before it";
    if (record.ready > scheduler_.now()) {
        b.since = record.issue;
        b.waits_for = waits_.describe({Wait::Kind::address_phase}, plan.thread);
        return b;
    }
    if (id != execution_.queue(pipe).front()) return b;
    if (record.blocked_since == never) {
        b.waits_for = waits_.describe({Wait::Kind::unit_busy, static_cast<std::uint8_t>(pipe)}, plan.thread);
        return b;
    }
    b.since = record.blocked_since;
    b.waits_for = waits_.describe(record.blocked_by, plan.thread);
    for (const auto& need : plan.banks)
        if (!banks_.ready(need)) name_bank(b, need, effects_.last_causes(), places_);
    return b;
}

// One without a unit is nowhere.
std::vector<std::uint32_t> Report::in_units() const {
    std::vector<std::uint32_t> list;
    for (std::uint32_t id = 0; id < records_.size(); ++id) {
        const Record& record = records_[id];
        if (!record.used || !record.plan().pipes) continue;
        const auto& queue = execution_.queue(record.pipe());
        if (std::find(queue.begin(), queue.end(), id) == queue.end()) list.push_back(id);
    }
    std::sort(list.begin(), list.end(),
              [&](std::uint32_t a, std::uint32_t b) { return records_[a].number < records_[b].number; });
    return list;
}

Blocked Report::at_work(const Record& record) const {
    Blocked b = blocked_in_unit(record.plan(), record.pipe(), record.origin.index, state_.arch().arch, places_);
    b.since = std::min(record.times.start, scheduler_.now());
    if (record.by_core) b.instruction = "mover command";
    b.instruction += fmt::format(", until cycle {}", record.times.end);
    b.waits_for = Blocked::nothing;
    return b;
}

std::vector<Blocked> Report::blocked() const {
    std::vector<Blocked> list;
    for (unsigned i = 0; i < (cores_ ? actors : core_b); ++i) list.push_back(blocked(i));
    if (cores_)
        if (auto waits = cores_->describe_host()) list.push_back(std::move(*waits));
    if (held_.holds()) list.push_back(held_.describe(effects_.last_causes()));
    for (const std::uint32_t id : in_units())
        if (!held_.holds(id) && !records_[id].ends_quietly()) list.push_back(at_work(records_[id]));
    for (unsigned p = 0; p < plan::pipes; ++p)
        for (const std::uint32_t id : execution_.queue(p)) list.push_back(queued(p, id));
    return list;
}

Where Report::where(const Agent& agent) const {
    Where w = diagnostics_.where(agent);
    if (agent.thread == no_thread) w.thread = -1;
    if (!agent.store) return w;
    const bool by_core = agent.thread != no_thread || agent.index >= 0;
    w.instruction = by_core ? "store" : agent.by_packet ? "packet over the NoC" : "store of the host";
    return w;
}

void Report::report_waiting_in_units() const {
    held_.report_unfinished();
    for (unsigned p = 0; p < plan::pipes; ++p)
        for (const std::uint32_t id : execution_.queue(p)) waits_.queued(records_[id], scheduler_.now(), false);
}

// The units that the instruction at the thread's gate would take now.
plan::PipeMask Report::units_at_gate(unsigned t) const {
    plan::Plan plan;
    units::resolve(units::StateView(fronts_[t].gate().instruction, t, state_, costs_, nullptr), plan);
    return plan.pipes;
}

void Report::list_unfinished(Run& run) const {
    for (const std::uint32_t id : in_units())
        run.at_work.push_back(event_of(records_[id], run.cycles, places_, costs_));
    for (unsigned p = 0; p < plan::pipes; ++p)
        for (const std::uint32_t id : execution_.queue(p))
            run.in_front.push_back(event_in_queue(records_[id], run.cycles, places_));
    for (unsigned t = 0; t < state::threads; ++t) {
        if (!fronts_[t].gated()) continue;
        if (const plan::PipeMask pipes = units_at_gate(t))
            run.in_front.push_back(event_at_gate(t, fronts_[t].gate(), pipes, run.cycles, places_));
    }
}

Run Report::run(bool tell_waits) {
    Run& run = outcome_.run();
    const Cycle now = scheduler_.now();
    const Tally tally = front_ends_.tally(now);
    run.cycles = std::max(scheduler_.last_event(), now);
    for (unsigned t = 0; t < state::threads; ++t) run.instructions[t] = front_ends_.issued(t);
    for (unsigned p = 0; p < plan::pipes; ++p)
        if (const std::uint64_t count = pipes_.instructions(p))
            run.units.push_back({std::string(name(plan::Pipe(p))), count, work_.load(p).busy_at(now)});
    if (const WindowCount& window = front_ends_.window(); window.any())
        run.window = window.window(options_.window,
                                   [&](const Wait& wait, unsigned thread) { return waits_.reason(wait, thread); });
    run.overlapped = work_.overlapped(now);
    for (unsigned i = 0; i < actors; ++i) scheduler_.account_open_wait(i, std::max(now, scheduler_.actor(i).since), tell_waits);
    if (tell_waits && options_.on_wait) report_waiting_in_units();
    if (options_.on_event) list_unfinished(run);
    for (unsigned t = 0; t < state::threads; ++t)
        for (const auto& [wait, cycles] : tally.waited[t])
            if (cycles) add_wait(run.waits, static_cast<int>(t), waits_.reason(wait, t), cycles);
    std::sort(run.waits.begin(), run.waits.end(), [](const WaitUse& a, const WaitUse& b) {
        return std::tie(b.cycles, a.thread, a.reason) < std::tie(a.cycles, b.thread, b.reason);
    });
    run.findings = outcome_.log().take();  // behind all calls of the user's functions, which may throw
    // An actor that is ahead of others tells its findings before theirs. B and NC are the last of a cycle.
    const auto place = [](const Finding& one) {
        const bool is_last =
            one.where.thread < 0 && (one.where.core == name(RiscvCore::b) || one.where.core == name(RiscvCore::nc));
        return std::pair(one.where.cycle, is_last);
    };
    std::stable_sort(run.findings.begin(), run.findings.end(),
                     [&](const Finding& a, const Finding& b) { return place(a) < place(b); });
    return std::move(run);
}

}  // namespace tessera::engine
