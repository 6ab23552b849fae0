// SPDX-License-Identifier: Apache-2.0
// Who acts next, and who waits for what. It knows no unit and no instruction: an actor waits until a cycle that is known, or is parked until
// something is changed that it waits for, and somebody says so (raise()).
#pragma once

#include <array>

#include "engine/actors.hpp"
#include "engine/clock.hpp"
#include "engine/pipes/workload.hpp"
#include "engine/wait.hpp"
#include "engine/wait_times.hpp"
#include "frontend/wait_gate.hpp"
#include "plan/pipe.hpp"
#include "state/state.hpp"

namespace tessera::engine {

inline constexpr plan::PipeMask all_pipes = (1u << plan::pipes) - 1;

/// Of Signal::unit: in which pipes something has changed, and of which thread; no_thread: of any.
struct Changed {
    plan::PipeMask pipes = all_pipes;
    unsigned thread = no_thread;
    bool ends = false;            ///< an instruction has ended, which makes no room in a queue
    std::uint8_t fifo = no_fifo;  ///< with Signal::pushed and Signal::popped: of this thread; no_fifo: of any
};

struct Actor {
    bool parked = false;
    bool finished = false;
    Signals wakes = 0;               ///< while it is parked
    std::uint8_t room_of = no_fifo;  ///< Turn::room_of
    Cycle not_before = 0;            ///< when it may act at the earliest, once it is woken
    Wait wait;
    plan::PipeMask behind = 0;  ///< waits until these units are free, in a known cycle; 0: for something else
    Cycle since = 0;
    /// Scheduler::changes() when it was found to do nothing but repeat itself; never: it was not.
    std::uint64_t repeats_since = never;
    Cause ended_by;  ///< its wait; kept for those who are told of waits
};

/// Who else hears of changes.
class ChangeListener {
public:
    /// Something has changed that a latched wait may be about.
    virtual void conditions_changed(Signals signals, Cycle now, const Changed& changed) = 0;
    /// A bank has been passed on.
    virtual void banks_passed(Cycle now) = 0;
    /// From now on what the thread's core does is kept in order with its instructions.
    virtual void auto_sync_begins(unsigned thread) = 0;

protected:
    ~ChangeListener() = default;
};

/// RunOptions::on_wait.
class WaitListener {
public:
    /// The actor, which has begun to wait.
    virtual void begins(unsigned actor) = 0;
    /// It has waited from Actor::since until `end`, and goes on if that is `over`.
    virtual void waited(unsigned actor, Cycle end, bool over) = 0;
    virtual void has_finished(unsigned actor) = 0;

protected:
    ~WaitListener() = default;
};

struct SchedulerState {
protected:
    std::array<Actor, actors> actors_{};
    std::array<Cycle, actors> due_{};  ///< when each acts next; never: it is parked or has finished
    Signals awaited_ = 0;              ///< by parked actors, and maybe more
    bool ends_awaited_ = false;        ///< all of them: the run ends with the last
    Clock clock_;
    Cycle now_ = 0, last_event_ = 0;
    std::uint64_t changes_ = 0;                       ///< counts whatever a core could notice
    unsigned actor_ = actors;                         ///< who acts, or acted in the last step; actors: it was an event
    unsigned acted_ = 0;                              ///< the last by its number of all that have acted
    Cycle acted_at_ = 0;                              ///< in this cycle
    Cause cause_;                                     ///< whose doing is going on
    std::array<WaitTimes, state::threads> waited_{};  ///< front ends
};

class Scheduler : private SchedulerState {
public:
    /// `waits`: null when nobody is told of waits.
    Scheduler(const state::State& state, Workload& work, ChangeListener& listener, WaitListener* waits)
        : state_(state), work_(work), listener_(listener), waits_(waits) {}

    const SchedulerState& saved() const { return *this; }
    void restore(const SchedulerState& saved) { static_cast<SchedulerState&>(*this) = saved; }

    // Time.

    Cycle now() const { return now_; }
    void pass_to(Cycle time) { work_.pass_to(now_ = std::max(now_, time)); }
    Clock& clock() { return clock_; }
    const Clock& clock() const { return clock_; }
    /// The next event.
    Event take_event() {
        const Event event = clock_.pop();
        last_event_ = event.time;
        return event;
    }
    /// An event took place without one of the clock.
    void note_event(Cycle time) { last_event_ = std::max(last_event_, time); }
    Cycle last_event() const { return last_event_; }
    std::uint64_t& changes() { return changes_; }
    std::uint64_t changes() const { return changes_; }

    // Turns.

    /// Whose turn it is, if it is anybody's.
    unsigned next_actor() const;
    Cycle due(unsigned actor) const { return due_[actor]; }
    const std::array<Cycle, actors>& due() const { return due_; }
    /// The last cycle at which an actor may do what others can see, as far as other actors and events are concerned.
    Cycle turn_limit(unsigned actor) const;
    /// An event happens now.
    void event_acts() { actor_ = actors; }
    void host_acts() { actor_ = host; }
    /// It is the actor's turn now.
    void takes_turn(unsigned actor) {
        acted_ = acted_at_ == now_ ? std::max(acted_, actor) : actor;
        acted_at_ = now_;
    }
    void acts(unsigned actor) {
        actor_ = actor;
        takes_turn(actor);
    }
    /// Who acts, or acted in the last step.
    unsigned acting() const { return actor_; }
    /// Whether the actor has come to its turn of this cycle.
    bool has_acted(unsigned actor) const { return acted_at_ == now_ && actor <= acted_; }
    /// The run is over at `time`, and everybody has come to all that he does until then.
    void end_at(Cycle time) {
        acted_at_ = now_ = time;
        acted_ = actor_ = actors;
    }

    // What actors do.

    const Actor& actor(unsigned i) const { return actors_[i]; }
    const std::array<Actor, actors>& all() const { return actors_; }
    bool all_finished() const;
    /// The actor has done something and acts again at `next`.
    void acted(unsigned actor, Cycle next) {
        Actor& one = actors_[actor];
        if (one.wait.kind != Wait::Kind::none) account_wait(actor, now_);
        one.wait = {};
        one.behind = 0;
        go_on_at(actor, next);
    }
    /// The same of one that does not wait.
    void go_on_at(unsigned actor, Cycle time) { due_[actor] = actors_[actor].since = time; }
    /// It waits until a cycle that is known.
    void wait_until(unsigned actor, const Wait& wait, Cycle time, const Cause& begun_by = {});
    /// The same, for these units: when somebody else takes them it waits longer (postpone()).
    void wait_behind(unsigned actor, const Wait& wait, Cycle time, const Cause& begun_by, plan::PipeMask pipes) {
        wait_until(actor, wait, time, begun_by);
        actors_[actor].behind = pipes;
    }
    void waits_no_longer_behind(unsigned actor) { actors_[actor].behind = 0; }
    /// It waits until one of `wakes` is raised.
    void park(unsigned actor, const Wait& wait, Signals wakes);
    /// The same of a core that waits for room in a FIFO, and for nothing else; no_fifo: for something else.
    void waits_for_room_of(unsigned actor, std::uint8_t fifo) { actors_[actor].room_of = fifo; }
    void repeats(unsigned actor, bool does) { actors_[actor].repeats_since = does ? changes_ : never; }
    void wake(unsigned actor, Cycle now) {
        actors_[actor].parked = false;
        due_[actor] = std::max(actors_[actor].not_before, now);
        actors_[actor].ended_by = cause_;
    }
    /// A core has nothing left to do.
    void finish(unsigned actor);
    /// A front end will have nothing more to do.
    void retire(unsigned actor);
    /// Of a run that begins: the actor takes no part.
    void leave_out(unsigned actor, const Wait& wait);
    /// A core that has finished, or waits, acts at that time.
    void start(unsigned actor, Cycle time);
    /// The wait so far is counted, and told.
    void account_wait(unsigned actor, Cycle now, bool over = true);
    WaitTimes& waited(unsigned thread) { return waited_[thread]; }
    const WaitTimes& waited(unsigned thread) const { return waited_[thread]; }
    /// Front ends that wait for one of these units wait until it is free.
    template <class FreeAt, class Last>
    void postpone(plan::PipeMask taken, FreeAt&& free_at, Last&& last) {
        for (unsigned i = state::threads; i < core_b; ++i) {
            const plan::PipeMask behind = actors_[i].behind;
            if (!(behind & taken)) continue;
            const Cycle free = free_at(behind);
            if (free == never || free <= due_[i]) continue;
            due_[i] = free;
            if (waits_) actors_[i].ended_by = last(behind);
        }
    }

    // A program's core that feeds its FIFO acts when the FIFO says so.

    void await_room(unsigned actor, Cycle not_before);
    /// When it would have acted; it does so now.
    Cycle unpark(unsigned actor) {
        actors_[actor].parked = false;
        return actors_[actor].not_before;
    }
    /// It waits for nothing, and acts at that time.
    void act_at(unsigned actor, Cycle time) {
        actors_[actor].parked = false;
        actors_[actor].wait = {};
        go_on_at(actor, time);
    }
    /// Of a copy of a run: nobody acts by himself.
    void nobody_acts() { due_.fill(never); }

    // Changes.

    Signals awaited() const { return awaited_; }
    void raise(Signals signals) { raise(signals, now_, Changed()); }
    void raise(Signals signals, Cycle now) { raise(signals, now, Changed()); }
    /// Something has changed, which others may wait for.
    void raise(Signals signals, Cycle now, const Changed& changed) {
        constexpr Signals conditions =
            Signal::bank | Signal::semaphore | static_cast<Signals>(Signal::unit) | Signal::store | Signal::stream;
        if (signals & awaited_) wake_concerned(signals, now, changed);
        if (signals & conditions && frontend::any_latch(state_))
            listener_.conditions_changed(signals & conditions, now, changed);
        if (signals & static_cast<Signals>(Signal::bank)) listener_.banks_passed(now);
    }
    /// Whether a RISC-V core waits for room in the thread's FIFO, and for nothing else.
    bool is_room_awaited(unsigned thread) const;
    /// Whether an actor waits for the end of an instruction of the thread in these pipes.
    bool is_end_awaited(plan::PipeMask pipes, unsigned thread) const;
    /// From now on all ends are awaited, or only those that somebody waits for.
    void await_all_ends(bool all);
    /// Somebody waits for instructions to end: those that do so unseen are told.
    void watch_lazy_ends();
    /// Of those who wait for a mutex that a thread releases, the next thread in a circle gets it (ATRELM). Others wait on.
    void mutex_released(unsigned thread, unsigned mutex, Cycle now);
    /// Whoever is woken until the next call was waiting for what this one does.
    void caused_by(const Cause& by) {
        if (waits_) cause_ = by;
    }
    const Cause& cause() const { return cause_; }

private:
    void wake_concerned(Signals signals, Cycle now, const Changed& changed);

    const state::State& state_;
    Workload& work_;
    ChangeListener& listener_;
    WaitListener* const waits_;
};

}  // namespace tessera::engine
