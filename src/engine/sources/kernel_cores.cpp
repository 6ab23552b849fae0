// SPDX-License-Identifier: Apache-2.0
#include "engine/sources/kernel_cores.hpp"

#include <algorithm>
#include <utility>

namespace tessera::engine {

namespace {

/// Instructions of a core between checks of limits and interrupts. Where they are does not depend on where its turns begin.
constexpr std::uint32_t check_interval = 4096;

}  // namespace

KernelCores::KernelCores(const Context& context, const CorePortParts& parts, const TurnLimits& limits,
                         const VectorSchedule& schedule)
    : CorePort(context, parts),
      limits_(limits),
      schedule_(schedule),
      stalls_(context.options_.seed),
      apart_(context, scheduler_, *this) {}

inline void KernelCores::pass_polls(unsigned actor) {
    if (const std::uint64_t polls = scheduler_.take_polls(actor)) cores_->pass_polls(core_of(actor), polls);
}

[[gnu::always_inline]] inline void KernelCores::begin_turn(unsigned actor, Cycle limit) {
    pass_polls(actor);
    const unsigned core = core_of(actor);
    const Cycle now = scheduler_.now();
    if (stalls_.drawn()) limit = std::min(limit, stalls_.next(core, now).first - 1);
    turn_ = {core, now, limit, check_interval, l1_is_shared(), true, may_sleep()};
    turn_.interval = check_interval;
    turn_.stops_in_l1 = !shortcuts_.no_stops;
    has_changed_ = false;
    if (!is_ahead()) [[likely]] return;
    turn_.limit = std::min(limit, scheduler_.due(ahead_.front_end) - 1);
    turn_.l1_ahead = limit;
    if (front_end_of(actor) == ahead_.front_end) turn_.push_ahead = limit;
}

// Else the sleepers would be all that is left, and the run would have come to its end.
bool KernelCores::others_are_due(unsigned actor) const {
    if (!nothing_is_on_its_way()) return true;
    for (unsigned i = 0; i < actors; ++i)
        if (i != actor && scheduler_.due(i) != never) return true;
    return false;
}

bool KernelCores::wake_all() {
    bool any = false;
    for (unsigned i = 0; i < actors; ++i) {
        any |= scheduler_.sleeps(i);
        wake_up(i);
    }
    if (any) awake_at_ = scheduler_.changes();
    return any;
}

void KernelCores::wake_up(unsigned actor) {
    if (scheduler_.sleeps(actor)) scheduler_.wake(actor, scheduler_.now());
    pass_polls(actor);
}

void KernelCores::look_ahead() {
    cores_until_ = std::min(ahead_.until, limits_.only_cores_until(ahead_.front_end));
    others_follow_ = shortcuts_.runs_ahead && !execution_.holds_instruction() && !options_.on_wait;
    polls_sleep_ = shortcuts_.runs_ahead && shortcuts_.no_observers && !cores_->has_neighbours() && !is_ahead();
}

[[gnu::always_inline]] inline KernelCores::Order KernelCores::order() const {
    Order order{scheduler_.place(0), cores_until_, cores_until_};
    for (const unsigned i : {1u, 2u, core_b, core_nc}) {
        const Cycle other = scheduler_.place(i);
        order.third = std::min(order.third, std::max(order.second, other));
        order.second = std::min(order.second, std::max(order.first, other));
        order.first = std::min(order.first, other);
    }
    return order;
}

inline bool KernelCores::Order::try_go_on_at(Cycle place) {
    if (place > third) return false;
    if (place > second)
        first = std::exchange(second, place);
    else
        first = place;
    return true;
}

KernelCores::Acted KernelCores::act(unsigned first) {
    turn_of_ = first;
    look_ahead();
    order_ = order();
    if (goes_apart() && apart_.act(cores_until_, quiet_)) return is_ahead() || !find_quiet() ? Acted::done : Acted::is_quiet;
    begin_turn(first, tells_end_of_wait(first) ? scheduler_.now() : order_.limit());
    if (options_.on_wait) caused_by({core_of(first), state_.riscv[core_of(first)].pc});
    const Turn turn = cores_->act(core_of(first), scheduler_.now(), *this);
    if (outcome_.stopped()) return Acted::done;
    const unsigned i = turn_of_;
    scheduler_.set_repeats(i, turn.repeats);
    switch (turn.kind) {
        case Turn::Kind::again: {
            const Cycle time = turn.at_limit ? stalls_.access_at(core_of(i), turn.time) : turn.time;
            if (turn.poll_ends && may_sleep() && others_are_due(i))
                scheduler_.sleep(i, std::max(time, scheduler_.now()), turn.period, turn.poll_ends);
            else
                scheduler_.acted(i, std::max(time, scheduler_.now()));
            break;
        }
        case Turn::Kind::wait: scheduler_.park(i, turn.wait, turn.wakes, turn.room_of); break;
        case Turn::Kind::finished:
            if (options_.on_wait) caused_by({core_of(i), state_.riscv[core_of(i)].stopped_at()});
            scheduler_.finish(i, turn.time);
            scheduler_.raise(Signal::pushed);
            break;
        case Turn::Kind::stop: outcome_.stop(); break;
    }
    if (is_ahead()) return Acted::done;
    if (turn.repeats && only_repeats() && !wake_all()) return Acted::only_repeats;
    return find_quiet() ? Acted::is_quiet : Acted::done;
}

void KernelCores::stopped_ahead(Cycle time) {
    if (has_changed_ || time > turn_.l1_ahead) return;
    cores_until_ = ahead_.until = stopped_ahead_ = Scheduler::place_of(time, turn_of_);
}

void KernelCores::act_ahead_of(unsigned thread, Cycle until) {
    if (!nobody_sees_l1()) return;
    const Scheduler::Moment moment = scheduler_.moment();
    ahead_ = {front_end_of(thread), TurnLimits::place_of(until + 1)};
    for (bool moves = true; moves && !outcome_.stopped() && !outcome_.polls_next();) {
        look_ahead();
        const Cycle next = order().first;
        if (next >= cores_until_ || next == stopped_ahead_) break;
        const unsigned core = Scheduler::actor_of(next);
        scheduler_.pass_to(Scheduler::time_of(next));
        scheduler_.begin_act(core);
        outcome_.count_step();
        act(core);
        moves = scheduler_.place(core) != next;
    }
    ahead_ = {};
    scheduler_.go_back_to(moment);
}

// Only if Engine::step() would do nothing else.
bool KernelCores::next_turn(Cycle time) {
    if (is_ahead()) stopped_ahead(time);
    if (has_changed_) {
        if (was_done_ || cores_->done()) return false;
        look_ahead();
        apart_.begin_again();
    }
    const Cycle now = scheduler_.now();
    if (!others_follow_ || outcome_.stopped() || outcome_.polls_next() || quiet_.is_over(scheduler_.changes(), now) ||
        !scheduler_.try_go_on_at(turn_of_, std::max(stalls_.access_at(core_of(turn_of_), time), now)))
        return false;
    if (has_changed_ || is_ahead() || !order_.try_go_on_at(scheduler_.place(turn_of_))) order_ = order();
    if (order_.first >= cores_until_) return false;
    apart_.count_turn();
    if (goes_apart()) return false;
    quiet_.note(scheduler_.changes(), now);
    outcome_.count_step();
    turn_of_ = order_.actor();
    scheduler_.pass_to(Scheduler::time_of(order_.first));
    scheduler_.begin_act(turn_of_);
    begin_turn(turn_of_, order_.limit());
    return true;
}

bool KernelCores::nothing_is_on_its_way() const {
    return scheduler_.clock().next() == never && work_.last_end() <= scheduler_.now() &&
           schedule_.executes_at() == never && limits_.outside_due() == never;
}

bool KernelCores::only_repeats() const {
    for (unsigned i = 0; i < actors; ++i)
        if (scheduler_.due(i) != never && !scheduler_.is_repeating(i)) return false;
    return nothing_is_on_its_way();
}

bool KernelCores::find_quiet() {
    const Cycle now = scheduler_.now();
    if (!quiet_.is_over(scheduler_.changes(), now)) {
        quiet_.note(scheduler_.changes(), now);
        return false;
    }
    const auto& due = scheduler_.due();
    // No front end acts by itself.
    if (!nothing_is_on_its_way() || std::any_of(due.begin() + state::threads, due.begin() + core_b,
                                                [](Cycle front_end) { return front_end != never; }))
        return false;
    if (wake_all()) return false;
    quiet_.looked(now);
    return true;
}

void KernelCores::act_from_outside(Cycle due) {
    turn_of_ = host;
    scheduler_.begin_event();
    ++scheduler_.changes();
    if (cores_->noc_due() == due)
        cores_->act_noc(scheduler_.now(), *this);
    else
        cores_->act_host(scheduler_.now(), *this);
}

void KernelCores::repeated_until(Cycle until) {
    for (unsigned i = 0; i < actors; ++i) {
        if (is_front_end(i) || scheduler_.due(i) == never || !scheduler_.is_repeating(i)) continue;
        scheduler_.go_on_at(i, std::max(scheduler_.due(i), cores_->skip_repeats(core_of(i), until)));
    }
}

void KernelCores::host_wrote_l1(std::uint32_t address, std::uint32_t bytes) {
    turn_of_ = host;
    host_wrote(address, bytes);
}

void KernelCores::host_resets(RiscvCore core, bool start) {
    std::array<bool, riscv_cores> cores{};
    cores[static_cast<std::size_t>(core)] = true;
    turn_of_ = host;
    ++scheduler_.changes();
    cores_->host_resets(cores, start, scheduler_.now(), *this);
}

void KernelCores::debugger_changed(RiscvCore core) {
    turn_of_ = host;
    ++scheduler_.changes();
    if (scheduler_.is_parked(actor_of(core))) CorePort::wake(static_cast<unsigned>(core), scheduler_.now());
}

Cores::HostAccess KernelCores::host_accesses(std::uint32_t address, std::optional<std::uint32_t> stored) {
    turn_of_ = host;
    if (stored) ++scheduler_.changes();
    return cores_->host_accesses(address, stored, scheduler_.now(), *this);
}

}  // namespace tessera::engine
