// SPDX-License-Identifier: Apache-2.0
// A thread's wait gate: holds instructions while they must wait, issues them.
#include <algorithm>
#include <bit>
#include <utility>

#include "engine/engine.hpp"
#include "engine/run_recorder.hpp"

namespace tessera::engine {

namespace {

constexpr Cycle most_front_end_delay = 6;  // under a seed: bubbles between expanders and gate

// MOP, MOP_CFG and REPLAY, which the expanders consume, and RESOURCEDECL, which nobody behind the gate does.
bool of_front_end(const isa::Instruction& instruction) {
    return instruction.spec && instruction.spec->unit == isa::Unit::frontend;
}

}  // namespace

Engine::Act Engine::act_front_end(unsigned t) {
    auto& thread = threads_[t];
    const unsigned actor = state::threads + t;
    actors_[actor].behind = 0;
    if (!thread.front.gated() && !fill_gate(t)) return Act::noticed;
    if (stopped_) return Act::noticed;
    const GateWord& at = thread.front.gate();
    const isa::Instruction& instruction = at.instruction;

    // Consumed in front of the wait gate (spec-notes C16). What the thread's core pushed itself has counted since then.
    const bool stays_in_front = of_front_end(instruction);
    if (stays_in_front && instruction.is(isa::mnemonic("RESOURCEDECL"))) {
        count_issue(t, at, now_);
        caused_by({false, static_cast<int>(t), at.index, now_});
        if (at.position >= 0 || thread.front.fifo.front().expanded) declare_resources(t, instruction, at.index);
        leave_gate(t, now_);
        raise_issued(t, 0);
        refill(t);
        acted(actor, now_ + 1);
        return Act::noticed;
    }
    if (at.uses.any() && !own_stores_done(t)) return Act::noticed;
    if (frontend::has_latch(state_, t) && frontend::blocks(state_, t, instruction)) {
        const auto latched = frontend::latched_wait(state_, t);
        park(actor, {Wait::Kind::latched, static_cast<std::uint8_t>(latched.what), 0, latched.mask},
             static_cast<Signals>(Signal::latch));
        return Act::noticed;
    }
    if (thread.hold_until > now_) {
        if (thread.hold_until == never)
            park(actor, {thread.held_by}, static_cast<Signals>(Signal::unit));
        else
            wait_until(actor, {thread.held_by}, thread.hold_until, thread.holder);
        return Act::noticed;
    }
    if (stays_in_front) {
        stop({findings::id("frontend.nested"), {}, instruction.spec->name},
             where(t, at.index, instruction.word, now_, at.position));
        return Act::noticed;
    }

    const bool again = std::exchange(thread.front.gate().resolved, true);
    const units::PlanRef& resolved = slots_.plans.resolve(instruction, t, state_, costs_, slots_, again);
    if (recorder_) recorder_->looked(*resolved);
    const plan::Plan& plan = resolved->plan;
    if (plan.fault) {
        if (options_.explain) explain_if_asked(plan, at.index, now_);
        stop(*plan.fault, where(t, at.index, instruction.word, now_, at.position));
        return Act::noticed;
    }
    if (!at_the_gate(actor, plan, now_)) return Act::noticed;
    if (issues_unnoticed(*resolved)) {
        issue_unnoticed(t, *resolved, now_);
        issued_unnoticed_ = &resolved;
        return Act::unnoticed;
    }
    // The scalar unit takes its operands late enough for what RDCFG reads just before (spec-notes B34).
    if (plan.pipes & bit(plan::Pipe::scalar) && thread.gpr_written_at > now_)
        wait_until(actor, {Wait::Kind::unit_busy, static_cast<std::uint8_t>(plan::Pipe::config)}, thread.gpr_written_at,
                   queues_[static_cast<unsigned>(plan::Pipe::config)].last);
    else
        issue(t, resolved.share(), now_);
    return Act::noticed;
}

// Everything that hardware makes an instruction wait for before it enters the backend. False: the actor waits.
bool Engine::at_the_gate(unsigned actor, const plan::Plan& plan, Cycle now) {
    if (plan.mutex >= 0) {
        const std::uint32_t held = state_[state::cells::mutex(static_cast<unsigned>(plan.mutex))];
        if (held != 0 && held != plan.thread + 1u) {
            park(actor, {Wait::Kind::mutex, static_cast<std::uint8_t>(plan.mutex)},
                 static_cast<Signals>(Signal::mutex));
            return false;
        }
    }
    const std::uint8_t queue_depth = pipes_.queue_depth(plan.pipes);
    const bool queued = queue_depth > 0;
    for (const auto& need : plan.banks) {
        if (need.in_unit && (queued || plan.waits_in_unit)) continue;
        if (bank_ready(need)) continue;
        park(actor,
             {Wait::Kind::bank, static_cast<std::uint8_t>(need.src), need.bank, static_cast<std::uint16_t>(need.owner)},
             static_cast<Signals>(Signal::bank));
        return false;
    }
    if (const auto ready = pipes_.dst_ready(plan.dst_reads); ready.at > now) {
        wait_until(actor, {Wait::Kind::dst_block}, ready.at, dst_writer_[ready.block]);
        return false;
    }
    if (queued) {
        if (queues_[queue_of(plan.pipes)].waiting.size() >= queue_depth) {
            park(actor, {Wait::Kind::queue_full, static_cast<std::uint8_t>(queue_of(plan.pipes))},
                 static_cast<Signals>(Signal::unit));
            return false;
        }
        if (plan.cost.address && pipes_.address_phase_over_at() > now) {
            wait_until(actor, {Wait::Kind::address_phase}, pipes_.address_phase_over_at(), address_phase_holder_);
            return false;
        }
        return true;
    }
    return unit_is_free(actor, plan, now);
}

bool Engine::unit_is_free(unsigned actor, const plan::Plan& plan, Cycle now) {
    if (plan.pipes & plan::one_per_thread) return true;
    if (plan.pipes & bit(plan::Pipe::vector) && vector_held_back(actor, plan, now)) return false;
    const Cycle free = pipes_.free_at(plan);
    if (free <= now + plan.cost.fills_pause) return true;
    const unsigned queue = queue_of(plan.pipes);
    const Wait busy{Wait::Kind::unit_busy, static_cast<std::uint8_t>(queue)};
    if (free == never) {
        park(actor, busy, static_cast<Signals>(Signal::unit));
        return false;
    }
    wait_until(actor, busy, free, queues_[queue].last);
    if (!plan.cost.fills_pause && !plan.cost.interval) actors_[actor].behind = plan.pipes;
    return false;
}

// Somebody has taken units for which others wait until a cycle that was known: they wait longer, without a turn of their own.
void Engine::postpone_waiters(plan::PipeMask taken) {
    for (unsigned i = state::threads; i < core_b; ++i) {
        const plan::PipeMask behind = actors_[i].behind;
        if (!(behind & taken)) continue;
        const Cycle free = pipes_.free_at(behind);
        if (free == never || free <= due_[i]) continue;
        due_[i] = free;
        if (options_.on_wait) waiting_[i].ended_by = queues_[queue_of(behind)].last;
    }
}

// RDCFG's results: when they are in their GPRs.
void Engine::writes_gprs_late(const plan::Plan& plan, Cycle now) {
    if (costs_.completes_at_issue || plan.cost.lands_at_end || plan.waits_in_unit || plan.cost.latency < 2 ||
        plan.cost.hold >= plan.cost.latency || std::holds_alternative<plan::MoverWork>(plan.work))
        return;
    for (const auto& effect : plan.effects)
        if (effect.when == plan::When::end && state::cells::gpr_block.contains(effect.cell))
            threads_[plan.thread].gpr_written_at = now + plan.cost.latency;
}

// Blackhole stalls a thread for the result of the instruction before it, as far as it sees that one is needed.
bool Engine::vector_held_back(unsigned actor, const plan::Plan& plan, Cycle now) {
    if (costs_.completes_at_issue || !last_vector_ || last_vector_->start + 1 != now || !last_vector_->mark.late)
        return false;
    if (!units::vector::holds_back(last_vector_->mark, units::vector::footmark(plan, state_))) return false;
    wait_until(actor, {Wait::Kind::unit_busy, static_cast<std::uint8_t>(plan::Pipe::vector)}, now + 1);
    return true;
}

void Engine::issues_vector(const plan::Plan& plan, const GateWord& at, Cycle now) {
    const units::vector::Footmark mark = units::vector::footmark(plan, state_);
    checker_.issues_vector(plan, mark, at_of(at, now), threads_[plan.thread].issued);
    last_vector_ = VectorPast{mark, now};
}

void Engine::count_issue(unsigned t, const GateWord& at, Cycle now) {
    ++threads_[t].issued;
    ++issued_;
    last_issued_ = {t, at.index, at.position, at.instruction.word, false, now};
}

void Engine::count_cycles(unsigned t, plan::PipeMask pipes, Cycle now, Cycle next) {
    Thread& thread = threads_[t];
    thread.issued_to = plan::Pipe(std::countr_zero(pipes));
    thread.issuing[static_cast<unsigned>(thread.issued_to)] += next - now;
    thread.issue_done = thread.delayed_until = next;
}

void Engine::issue(unsigned t, units::PlanRef resolved, Cycle now) {
    auto& thread = threads_[t];
    const unsigned actor = state::threads + t;
    const GateWord& entry = thread.front.gate();  // what stands there stays until it is filled again
    const std::uint32_t word = entry.instruction.word;
    const bool explained = options_.explain && explain_if_asked(resolved->plan, entry.index, now);
    const bool discarded = resolved->plan.pipes & bit(plan::Pipe::vector) && !vector_issue(resolved, entry);
    const plan::Plan& plan = resolved->plan;
    if (plan.pipes & bit(plan::Pipe::vector) && !discarded) issues_vector(plan, entry, now);
    checker_.issues(*resolved, at_of(entry, now));
    if (resolved->has(plan::When::end)) writes_gprs_late(plan, now);
    if (stopped_) return;
    const bool in_window = window_instruction_ && entry.instruction.spec == window_instruction_;
    if (in_window) window_.begin([&] { return tally(now); });

    leave_gate(t, now);
    count_issue(t, entry, now);
    const Touch by{false, static_cast<int>(t), entry.index, now};

    if (plan.latches_wait) {
        const bool replaces = frontend::has_latch(state_, t);
        if (replaces && !thread.latch_released && !frontend::conditions_met(state_, work_.activity(), t))
            note({findings::id("sync.wait-replaced")}, t, entry.index, word, entry.position);
        thread.latched_at = now;
        thread.latched_from = {entry.index, entry.position};
        thread.latched_word = word;
        thread.latch_released = false;
        thread.latch_met = false;
        if (!thread.latch_check_scheduled) {
            thread.latch_check_scheduled = true;
            clock_.schedule(now + 1, Event::Kind::check_latch, t);
        }
    }
    // A functional model does an instruction's whole work at once, its counters included.
    Signals signals = options_.reference ? Signals{0} : write_effects(*resolved, plan::When::issue, by);
    if (plan.mutex >= 0) order_.mutex_taken(t, static_cast<unsigned>(plan.mutex));

    const std::int64_t number = next_number_++;
    const Touch issued{false, static_cast<int>(t), entry.index, now, number};
    caused_by(issued);
    const hazards::Ticket ticket = order_.issue(t, plan.pipes, entry.index);
    for (const state::Src src : {state::Src::a, state::Src::b})
        if (resolved->flips >> static_cast<unsigned>(src) & 1) order_.bank_flips(ticket, src);

    Cycle next = now + 1;
    if (plan.cost.address) {
        thread.hold_until = now + plan.cost.address;
        pipes_.take_address_phase(thread.hold_until);
        thread.holder = address_phase_holder_ = issued;
        thread.held_by = Wait::Kind::address_phase;
        next = thread.hold_until;
    } else if (plan.cost.hold || plan.waits_in_unit) {
        next = now + std::max<Cycle>(plan.cost.hold, 1);
        thread.hold_until = plan.waits_in_unit ? never : next;
        thread.held_by = Wait::Kind::own_scalar;
        thread.holder = issued;
    }
    const Origin origin{entry.index, entry.position};
    if (ends_unseen(*resolved)) {
        signals = static_cast<Signals>(signals | pass_unseen(*resolved, ticket, origin, now));
    } else {
        const std::uint32_t id = new_record(std::move(resolved), number);
        Record& record = records_[id];
        record.explanation = explained && !options_.elements.empty() ? std::ssize(run_.explanations) - 1 : -1;
        record.by_plan = discarded;
        record.pushed = entry.pushed;
        record.gate = entry.arrived;
        take_up(id, ticket, origin, now);
    }
    if (plan.latches_wait) {
        touches_.awaited |= awaited_posts(t, state_);
        watch_unseen_ends();
        if (options_.on_wait) note_latch(t, issued);
    }
    caused_by(issued);
    raise_issued(t, signals);
    refill(t);
    const Cycle drawn = delays_.up_to(3) == 3 ? delays_.up_to(most_front_end_delay) : 0;
    const Cycle delay = drawn && goes_in_step(plan, entry) ? 0 : drawn;
    acted(actor, next + delay);
    if (delay && options_.on_wait) tell_delay(t, next, next + delay);
    count_cycles(t, plan.pipes, now, next);
    if (delay) thread.waited[{Wait::Kind::delayed}] += delay;
    thread.delayed_until = next + delay;
    if (in_window) window_.end(tally(now + 1));
}

// Instructions of one expansion come one a cycle, and what SFPLOADMACRO schedules is meant for the cycles of those behind it.
bool Engine::goes_in_step(const plan::Plan& plan, const GateWord& at) const {
    if (at.position < 0 || !(plan.pipes & bit(plan::Pipe::vector)) || threads_[plan.thread].front.idle(state_))
        return false;
    return schedule_.any || at.instruction.is(isa::mnemonic("SFPLOADMACRO"));
}

void Engine::check_latch(unsigned t, Cycle now) {
    auto& thread = threads_[t];
    thread.latch_check_scheduled = false;
    if (!frontend::has_latch(state_, t) || thread.latch_released) return;
    if (now <= thread.latched_at) {
        thread.latch_check_scheduled = true;
        clock_.schedule(thread.latched_at + 1, Event::Kind::check_latch, t);
        return;
    }
    if (!frontend::conditions_met(state_, work_.activity(), t)) return;
    // One cycle of lag between the conditions being met and the block mask being removed.
    thread.latch_released = true;
    clock_.schedule(now + 1, Event::Kind::release_latch, t);
}

void Engine::release_latch(unsigned t, Cycle now) {
    auto& thread = threads_[t];
    if (!thread.latch_released) return;  // replaced since
    thread.latch_released = false;
    const auto kind = state::LatchKind(state_[state::cells::latch(t, state::Latch::kind)]);
    const std::uint32_t conditions = state_[state::cells::latch(t, state::Latch::conditions)];
    if (kind == state::LatchKind::sem) {
        for (unsigned i = 0; i < 8; ++i)
            if (state_[state::cells::latch(t, state::Latch::semaphores)] >> i & 1) order_.semaphore_seen(t, i);
    } else if (kind == state::LatchKind::stall) {
        checker_.waited(t, conditions);
    } else if (kind == state::LatchKind::stream) {
        order_.heard(t, hazards::stream_registers_word);
    }
    state_.write(state::cells::latch(t, state::Latch::kind), static_cast<std::uint32_t>(state::LatchKind::none));
    caused_by(thread.latch_met_by);
    raise(static_cast<Signals>(Signal::latch), now);
}

}  // namespace tessera::engine
