// SPDX-License-Identifier: Apache-2.0
// Decides which actor acts next. An actor waits until a known cycle, or is parked until a part raises a signal for it
// (raise()). The scheduler knows which conditions a part waits for, but no instruction.
#pragma once

#include <algorithm>
#include <array>
#include <utility>

#include "engine/actors.hpp"
#include "engine/clock.hpp"
#include "engine/kept.hpp"
#include "engine/pipes/workload.hpp"
#include "engine/wait.hpp"
#include "engine/wait_times.hpp"
#include "frontend/wait_gate.hpp"
#include "plan/pipe.hpp"
#include "state/state.hpp"

namespace tessera::engine {

inline constexpr plan::PipeMask all_pipes = (1u << plan::pipes) - 1;

/// Detail of Signal::unit: the pipes that changed, and the thread; no_thread: any.
struct Changed {
    plan::PipeMask pipes = all_pipes;
    unsigned thread = no_thread;
    bool ends = false;            ///< an instruction ended without making room in a queue
    std::uint8_t fifo = no_fifo;  ///< with Signal::pushed and Signal::popped: the thread; no_fifo: any
};

/// The part of an actor's wait for units that moves if another thread takes one of them first (Scheduler::postpone()).
enum class IfTaken : std::uint8_t {
    nothing,
    cause,  ///< of the end of its wait
    cycle,  ///< in which it wakes up, and that cause
};

/// The place where instructions enter units. Threads that wait at one entrance take turns.
struct Entrance {
    plan::PipeMask pipes = 0;
    std::uint8_t part = 0;  ///< of a unit with several entrances
};

struct Actor {
    bool finished = false;
    std::uint8_t room_of = no_fifo;  ///< Turn::room_of
    Cycle not_before = 0;            ///< earliest cycle in which it may act after a wake
    Wait wait;
    plan::PipeMask behind = 0;  ///< waits until it can have these units, at a known cycle; 0: waits for something else
    std::uint8_t part = 0;      ///< with `behind`: Entrance::part
    IfTaken if_taken{};         ///< with `behind`
    Cycle since = 0;
    /// Scheduler::changes() when the core was found to repeat itself; never: it was not.
    std::uint64_t repeats_since = never;
    Cause ended_by;  ///< cause of the end of its wait, for observers of waits
    Cycle period = 0;  ///< of the accesses of a core that polls (sleep()), from `not_before` on; 0: it does not sleep
    Cycle finished_at = 0;  ///< of a core that has finished: its last act, which may lie ahead of the run
};

/// Other parts that react to changes.
class ChangeListener {
public:
    /// A resource of latched waits changed.
    virtual void conditions_changed(Signals signals, Cycle now, const Changed& changed) = 0;
    /// A bank changed its owner.
    virtual void banks_passed(Cycle now) = 0;
    /// From now on the acts of the thread's core are ordered with its instructions.
    virtual void auto_sync_begins(unsigned thread) = 0;

protected:
    ~ChangeListener() = default;
};

/// RunOptions::on_wait.
class WaitListener {
public:
    /// The actor has begun to wait.
    virtual void begins(unsigned actor) = 0;
    /// The actor waited from Actor::since until `end`. `over`: it continues.
    virtual void waited(unsigned actor, Cycle end, bool over) = 0;
    virtual void has_finished(unsigned actor) = 0;

protected:
    ~WaitListener() = default;
};

struct SchedulerState {
protected:
    std::array<Actor, actors> actors_{};
    std::array<Cycle, actors> due_{};      ///< next act of each; never: parked or finished
    std::array<Signals, actors> wakes_{};  ///< signals that each parked actor waits for; none: no signal wakes it
    std::uint8_t waiters_ = 0;             ///< the actors that wait for signals, a bit each
    Signals awaited_;                      ///< those of all, and possibly more
    bool ends_awaited_ = false;            ///< the run ends with the last end, so all ends are events
    Clock clock_;
    Cycle now_ = 0, last_event_ = 0;
    std::uint64_t changes_ = 0;                       ///< counts every change that a core could observe
    unsigned actor_ = actors;                         ///< who acts, or acted last; actors: an event did
    Cycle acted_ = 0;                                 ///< the last act's place()
    Cause cause_;                                     ///< cause of the current changes
    std::array<WaitTimes, state::threads> waited_{};  ///< front ends
};

class Scheduler : public Kept<SchedulerState> {
public:
    /// `waits`: null if no observer asks for waits.
    Scheduler(const state::State& state, Workload& work, ChangeListener& listener, WaitListener* waits)
        : state_(state), work_(work), listener_(listener), waits_(waits) {}

    // Time.

    Cycle now() const { return now_; }
    void pass_to(Cycle time) { work_.pass_to(now_ = std::max(now_, time)); }
    /// The cycle, and who acts in it.
    struct Moment {
        Cycle now = 0, acted = 0;
        unsigned actor = 0;
    };
    Moment moment() const { return {now_, acted_, actor_}; }
    /// Others have acted ahead of that moment, and the run goes on from there.
    void go_back_to(const Moment& moment) {
        work_.pass_to(now_ = moment.now);
        actor_ = moment.actor;
        acted_ = moment.acted;
    }
    Clock& clock() { return clock_; }
    const Clock& clock() const { return clock_; }
    /// The next event.
    Event take_event() {
        const Event event = clock_.pop();
        last_event_ = event.time;
        return event;
    }
    /// An event that is not in the clock took place.
    void note_event(Cycle time) { last_event_ = std::max(last_event_, time); }
    Cycle last_event() const { return last_event_; }
    std::uint64_t& changes() { return changes_; }
    std::uint64_t changes() const { return changes_; }

    // Turns.

    /// The actor with the earliest due time; of several, the one with the lowest number.
    unsigned next_actor() const {
        // In rounds: seven comparisons in a row would each wait for the one before. Of places, as no branch can be foretold.
        static_assert(actors == 8);
        const auto sooner = [](Cycle a, Cycle b) { return std::min(a, b); };
        const auto of = [&](unsigned a, unsigned b) { return sooner(place(a), place(b)); };
        return actor_of(sooner(sooner(of(0, 1), of(2, 3)), sooner(of(4, 5), of(6, 7))));
    }
    Cycle due(unsigned actor) const { return due_[actor]; }
    const std::array<Cycle, actors>& due() const { return due_; }
    /// An act's place among all acts, as one number: by time, then by the actor's.
    static constexpr Cycle place_of(Cycle time, unsigned actor) { return time * actors + actor; }
    static constexpr Cycle time_of(Cycle place) { return place / actors; }
    static constexpr unsigned actor_of(Cycle place) { return static_cast<unsigned>(place % actors); }
    /// The place of the actor's next act. What is not due comes behind everything.
    Cycle place(unsigned actor) const { return place_of(due_[actor], actor); }
    /// The last cycle in which the actor may change shared state before another actor or an event is due.
    Cycle turn_limit(unsigned actor) const;
    /// Begins the step of an event, or of the host (host == actors).
    void begin_event() { actor_ = actors; }
    /// The actor takes its turn of this cycle, in whoever's step.
    void take_turn(unsigned actor) { acted_ = std::max(acted_, place_of(now_, actor)); }
    /// Begins the step of an actor.
    void begin_act(unsigned actor) {
        actor_ = actor;
        take_turn(actor);
    }
    /// The acting actor, or that of the last step.
    unsigned acting() const { return actor_; }
    /// Whether the actor's turn of this cycle has passed.
    bool has_acted(unsigned actor) const { return place_of(now_, actor) <= acted_; }
    /// The run ends at `time`; every actor has done all of its acts until then.
    void end_at(Cycle time) {
        now_ = time;
        acted_ = place_of(time, actors - 1);
        actor_ = actors;
    }

    // Acts and waits of actors.

    const Actor& actor(unsigned i) const { return actors_[i]; }
    bool is_parked(unsigned actor) const { return due_[actor] == never && !actors_[actor].finished; }
    bool all_finished() const;
    /// The actor acted and is due again at `next`.
    void acted(unsigned actor, Cycle next) {
        Actor& one = actors_[actor];
        if (one.wait.kind != Wait::Kind::none) account_wait(actor, now_);
        one.wait = {};
        one.behind = 0;
        go_on_at(actor, next);
    }
    /// The same for an actor that does not wait.
    void go_on_at(unsigned actor, Cycle time) { due_[actor] = actors_[actor].since = time; }
    /// The same for a core that does not repeat itself. False, and nothing is done, if it waited.
    bool try_go_on_at(unsigned core, Cycle time) {
        Actor& one = actors_[core];
        if (one.wait.kind != Wait::Kind::none) return false;
        one.repeats_since = never;
        go_on_at(core, time);
        return true;
    }
    /// The actor waits until a known cycle.
    void wait_until(unsigned actor, const Wait& wait, Cycle time, const Cause& begun_by = {});
    /// The same for units.
    void wait_behind(unsigned actor, const Wait& wait, Cycle time, const Cause& begun_by, Entrance at, IfTaken if_taken) {
        wait_until(actor, wait, time, begun_by);
        actors_[actor].behind = at.pipes;
        actors_[actor].part = at.part;
        actors_[actor].if_taken = if_taken;
    }
    /// Whether another front end that acts later in this cycle has waited longer at the entrance: threads take turns.
    bool waits_longer(unsigned actor, Entrance at) const {
        for (unsigned i = state::threads; i < core_b; ++i) {
            const Actor& other = actors_[i];
            const bool waits_here = i != actor && other.behind & at.pipes && other.part == at.part && due_[i] == now_;
            if (waits_here && other.since < actors_[actor].since) return true;
        }
        return false;
    }
    /// A front end acts: it waits for no unit meanwhile.
    void leave_entrance(unsigned actor) { actors_[actor].behind = 0; }
    /// Parks the actor until one of `wakes` is raised. `room_of`: as Turn's.
    void park(unsigned actor, const Wait& wait, Signals wakes, std::uint8_t room_of = no_fifo);
    /// Whether the core was found to repeat itself now.
    void set_repeats(unsigned actor, bool does) { actors_[actor].repeats_since = does ? changes_ : never; }
    /// Whether a core was found to repeat itself, and nothing has changed since.
    bool is_repeating(unsigned actor) const { return actors_[actor].repeats_since == changes_; }
    void wake(unsigned actor, Cycle now) {
        unpark(actor);
        due_[actor] = actors_[actor].period ? next_poll(actor, now) : std::max(actors_[actor].not_before, now);
        actors_[actor].ended_by = cause_;
    }
    /// A core polls in vain every `period` cycles from `next` on, until one of `wakes`. Nobody asks it until then.
    void sleep(unsigned core, Cycle next, Cycle period, Signals wakes);
    bool sleeps(unsigned core) const { return is_parked(core) && actors_[core].period; }
    /// Number of accesses of a core that slept and is due again. They are counted once: it does not sleep any more.
    std::uint64_t take_polls(unsigned core) {
        Actor& one = actors_[core];
        if (!one.period) return 0;
        one.since = due_[core];
        return (due_[core] - one.not_before) / std::exchange(one.period, 0);
    }
    /// A core has nothing left to do. Its last act was at that time, or before now.
    void finish(unsigned actor, Cycle at = 0);
    /// The next time at which a core will have finished; never: there is none.
    Cycle next_finish() const;
    /// A front end will have nothing left to do.
    void retire(unsigned actor);
    /// At the start of a run: the actor takes no part.
    void leave_out(unsigned actor, const Wait& wait);
    /// A finished or parked core becomes due at that time.
    void start(unsigned actor, Cycle time);
    /// Counts and reports the wait, which is over.
    void account_wait(unsigned actor, Cycle now);
    /// Counts the wait so far, and reports it with `tell`. It goes on, and Actor::since stays.
    void account_open_wait(unsigned actor, Cycle now, bool tell);
    WaitTimes& waited(unsigned thread) { return waited_[thread]; }
    const WaitTimes& waited(unsigned thread) const { return waited_[thread]; }
    /// Moves the wake-up time of front ends that wait for these units to the cycle in which they are free. `last`: the cause of that.
    template <class FreeAt, class Last>
    void postpone(plan::PipeMask taken, FreeAt&& free_at, Last&& last) {
        for (unsigned i = state::threads; i < core_b; ++i) {
            const plan::PipeMask behind = actors_[i].behind;
            const IfTaken if_taken = actors_[i].if_taken;
            if (!(behind & taken) || if_taken == IfTaken::nothing) continue;
            const Cycle free = free_at(behind);
            if (free == never || free < due_[i]) continue;
            if (if_taken == IfTaken::cycle) due_[i] = free;
            if (waits_) actors_[i].ended_by = last(behind);
        }
    }

    // A program's core that feeds its FIFO is due when the FIFO has room.

    void await_room(unsigned actor, Cycle not_before);
    /// When it would have been due; it acts now.
    Cycle unpark(unsigned actor) {
        wait_for(actor, {});
        return actors_[actor].not_before;
    }
    /// It waits for nothing and is due at that time.
    void act_at(unsigned actor, Cycle time) {
        unpark(actor);
        actors_[actor].wait = {};
        go_on_at(actor, time);
    }

    // Changes.

    Signals awaited() const { return awaited_; }
    void raise(Signals signals) { raise(signals, now_, Changed()); }
    void raise(Signals signals, Cycle now) { raise(signals, now, Changed()); }
    /// Raises signals: wakes actors parked on them.
    void raise(Signals signals, Cycle now, const Changed& changed) {
        constexpr Signals conditions = Signal::bank | Signal::semaphore | Signal::unit | Signal::store | Signal::stream;
        if (signals & awaited_) wake_concerned(signals, now, changed);
        if (signals & conditions && frontend::any_latch(state_))
            listener_.conditions_changed(signals & conditions, now, changed);
        if (signals & Signal::bank) listener_.banks_passed(now);
    }
    /// Whether a RISC-V core waits only for room in the thread's FIFO.
    bool is_room_awaited(unsigned thread) const;
    /// Whether an actor waits for the end of the thread's instructions in these pipes.
    bool is_end_awaited(plan::PipeMask pipes, unsigned thread) const {
        return ends_awaited_ || (awaited_ & Signal::unit && is_end_awaited_by_actor(pipes, thread));
    }
    /// From now on all ends are events, or only awaited ones.
    void await_all_ends(bool all) {
        if (all && !ends_awaited_) watch_lazy_ends();
        ends_awaited_ = all;
    }
    /// An actor waits for ends: schedules an event for the last lazy end among them.
    void watch_lazy_ends();
    /// When a thread releases a mutex, the next waiting thread in circular order takes it (ATRELM). The others stay
    /// parked.
    void mutex_released(unsigned thread, unsigned mutex, Cycle now);
    /// Sets the cause of all wakes until the next call.
    void caused_by(const Cause& by) {
        if (waits_) cause_ = by;
    }
    const Cause& cause() const { return cause_; }

private:
    /// The actor waits for these signals; without any it no longer waits for signals.
    void wait_for(unsigned actor, Signals signals) {
        wakes_[actor] = signals;
        const std::uint8_t bit = static_cast<std::uint8_t>(1u << actor);
        waiters_ = static_cast<std::uint8_t>(signals ? waiters_ | bit : waiters_ & ~bit);
        awaited_ |= signals;
    }
    /// Adds what an actor has waited until now to its thread's waits. False: nothing.
    bool count_wait(unsigned actor, Cycle now);
    /// The first access of a core that polls which has not been made yet.
    Cycle next_poll(unsigned core, Cycle now) const;
    void wake_concerned(Signals signals, Cycle now, const Changed& changed);
    bool is_end_awaited_by_actor(plan::PipeMask pipes, unsigned thread) const;

    const state::State& state_;
    Workload& work_;
    ChangeListener& listener_;
    WaitListener* const waits_;
};

}  // namespace tessera::engine
