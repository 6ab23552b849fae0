// SPDX-License-Identifier: Apache-2.0
#include "functional/machine.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "diagnostics/op_index.hpp"
#include "engine/host_stop.hpp"
#include "frontend/auto_sync.hpp"
#include "frontend/mop_expander.hpp"
#include "frontend/replay_expander.hpp"
#include "state/cell_role.hpp"
#include "state/config_store.hpp"

namespace tessera::functional {

using engine::Signal;
using engine::Signals;
using engine::Wait;
using state::LatchKind;
using units::Resolved;

namespace {

constexpr std::uint64_t looks_every = 4096;

unsigned queue_of(plan::PipeMask pipes) { return static_cast<unsigned>(std::countr_zero(pipes)); }

bool of_front_end(const isa::Instruction& instruction) {
    return instruction.spec && instruction.spec->unit == isa::Unit::frontend;
}

// STALLWAIT conditions that only instructions can meet. All others hold once no instruction waits in a unit.
constexpr state::ConditionMask of_banks =
    state::bit(state::Condition::srca_clr) | state::bit(state::Condition::srcb_clr) |
    state::bit(state::Condition::srca_vld) | state::bit(state::Condition::srcb_vld);

}  // namespace

Machine::Machine(state::State& state, units::Slots& slots, const RunOptions& options, const diagnostics::Places& places)
    : state_(state),
      slots_(slots),
      options_(options),
      host_(options),
      places_(places),
      costs_(units::costs(state.arch().arch, Timing::functional)),
      schedule_(state, slots, costs_, activity_.in_pipe[static_cast<unsigned>(plan::Pipe::vector)], *this),
      traces_(state, slots, costs_),
      log_(options.levels) {
    for (unsigned t = 0; t < state::threads; ++t) {
        state_.write(state::cells::latch(t, state::Latch::kind), static_cast<std::uint32_t>(LatchKind::none));
        threads_[t].front = {t, {}};
        threads_[t].front.begin_run(state_);
    }
}

void Machine::look_up(std::uint64_t cycles) {
    cycles_ = std::max({cycles_, cycles, steps_});
    const std::uint64_t limit = options_.max_cycles, left = limit - std::min(limit, cycles_);
    next_look_ = steps_ + std::min(looks_every, left + 1);
    if (const auto reached = host_.reached(); reached != util::HostStop::none) return stop({engine::fault_of(reached)}, {});
    if (cycles_ <= limit) return;
    constexpr std::uint64_t most_told = std::numeric_limits<std::uint32_t>::max();
    stop({findings::id("no-progress"), {static_cast<std::uint32_t>(std::min(limit, most_told))}}, {});
}

// --- RISC-V cores

bool Machine::push(unsigned t, std::span<const std::uint32_t> words, std::int64_t index, std::int64_t step,
                   bool expanded) {
    Thread& thread = threads_[t];
    const std::size_t capacity = costs_.thread.fifo_words[t];
    if (thread.front.fifo.size() + words.size() > capacity) {
        go_on(t);
        if (thread.front.fifo.size() + words.size() > capacity) return false;
    }
    for (const std::uint32_t word : words) {
        const isa::Instruction instruction = isa::decode(word, state_.arch().arch);
        if (!expanded && (tracks(t) || instruction.is(isa::mnemonic("RESOURCEDECL"))))
            track_push(t, instruction, index);
        thread.front.fifo.push_back({word, -1, expanded, {}, index});
        index += step;
    }
    thread.runnable = true;
    return true;
}

void Machine::store_mop(unsigned t, unsigned item, std::uint32_t value, std::int64_t index) {
    Thread& thread = threads_[t];
    thread.front.fifo.push_back({value, static_cast<std::int16_t>(item), false, {}, index});
    thread.runnable = true;
}

void Machine::store(state::Cell cell, plan::CellOp op, std::uint32_t value, std::optional<unsigned> thread,
                    std::int64_t index) {
    if (state::cells::config_block.contains(cell)) {
        const unsigned word = state::index(cell) - state::cells::config_block.first;
        state::store_config(state_, word / state::cells::max_config_words, word % state::cells::max_config_words,
                            value);
    } else {
        const plan::CellEffect effect{cell, op, plan::When::start, value};
        state_.write(cell, effect.result(state_[cell]));
    }
    signal(cell);
    last_causes_.changed(cell, {true, thread ? static_cast<int>(*thread) : -1, index, no_cycle}, op);
    to_tell_ = to_tell_ | Signal::store;
    report_changes();
}

void Machine::execute_command(const plan::Plan& plan) {
    execute(*units::PlanRef::of(plan), {});
    to_tell_ = to_tell_ | Signal::unit;
    report_changes();
}

bool Machine::tracks(unsigned t) {
    if (tracked_at_ != state_.configured) {
        tracked_at_ = state_.configured;
        for (unsigned i = 0; i < state::threads; ++i) tracks_[i] = frontend::auto_sync::tracks(state_, i);
    }
    return tracks_[t];
}

// Resource declarations take effect in the order of pushes.
void Machine::track_push(unsigned t, const isa::Instruction& instruction, std::int64_t index) {
    if (instruction.is(isa::mnemonic("RESOURCEDECL"))) {
        frontend::auto_sync::declare(state_, t, instruction);
        return;
    }
    if (tracks(t)) threads_[t].pushed_uses.push(state_, t, instruction, index, is_idle(t));
}

bool Machine::in_order(unsigned t, state::Resources resources, bool store) {
    if (!resources) return true;
    Thread& thread = threads_[t];
    return !thread.pushed_uses.hold_up(resources, store, thread.front.oldest(state_)) &&
           activity_.in_pipe[static_cast<unsigned>(plan::Pipe::scalar)][t] <= activity_.scalar_requests[t];
}

bool Machine::is_idle(unsigned t) const {
    const Thread& thread = threads_[t];
    if (!thread.front.fifo.empty() || !thread.front.idle(state_)) return false;
    return std::all_of(activity_.in_pipe.begin(), activity_.in_pipe.end(), [&](const auto& pipe) { return !pipe[t]; });
}

bool Machine::all_idle() const { return is_idle(0) && is_idle(1) && is_idle(2); }

bool Machine::mops_expanded(unsigned t) const {
    const auto& fifo = threads_[t].front.fifo;
    return !frontend::mop_active(state_, t) && std::none_of(fifo.begin(), fifo.end(), [&](const auto& entry) {
        return frontend::Expanders::for_mop_expander(entry, state_.arch().arch);
    });
}

// --- progress

bool Machine::settle() {
    const std::uint64_t before = steps_;
    for (bool more = true; more && !stopped_;) {
        more = false;
        for (unsigned t = 0; t < state::threads && !stopped_; ++t) {
            try_held();
            if (!threads_[t].runnable) continue;
            go_on(t);
            more = true;
        }
        if (!more && !stopped_) more = pass_time();
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
    to_tell_ = to_tell_ | Signal::unit;
    report_changes();
    return true;
}

void Machine::go_on(unsigned t) {
    Thread& thread = threads_[t];
    thread.runnable = true;
    thread.wait = {};
    yields_ = false;
    while (!stopped_ && !yields_ && (thread.front.gated() || fetch(t)) && pass_gate(t)) follow(t);
    traces_.stop();
    thread.runnable = yields_ && !stopped_;
}

// What is known to follow the instruction that passed the gate.
void Machine::follow(unsigned t) {
    const units::PlanRef* const plain = std::exchange(plain_, nullptr);
    if (!plain) return traces_.stop();
    if (stopped_ || next_look_ <= steps_ + 1) return;
    Thread& thread = threads_[t];
    const std::size_t steps = traces_.follow(t, thread.front, *plain, next_look_ - steps_ - 1, *this, *this);
    thread.issued += steps;
    steps_ += steps;
}

bool Machine::waits(unsigned t, const Wait& wait) {
    threads_[t].wait = wait;
    return false;
}

bool Machine::fetch(unsigned t) {
    using Kind = frontend::Expanders::Filled::Kind;
    const Kind filled = threads_[t].front.fill(state_, frontend::Expanders::end_of_time, *this).kind;
    if (filled == Kind::empty) return waits(t, {Wait::Kind::fifo_empty});
    return filled == Kind::word && !stopped_;
}

// Call when the instruction at the gate was issued.
void Machine::leave(unsigned t) {
    Thread& thread = threads_[t];
    ++thread.issued;
    step();
    thread.front.leave(state_, 0, *this);
}

// --- the wait gate

bool Machine::latch_holds_back(unsigned t) {
    if (!frontend::has_latch(state_, t) || !frontend::blocks(state_, t, threads_[t].front.gate().instruction))
        return false;
    pass_time();
    check_latch(t);
    return frontend::has_latch(state_, t);
}

bool Machine::pass_gate(unsigned t) {
    Thread& thread = threads_[t];
    const isa::Instruction& instruction = thread.front.gate().instruction;
    const bool stays_in_front = of_front_end(instruction);
    if (stays_in_front && instruction.is(isa::mnemonic("RESOURCEDECL"))) {
        // If the thread's core pushed the word itself, the word has been counted since the push.
        if (thread.front.gate().position >= 0 || thread.front.fifo.front().expanded)
            frontend::auto_sync::declare(state_, t, instruction);
        leave(t);
        return true;
    }
    if (latch_holds_back(t)) {
        const auto latched = frontend::latched_wait(state_, t);
        return waits(t, {Wait::Kind::latched, static_cast<std::uint8_t>(latched.what), 0, latched.mask});
    }
    if (held_ && held_->resolved->plan.thread == t) return waits(t, {Wait::Kind::own_scalar});
    if (stays_in_front) {
        stop({findings::id("frontend.nested"), {}, instruction.spec->name}, where(t));
        return false;
    }

    const bool again = std::exchange(thread.front.gate().resolved, true);
    const units::PlanRef* resolved = &slots_.plans.resolve_only(instruction, t, state_, costs_, slots_, again);
    if (schedule_.busy() && !(*resolved)->plan.fault) {
        schedule_.come_to((*resolved)->plan);
        if (stopped_) return false;
        resolved = &slots_.plans.resolve_only(instruction, t, state_, costs_, slots_);
    }
    const plan::Plan& plan = (*resolved)->plan;
    if (plan.fault) {
        stop(*plan.fault, where(t));
        return false;
    }
    if ((!(*resolved)->unobservable || !plan.banks.empty()) && !may_enter(t, plan)) return false;
    issue(t, *resolved);
    return true;
}

bool Machine::bank_ready(const plan::BankNeed& need) const {
    return state_[state::cells::bank_owner(need.src, need.bank)] == static_cast<std::uint32_t>(need.owner);
}

bool Machine::banks_ready(const plan::Plan& plan, bool in_unit) const {
    return std::all_of(plan.banks.begin(), plan.banks.end(),
                       [&](const auto& need) { return need.in_unit != in_unit || bank_ready(need); });
}

// All conditions for an instruction to enter the backend, as in engine/threads/interlocks.hpp.
bool Machine::may_enter(unsigned t, const plan::Plan& plan) {
    if (plan.mutex >= 0) {
        const std::uint32_t held = state_[state::cells::mutex(static_cast<unsigned>(plan.mutex))];
        if (held != 0 && held != t + 1) return waits(t, {Wait::Kind::mutex, static_cast<std::uint8_t>(plan.mutex)});
    }
    const unsigned depth = plan.pipes ? costs_.queue_depth[queue_of(plan.pipes)] : 0;
    for (const auto& need : plan.banks) {
        if (need.in_unit && (depth || plan.waits_in_unit)) continue;
        if (!bank_ready(need))
            return waits(t, {Wait::Kind::bank, static_cast<std::uint8_t>(need.src), need.bank,
                             static_cast<std::uint16_t>(need.owner)});
    }
    if (depth && queues_[queue_of(plan.pipes)].size() >= depth)
        return waits(t, {Wait::Kind::queue_full, static_cast<std::uint8_t>(queue_of(plan.pipes))});
    if (held_ && plan.pipes & held_->resolved->plan.pipes)
        return waits(t, {Wait::Kind::unit_busy, static_cast<std::uint8_t>(queue_of(plan.pipes))});
    return true;
}

void Machine::issue(unsigned t, const units::PlanRef& resolved) {
    Thread& thread = threads_[t];
    const plan::Plan& plan = resolved->plan;
    const Origin origin{thread.front.gate().index, thread.front.gate().position};
    for (const auto& finding : plan.findings) report(finding, t, plan.instruction.word, origin);
    if (stopped_) return;
    if (schedule_.busy() && plan.pipes & bit(plan::Pipe::vector) && !schedule_.issue_vector(plan, origin))
        return leave(t);
    leave(t);
    if (resolved->unobservable) {  // no end effects, and nothing waits for it
        if (resolved->has(plan::When::issue)) plan::apply(plan, plan::When::issue, state_);
        if (resolved->has(plan::When::start)) plan::apply(plan, plan::When::start, state_);
        if (resolved->has_work) plan::run_work(plan, state_);
        if (schedule_.busy() && plan.pipes & bit(plan::Pipe::vector)) schedule_.issued(plan, origin);
        if (!schedule_.busy() && !held_ && !frontend::has_latch(state_, t)) plain_ = &resolved;
        return;
    }
    if (plan.latches_wait && frontend::has_latch(state_, t) && !frontend::conditions_met(state_, activity_, t))
        note({findings::id("sync.wait-replaced"), {static_cast<std::uint32_t>(thread.latched_index)}}, t,
             plan.instruction.word, origin.index, origin.position);
    if (resolved->has(plan::When::issue)) write_effects(plan, plan::When::issue, origin);
    const bool queues = plan.pipes && costs_.queue_depth[queue_of(plan.pipes)];
    if (queues && (!queues_[queue_of(plan.pipes)].empty() || !banks_ready(plan, true))) {
        count_in_pipes(plan, 1);
        queues_[queue_of(plan.pipes)].push_back({resolved.share(), origin.index, origin.position});
        ++queued_;
    } else if (plan.waits_in_unit) {
        count_in_pipes(plan, 1);
        held_ = Waiting{resolved.share(), origin.index, origin.position};
        try_held();
    } else {
        execute(*resolved, origin);
    }
    if (to_tell_) report_changes();
    if (!plan.latches_wait) return;
    thread.latched_index = origin.index;
    thread.latched_word = plan.instruction.word;
    last_causes_.awaited |= engine::awaited_posts(t, state_);
    check_latch(t);
}

void Machine::execute(const Resolved& resolved, const Origin& origin) {
    const plan::Plan& plan = resolved.plan;
    if (resolved.has(plan::When::start)) write_effects(plan, plan::When::start, origin);
    if (resolved.has_work) plan::run_work(plan, state_);
    if (resolved.has(plan::When::end)) write_effects(plan, plan::When::end, origin);
    if (plan.pipes & bit(plan::Pipe::vector)) schedule_.issued(plan, origin);
}

// --- wake-ups

void Machine::write_effects(const plan::Plan& plan, plan::When when, const Origin& origin) {
    for (const auto& effect : plan.effects) {
        if (effect.when != when) continue;
        state_.write(effect.cell, effect.result(state_[effect.cell]));
        if (state::role_of(effect.cell) == state::CellRole::none) continue;
        signal(effect.cell);
        last_causes_.changed(effect.cell, {false, static_cast<int>(plan.thread), origin.index, no_cycle}, effect.op);
        if (!state::cells::mutex_block.contains(effect.cell)) continue;
        const unsigned mutex = state::index(effect.cell) - state::cells::mutex_block.first;
        for (const Thread& thread : threads_)
            yields_ |= thread.front.gated() && thread.wait.kind == Wait::Kind::mutex && thread.wait.a == mutex;
    }
}

void Machine::signal(state::Cell cell) {
    using state::CellRole;
    switch (state::role_of(cell)) {
        case CellRole::none: return;
        case CellRole::semaphore: to_tell_ = to_tell_ | Signal::semaphore; return;
        case CellRole::bank: to_tell_ = to_tell_ | Signal::bank; return;
        case CellRole::mutex: to_tell_ = to_tell_ | Signal::mutex; return;
        case CellRole::stream:
        case CellRole::thread_config: to_tell_ = to_tell_ | Signal::stream; return;
    }
}

void Machine::report_changes() {
    const Signals signals = std::exchange(to_tell_, Signals{0});
    ++changes;
    raised |= signals;
    for (unsigned t = 0; t < state::threads; ++t) {
        threads_[t].runnable = true;
        if (frontend::has_latch(state_, t)) check_latch(t);
    }
    if (queued_ && signals & static_cast<Signals>(Signal::bank)) start_queued();
    try_held();
}

void Machine::check_latch(unsigned t) {
    const auto kind = state::cells::latch(t, state::Latch::kind);
    if (LatchKind(state_[kind]) == LatchKind::none) return;
    const bool over = LatchKind(state_[kind]) == LatchKind::stall && !queued_ && !held_ && !schedule_.busy() &&
                      !(state_[state::cells::latch(t, state::Latch::conditions)] & of_banks);
    if (!over && !frontend::conditions_met(state_, activity_, t)) return;
    state_.write(kind, static_cast<std::uint32_t>(LatchKind::none));
    threads_[t].runnable = true;
}

void Machine::count_in_pipes(const plan::Plan& plan, int by) {
    for (unsigned rest = plan.pipes; rest; rest &= rest - 1)
        activity_.in_pipe[static_cast<unsigned>(std::countr_zero(rest))][plan.thread] += static_cast<std::uint32_t>(by);
    if (plan.cost.lands_at_end && plan.pipes & bit(plan::Pipe::scalar))
        activity_.scalar_requests[plan.thread] += static_cast<std::uint32_t>(by);
}

void Machine::start_queued() {
    if (starting_) return;  // the outer call continues
    starting_ = true;
    for (bool more = true; more;) {
        more = false;
        for (auto& queue : queues_) {
            while (!queue.empty() && banks_ready(queue.front().resolved->plan, true)) {
                const Waiting next = std::move(queue.front());
                queue.pop_front();
                --queued_;
                count_in_pipes(next.resolved->plan, -1);
                step();
                execute(*next.resolved, {next.index, next.position});
                to_tell_ = to_tell_ | Signal::unit;
                report_changes();
                more = true;
            }
        }
    }
    starting_ = false;
}

bool Machine::goes_on(const plan::Plan& plan) const {
    return banks_ready(plan, true) && frontend::over(state_, activity_, plan.thread, plan.conditions) &&
           plan::work_is_ready(plan, state_);
}

void Machine::try_held() {
    if (!held_ || !goes_on(held_->resolved->plan)) return;
    const Waiting held = std::move(*held_);
    held_.reset();
    count_in_pipes(held.resolved->plan, -1);
    step();
    execute(*held.resolved, {held.index, held.position});
    to_tell_ = to_tell_ | Signal::unit;
    report_changes();
}

}  // namespace tessera::functional
