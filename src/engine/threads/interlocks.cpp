// SPDX-License-Identifier: Apache-2.0
#include "engine/threads/interlocks.hpp"

#include <algorithm>

#include "units/vector/dependences.hpp"

namespace tessera::engine {

namespace {

/// Whether a start waits for the interval of an earlier one, rather than for a unit that is taken.
bool keeps_interval(const plan::Cost& cost) { return cost.interval || cost.entry != plan::Entry::none; }

/// Instructions of different mutexes, or of different stages of the configuration unit, do not wait for each other's turn
/// (SyncUnit and ConfigurationUnit, Throughput).
Entrance entrance_of(const plan::Plan& plan) {
    const int mutex = plan::mutex_of(plan);
    return {plan.pipes, static_cast<std::uint8_t>(mutex >= 0 ? 1 + mutex : static_cast<int>(plan.cost.entry))};
}

/// Only an instruction that starts when its unit is free waits longer with the unit. `is_outrun`: another one takes it in this cycle.
IfTaken if_taken_first(const plan::Plan& plan, bool is_outrun) {
    const plan::Cost& cost = plan.cost;
    if (plan::mutex_of(plan) >= 0) return IfTaken::nothing;
    if (keeps_interval(cost)) return is_outrun ? IfTaken::cause : IfTaken::nothing;
    return cost.fills_pause || cost.chain != plan::Chain::none ? IfTaken::cause : IfTaken::cycle;
}

}  // namespace

bool Interlocks::pass_or_wait(unsigned actor, const plan::Plan& plan, Cycle now) {
    if (!frontend::can_have_mutex(state_, plan)) {
        scheduler_.park(actor, {Wait::Kind::mutex, static_cast<std::uint8_t>(plan.mutex)}, Signal::mutex);
        return false;
    }
    const std::uint8_t queue_depth = pipes_.queue_depth(plan.pipes);
    const bool queued = queue_depth > 0;
    for (const auto& need : plan.banks) {
        if (!frontend::is_needed_at_gate(need, plan, queued) || banks_.ready(need)) continue;
        scheduler_.park(actor, Banks::wait(need), Signal::bank);
        return false;
    }
    const bool takes_turns = costs_.interlocks.as_measured && plan.pipes == bit(plan::Pipe::matrix);
    const bool has_turn = takes_turns && pipes_.has_kept_turn(plan, now);
    if (const auto ready = pipes_.dst_ready(plan); ready.at > now) {
        if (takes_turns && !has_turn && !unit_free_or_wait(actor, plan, now)) return false;
        if (takes_turns) occupation_.keep_turn(plan, ready.at);
        scheduler_.wait_until(actor, {Wait::Kind::dst_block}, ready.at, waits_.dst_writer(ready.block));
        return false;
    }
    if (!queued) return has_turn || unit_free_or_wait(actor, plan, now);
    const unsigned queue = Pipes::first_of(plan.pipes);
    if (execution_.queued(queue) >= queue_depth) {
        scheduler_.park(actor, {Wait::Kind::queue_full, static_cast<std::uint8_t>(queue)}, Signal::unit);
        return false;
    }
    if (plan.cost.address && pipes_.address_phase_over_at() > now) {
        scheduler_.wait_until(actor, {Wait::Kind::address_phase}, pipes_.address_phase_over_at(),
                              waits_.address_phase_holder());
        return false;
    }
    return true;
}

bool Interlocks::unit_free_or_wait(unsigned actor, const plan::Plan& plan, Cycle now) {
    if (plan.pipes & plan::one_per_thread && !keeps_interval(plan.cost)) return true;
    const bool of_vector = plan.pipes & bit(plan::Pipe::vector), has_place = of_vector && may_wait_in_place(plan, now);
    if (of_vector && !has_place && !result_ready_or_wait(actor, plan, now)) return false;
    Cycle free = has_place ? vector_place_free_at() : pipes_.opens_at(plan);
    bool is_outrun = false;
    if (free <= now) {
        if (!scheduler_.waits_longer(actor, entrance_of(plan))) return true;
        free = now + 1;
        is_outrun = true;
    }
    const unsigned queue = Pipes::first_of(plan.pipes);
    const Wait busy{Wait::Kind::unit_busy, static_cast<std::uint8_t>(queue)};
    if (free == never)
        scheduler_.park(actor, busy, Signal::unit);
    else
        scheduler_.wait_behind(actor, busy, free, waits_.taker_before(plan), entrance_of(plan),
                               if_taken_first(plan, is_outrun));
    return false;
}

// Scheduled instructions count on the cycles in which the thread issues.
bool Interlocks::may_wait_in_place(const plan::Plan& plan, Cycle now) const {
    return costs_.interlocks.vector_place && schedule_.is_empty(now) && !plan.instruction.is(isa::mnemonic("SFPLOADMACRO"));
}

Cycle Interlocks::vector_start(const plan::Plan& plan, const units::RegisterUse& use, Cycle now) const {
    if (!may_wait_in_place(plan, now)) return now;
    const Cycle start = std::max(now, pipes_.opens_at(plan));
    return start + (last_vector_ && last_vector_->holds_back(use, start));
}

// Blackhole stalls a thread for the result of the previous instruction, as far as it detects the dependence.
bool Interlocks::result_ready_or_wait(unsigned actor, const plan::Plan& plan, Cycle now) {
    if (costs_.completes_at_issue || !last_vector_ || last_vector_->start + 1 != now || !last_vector_->use.late)
        return true;
    if (!last_vector_->holds_back(units::vector::register_use(plan), now)) return true;
    constexpr auto vector = static_cast<std::uint8_t>(plan::Pipe::vector);
    scheduler_.wait_until(actor, {Wait::Kind::unit_busy, vector}, now + 1, waits_.pipe_taker(vector));
    return false;
}

bool Interlocks::gprs_written_or_wait(unsigned actor, const plan::Plan& plan, Cycle now) {
    const Cycle written = gprs_written_at_[plan.thread];
    if (!(plan.pipes & bit(plan::Pipe::scalar)) || written <= now) return true;
    constexpr auto config = static_cast<std::uint8_t>(plan::Pipe::config);
    scheduler_.wait_until(actor, {Wait::Kind::unit_busy, config}, written, waits_.pipe_taker(config));
    return false;
}

Cycle Interlocks::opens_at(const plan::Plan& plan, Cycle now) const {
    if (!banks_.ready(plan)) return never;
    return std::max(now, pipes_.dst_ready(plan).at);
}

void Interlocks::note_late_gprs(const plan::Plan& plan, Cycle now) {
    if (plan.cost.lands_at_end) return;  // no interlock waits for LOADREG
    for (const auto& effect : plan.effects)
        if (effect.when == plan::When::end && state::cells::gpr_block.contains(effect.cell))
            gprs_written_at_[plan.thread] = now + plan.cost.latency;
}

}  // namespace tessera::engine
