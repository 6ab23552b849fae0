// SPDX-License-Identifier: Apache-2.0
#include "functional/machine.hpp"

#include <algorithm>
#include <limits>

#include "engine/actors.hpp"
#include "engine/pipes/banks.hpp"
#include "engine/stuck.hpp"
#include "findings/about_data.hpp"
#include "frontend/visible.hpp"
#include "units/sync/semaphore_limits.hpp"

namespace tessera::functional {

using engine::Signal;
using engine::Signals;
using engine::Wait;
using state::LatchKind;
using units::Resolved;

namespace {

constexpr std::uint64_t looks_every = 4096, no_limit = std::numeric_limits<std::uint64_t>::max();

// Whether the wait may be over, once the signals were raised. A push and the end of a latched wait make the thread go on themselves.
bool may_end(const Wait& wait, Signals signals) {
    switch (wait.kind) {
        case Wait::Kind::fifo_empty:
        case Wait::Kind::latched: return false;
        case Wait::Kind::bank: return static_cast<bool>(signals & Signal::bank);
        default: return true;
    }
}

// STALLWAIT conditions that only instructions can meet. All others hold once no instruction waits in a unit.
constexpr state::ConditionMask of_banks = [] {
    state::ConditionMask all = 0;
    for (const frontend::BankCondition& each : frontend::bank_conditions) all |= state::bit(each.condition);
    return all;
}();

}  // namespace

Machine::Machine(state::State& state, units::Slots& slots, const RunOptions& options, const diagnostics::Places& places)
    : state_(state),
      slots_(slots),
      options_(options),
      places_(places),
      costs_(units::costs(state.arch().arch, Timing::functional)),
      units_(state, costs_),
      auto_sync_(state),
      effects_(state),
      schedule_(state, slots, costs_, units_.activity().in_pipe[static_cast<unsigned>(plan::Pipe::vector)], *this),
      traces_(state, slots, costs_),
      outcome_(options),
      blocked_(state, places, threads_, units_, effects_, outcome_),
      most_cycles_(places.of_kernels() ? options.max_cycles : no_limit),
      left_(places.of_kernels() ? no_limit : options.max_cycles) {
    if (places.of_kernels()) outcome_.log().tell_places();
    for (unsigned t = 0; t < state::threads; ++t) {
        state_.write(state::cells::latch(t, state::Latch::kind), static_cast<std::uint32_t>(LatchKind::none));
        threads_[t].front = {
            t, {.behind_mop = costs_.thread.replay_fifo_words, .behind_replay = costs_.thread.gate_fifo_words}};
        threads_[t].front.begin_run(state_);
    }
}

void Machine::look_up(std::uint64_t cycles) {
    cycles_ = std::max({cycles_, cycles, steps_});
    const std::uint64_t left = most_cycles_ - std::min(most_cycles_, cycles_);
    next_look_ = steps_ + std::min(looks_every - 1, left) + 1;
    if (!outcome_.poll(no_cycle) && cycles_ > most_cycles_) reach_limit("cycles");
}

void Machine::reach_limit(std::string_view of) {
    stop(engine::limit_reached(options_.max_cycles, of), {});
}

// --- RISC-V cores

bool Machine::push(unsigned t, std::span<const std::uint32_t> words, std::int64_t index, std::int64_t step,
                   bool expanded) {
    Thread& thread = threads_[t];
    if (!has_room(t, words.size(), expanded)) {
        go_on(t);
        if (!has_room(t, words.size(), expanded)) return false;
    }
    for (const std::uint32_t word : words) {
        if (!expanded) auto_sync_.push(t, word, index, [&] { return is_idle(t); });
        thread.front.fifo.push_back({word, -1, expanded, {}, index});
        index += step;
    }
    thread.runnable = true;
    return true;
}

void Machine::store_mop(unsigned t, unsigned item, std::uint32_t value, std::int64_t index) {
    Thread& thread = threads_[t];
    thread.front.fifo.push_store({value, static_cast<std::int16_t>(item), false, {}, index});
    thread.runnable = true;
}

void Machine::discard(unsigned t) {
    auto_sync_.discard_behind(t, threads_[t].front.discard(state_, *this));
    effects_.raise(Signal::popped | Signal::issued);
    report_changes();
}

void Machine::store(state::Cell cell, plan::CellOp op, std::uint32_t value, std::optional<unsigned> thread,
                    std::int64_t index) {
    if (const auto note = units::sync::store_at_limit(state_, cell, op))
        found_in_store(*note, thread.value_or(engine::no_thread), cell, index);
    effects_.store(cell, op, value, {true, thread ? static_cast<int>(*thread) : -1, index, no_cycle});
    report_changes();
}

void Machine::execute_command(const plan::Plan& plan) {
    if (plan.pipes)
        execute(*units::PlanRef::of(plan), {});
    else
        effects_.write(plan, plan::When::start, {});
    effects_.raise(Signal::unit);
    report_changes();
}

bool Machine::in_order(unsigned t, state::Resources resources, bool store) {
    if (!resources) return true;
    return auto_sync_.may_access(t, resources, store, threads_[t].front.oldest(state_), units_.activity());
}

bool Machine::is_idle(unsigned t) const {
    const Thread& thread = threads_[t];
    return thread.front.is_empty(state_) && units_.is_idle(t);
}

bool Machine::all_idle() const { return is_idle(0) && is_idle(1) && is_idle(2); }

bool Machine::mops_expanded(unsigned t) const { return frontend::mops_expanded(threads_[t].front, t, state_); }

// --- progress

bool Machine::settle() {
    const std::uint64_t before = steps_;
    for (bool more = true; more && !stopped();) {
        more = false;
        for (unsigned t = 0; t < state::threads && !stopped(); ++t) {
            try_held();
            if (!threads_[t].runnable) continue;
            go_on(t);
            more = true;
        }
        if (!more && !stopped()) more = pass_time();
    }
    if (steps_ == before) return false;
    ++changes;
    raised = raised | Signal::unit | Signal::popped | Signal::issued | Signal::latch | Signal::pushed | Signal::store;
    return true;
}

// Executes scheduled instructions when no thread can progress. Returns true if any executed.
bool Machine::pass_time() {
    if (!schedule_.waits_for_time()) return false;
    schedule_.pass_time();
    step();
    effects_.raise(Signal::unit);
    report_changes();
    return true;
}

void Machine::go_on(unsigned t) {
    Thread& thread = threads_[t];
    thread.runnable = true;
    thread.wait = {};
    yields_ = false;
    while (!stopped() && !yields_ && (thread.front.gated() || fetch(t)) && pass_gate(t)) follow(t);
    traces_.stop();
    thread.runnable = yields_ && !stopped();
}

// Executes the trace that is known to follow the instruction that passed the gate, unless limits are due.
void Machine::follow(unsigned t) {
    const units::PlanRef* const plain = std::exchange(plain_, nullptr);
    if (!plain || stopped() || !left_ || next_look_ <= steps_ + 1) return traces_.stop();
    Thread& thread = threads_[t];
    const std::uint64_t most = std::min(left_, next_look_ - steps_ - 1);
    const std::size_t steps = traces_.follow(t, thread.front, *plain, most, *this, *this);
    thread.issued += steps;
    left_ -= steps;
    steps_ += steps;
}

inline bool Machine::wait_for(unsigned t, const Wait& wait) {
    threads_[t].wait = wait;
    return false;
}

bool Machine::fetch(unsigned t) {
    using Kind = frontend::Expanders::Filled::Kind;
    const Kind filled = threads_[t].front.fill(state_, frontend::Expanders::end_of_time, *this).kind;
    if (filled == Kind::empty) return wait_for(t, {Wait::Kind::fifo_empty});
    return filled == Kind::word && !stopped();
}

// Call when the instruction at the gate was issued.
void Machine::leave(unsigned t) {
    Thread& thread = threads_[t];
    ++thread.issued;
    --left_;
    step();
    thread.front.leave(state_, 0, *this);
}

// --- the wait gate

bool Machine::try_pass_latch(unsigned t) {
    if (!frontend::has_latch(state_, t) || !frontend::blocks(state_, t, threads_[t].front.gate().instruction))
        return true;
    pass_time();
    check_latch(t);
    return !frontend::has_latch(state_, t);
}

bool Machine::pass_gate(unsigned t) {
    Thread& thread = threads_[t];
    const isa::Instruction& instruction = thread.front.gate().instruction;
    const bool stays_in_front = frontend::stays_in_front(instruction);
    if (stays_in_front && instruction.is(isa::mnemonic("RESOURCEDECL"))) {
        if (!may_issue()) return false;
        // If the thread's core pushed the word itself, the word has been counted since the push.
        if (!thread.front.gate_is_from_own_core()) auto_sync_.declare(t, instruction);
        leave(t);
        return true;
    }
    if (!try_pass_latch(t)) {
        const auto latched = frontend::latched_wait(state_, t);
        return wait_for(t, {Wait::Kind::latched, static_cast<std::uint8_t>(latched.what), 0, latched.mask});
    }
    if (units_.holds_one_of(t)) return wait_for(t, {Wait::Kind::own_scalar});
    if (stays_in_front) {
        stop({findings::id("frontend.nested"), {}, instruction.spec->name}, where(t));
        return false;
    }

    const bool again = std::exchange(thread.front.gate().resolved, true);
    const units::PlanRef* resolved = &slots_.plans.resolve_only(instruction, t, state_, costs_, slots_, again);
    if (schedule_.busy() && !(*resolved)->plan.fault) {
        schedule_.come_to((*resolved)->plan);
        if (stopped()) return false;
        if (!schedule_.busy()) check_latches();
        resolved = &slots_.plans.resolve_only(instruction, t, state_, costs_, slots_);
    }
    const plan::Plan& plan = (*resolved)->plan;
    if (plan.fault) {
        stop(*plan.fault, where(t));
        return false;
    }
    if ((!(*resolved)->quiet || !plan.banks.empty()) && !admit_or_wait(t, plan)) return false;
    if (!again && gives_back_unheld(**resolved) && unpackers_go_on(t)) {
        yields_ = true;
        return false;
    }
    if (!may_issue()) return false;
    issue(t, *resolved);
    return true;
}

// All conditions for an instruction to enter the backend, as in engine/threads/interlocks.hpp.
bool Machine::admit_or_wait(unsigned t, const plan::Plan& plan) {
    if (!frontend::can_have_mutex(state_, plan)) return wait_for(t, {Wait::Kind::mutex, static_cast<std::uint8_t>(plan.mutex)});
    const bool has_queue = units_.has_queue(plan);
    for (const auto& need : plan.banks) {
        if (!frontend::is_needed_at_gate(need, plan, has_queue) || units_.bank_ready(need)) continue;
        return wait_for(t, engine::Banks::wait(need));
    }
    if (has_queue && units_.is_full(plan)) return wait_for(t, {Wait::Kind::queue_full, Units::pipe_of(plan)});
    const Units::Waiting* const held = units_.held();
    if (held && plan.pipes & held->plan().pipes) return wait_for(t, {Wait::Kind::unit_busy, Units::pipe_of(plan)});
    return true;
}

// In time, unpackers for which another thread has waited until now would have handed the bank over.
bool Machine::gives_back_unheld(const Resolved& resolved) const {
    if (!resolved.has(plan::When::end)) return false;  // as nearly all
    constexpr auto unpackers = static_cast<std::uint32_t>(state::Owner::unpackers);
    return std::ranges::any_of(resolved.plan.effects, [&](const auto& effect) {
        return effect.when == plan::When::end && state::cells::bank_owner_block.contains(effect.cell) &&
               effect.value == unpackers && state_[effect.cell] == unpackers;
    });
}

bool Machine::unpackers_go_on(unsigned t) const {
    for (unsigned other = 0; other < state::threads; ++other) {
        const Thread& thread = threads_[other];
        const bool waited = thread.wait.kind == Wait::Kind::queue_full || thread.wait.kind == Wait::Kind::bank;
        if (other != t && thread.runnable && waited) return true;
    }
    return false;
}

// A finding counts unless it only says that another thread has not come so far, or is about data that may never be read.
bool Machine::counts(findings::Id id, const Resolved& resolved) {
    if (id == findings::id("matrix.bank-not-held")) return false;
    return !findings::is_about_data(id) || !resolved.brings_only();
}

void Machine::issue(unsigned t, const units::PlanRef& resolved) {
    const plan::Plan& plan = resolved->plan;
    const Origin origin{threads_[t].front.gate().index, threads_[t].front.gate().position};
    for (const auto& finding : plan.findings)
        if (counts(finding.id, *resolved)) found(finding, t, {origin.index, origin.position, plan.instruction.word});
    if (stopped()) return;
    if (schedule_.busy() && plan.pipes & bit(plan::Pipe::vector)) {
        const bool issued = schedule_.issue_vector(plan, origin);
        if (!schedule_.busy()) check_latches();
        if (!issued) return leave(t);
    }
    leave(t);
    if (resolved->quiet) return issue_quiet(t, resolved, origin);
    if (plan.latches_wait && frontend::has_latch(state_, t) &&
        !frontend::conditions_met(state_, units_.activity(), t))
        found({findings::id("sync.wait-replaced"), {static_cast<std::uint32_t>(threads_[t].latched.index)}}, t,
              {origin.index, origin.position, plan.instruction.word});
    if (resolved->has(plan::When::issue)) write_effects(*resolved, plan::When::issue, origin);
    start_or_wait(resolved, origin);
    if (effects_.has_signals()) report_changes();
    if (plan.latches_wait) latch(t, plan, origin);
}

// It has no effects at its end, and nothing waits for it, or in front of its unit: only unpackers' queues are ever used.
void Machine::issue_quiet(unsigned t, const units::PlanRef& resolved, const Origin& origin) {
    const plan::Plan& plan = resolved->plan;
    if (resolved->has(plan::When::issue)) plan::apply(plan, plan::When::issue, state_);
    if (resolved->has(plan::When::start)) plan::apply(plan, plan::When::start, state_);
    if (resolved->has_work) plan::run_work(plan, state_);
    if (schedule_.busy() && plan.pipes & bit(plan::Pipe::vector)) schedule_.issued(plan, origin);
    if (!schedule_.busy() && !units_.held() && !frontend::has_latch(state_, t)) plain_ = &resolved;
}

void Machine::start_or_wait(const units::PlanRef& resolved, const Origin& origin) {
    const plan::Plan& plan = resolved->plan;
    if (units_.must_queue(plan)) {
        units_.queue({resolved.share(), origin.index, origin.position});
    } else if (plan.waits_in_unit) {
        units_.hold({resolved.share(), origin.index, origin.position});
        try_held();
    } else {
        execute(*resolved, origin);
    }
}

void Machine::latch(unsigned t, const plan::Plan& plan, const Origin& origin) {
    threads_[t].latched = {origin.index, origin.position, plan.instruction.word};
    effects_.await(engine::awaited_posts(t, state_));
    check_latch(t);
}

void Machine::execute(const Resolved& resolved, const Origin& origin) {
    const plan::Plan& plan = resolved.plan;
    if (resolved.has(plan::When::start)) write_effects(resolved, plan::When::start, origin);
    if (resolved.has_work) plan::run_work(plan, state_);
    if (resolved.has(plan::When::end)) write_effects(resolved, plan::When::end, origin);
    if (plan.pipes & bit(plan::Pipe::vector)) schedule_.issued(plan, origin);
}

// One that has waited in its unit, or in front of it.
void Machine::execute(const Units::Waiting& waited) {
    step();
    execute(*waited.resolved, {waited.index, waited.position});
    effects_.raise(Signal::unit);
    report_changes();
}

// --- wake-ups

void Machine::write_effects(const Resolved& resolved, plan::When when, const Origin& origin) {
    if (!resolved.has_roles) return plan::apply(resolved.plan, when, state_);
    const std::uint32_t mutexes = effects_.write(resolved.plan, when, origin);
    if (!mutexes) return;
    for (const Thread& thread : threads_)
        yields_ |= thread.front.gated() && thread.wait.kind == Wait::Kind::mutex && mutexes >> thread.wait.a & 1;
}

void Machine::report_changes() {
    const Signals signals = effects_.take_signals();
    ++changes;
    raised |= signals;
    for (Thread& thread : threads_) thread.runnable |= may_end(thread.wait, signals) || schedule_.busy();
    check_latches();
    if (units_.any_queued() && signals & Signal::bank) start_queued();
    try_held();
}

void Machine::check_latch(unsigned t) {
    const auto kind = state::cells::latch(t, state::Latch::kind);
    if (LatchKind(state_[kind]) == LatchKind::none) return;
    const bool over = LatchKind(state_[kind]) == LatchKind::stall && !units_.any_queued() && !units_.held() && !schedule_.busy() &&
                      !(state_[state::cells::latch(t, state::Latch::conditions)] & of_banks);
    if (!over && !frontend::conditions_met(state_, units_.activity(), t)) return;
    state_.write(kind, static_cast<std::uint32_t>(LatchKind::none));
    threads_[t].runnable = true;
}

void Machine::check_latches() {
    for (unsigned t = 0; t < state::threads; ++t)
        if (frontend::has_latch(state_, t)) check_latch(t);
}

void Machine::start_queued() {
    if (starting_) return;  // the outer call continues
    starting_ = true;
    for (bool more = true; more;) {
        more = false;
        for (unsigned pipe = 0; pipe < plan::pipes; ++pipe)
            while (const auto next = units_.take_queued(pipe)) {
                execute(*next);
                more = true;
            }
    }
    starting_ = false;
}

void Machine::try_held() {
    if (const auto held = units_.take_held()) execute(*held);
}

// --- reports

Where Machine::where(unsigned t) const {
    const frontend::GateWord& gate = threads_[t].front.gate();
    return places_.where(t, gate.index, gate.instruction.word, no_cycle, gate.position);
}

void Machine::found(const findings::Note& what, unsigned thread, const frontend::WordOrigin& origin) {
    const auto where = [&] { return places_.where(thread, origin.index, origin.word, no_cycle, origin.position); };
    const auto shown = [&](std::string_view name, std::uint32_t value) {
        return findings::is_op(name) ? places_.op_value_text(thread, value) : std::string();
    };
    if (outcome_.log().add(what, {thread, origin.word}, where, shown)) outcome_.stop();
}

void Machine::found_in_store(const findings::Note& what, unsigned thread, state::Cell cell, std::int64_t index) {
    const auto where = [&] { return places_.where_of_store(thread, index, no_cycle); };
    if (outcome_.log().add(what, {thread, state::index(cell)}, where)) outcome_.stop();
}

std::uint32_t Machine::queued(unsigned t) const { return frontend::queued_kinds(threads_[t].front, t, state_); }

std::uint32_t Machine::busy(unsigned t) const {
    return frontend::busy_kinds(threads_[t].front, t, state_, units_.activity());
}

void Machine::publish() {
    frontend::publish(
        state_, units_.activity(), [&](unsigned t) -> const auto& { return threads_[t].front.fifo; },
        [&](unsigned pipe) -> const auto& { return units_.queue(pipe); },
        [](const Units::Waiting& waiting) { return waiting.plan().instruction.word; });
}

Run Machine::finish() {
    if (!stopped()) schedule_.report_unfinished();
    Run& run = outcome_.run();
    for (unsigned t = 0; t < state::threads; ++t) {
        const Thread& thread = threads_[t];
        if (!run.fault) thread.front.report_open_recording(state_, *this);
        run.instructions[t] = thread.issued;
    }
    publish();
    run.has_clock = false;
    run.findings = outcome_.log().take();
    return std::move(run);
}

}  // namespace tessera::functional
