// SPDX-License-Identifier: Apache-2.0
// Turns of RISC-V cores. A core runs until its next access to shared state lies beyond the due time of another actor.
#pragma once

#include <optional>
#include <utility>

#include "engine/delays.hpp"
#include "engine/sources/core_port.hpp"
#include "engine/sources/cores_apart.hpp"
#include "engine/sources/time_loops.hpp"
#include "engine/turn_limits.hpp"

namespace tessera::engine {

struct KernelCoresState {
    CorePortState port;
    QuietTime quiet;
};

class KernelCores final : public CorePort {
public:
    KernelCores(const Context& context, const CorePortParts& parts, const TurnLimits& limits,
                const VectorSchedule& schedule);

    KernelCoresState saved() const { return {CorePort::saved(), quiet_}; }
    void restore(const KernelCoresState& saved) {
        CorePort::restore(saved.port);
        quiet_ = saved.quiet;
    }

    enum class Acted : std::uint8_t {
        done,
        only_repeats,  ///< nothing will ever change: every running core only repeats itself
        is_quiet,      ///< nothing is in flight, and nothing has changed for long
    };
    /// The core's turn, and turns of other cores while no other actor is due.
    Acted act(unsigned actor);
    /// Cores act until that cycle ahead of the thread's front end, which acts next. Until then it executes what no core can notice
    /// by a plain access to L1, and its own core by pushing words. All stop before anything else.
    void act_ahead_of(unsigned thread, Cycle until);
    /// The act that is due then: the tile's for the NoC, or else the host's step.
    void act_from_outside(Cycle due);
    /// See Cores::tell_unfinished().
    void tell_unfinished() {
        if (cores_) cores_->tell_unfinished(*this);
    }
    /// Cores that only repeated themselves did so until that cycle.
    void repeated_until(Cycle until);
    /// All sleeping cores are where they would be now, had they never slept. Until the next change none sleeps again. False: none slept.
    bool wake_all();
    // They may write the loop in which a core sleeps.
    void host_wrote(std::uint32_t address, std::uint32_t bytes) override {
        wake_all();
        CorePort::host_wrote(address, bytes);
    }
    void noc_wrote(const By* by, std::uint32_t address, std::uint32_t bytes) override {
        wake_all();
        CorePort::noc_wrote(by, address, bytes);
    }
    void halt(unsigned core) override {
        wake_up(actor_of(RiscvCore(core)));
        CorePort::halt(core);
    }
    void host_wrote_l1(std::uint32_t address, std::uint32_t bytes);
    void host_resets(RiscvCore core, bool start);
    void debugger_changed(RiscvCore core);
    Cores::HostAccess host_accesses(std::uint32_t address, std::optional<std::uint32_t> stored);

    bool next_turn(Cycle time) override;

    /// Of cores with neighbours: notes whether the tile is done. Returns whether that is new.
    bool note_done(bool done) { return std::exchange(was_done_, done) != done; }

    /// At the start of a run: whether several cores run.
    void share_l1(bool shared) { l1_shared_ = shared; }

private:
    /// The places (TurnLimits::place_of()) of the three cores that are due first; cores_until_ in place of what comes behind it.
    struct Order {
        Cycle first = 0, second = 0, third = 0;
        unsigned actor() const { return Scheduler::actor_of(first); }
        /// The last cycle in which the first core may touch shared state before the second.
        Cycle limit() const { return TurnLimits::limit_before(second, actor()); }
        /// The first core acts at that place next. False, and nothing is done: the third core would not be known.
        bool try_go_on_at(Cycle place);
    };
    Order order() const;
    /// An act_ahead_of().
    struct Ahead {
        unsigned front_end = actors;  ///< actors: there is none
        Cycle until = never;          ///< a place
    };
    bool is_ahead() const { return ahead_.front_end != actors; }
    /// The acting core stopped ahead: if before what it may not do there, nobody goes on ahead of that.
    void stopped_ahead(Cycle time);
    /// Whether cores act apart instead of the next turn.
    bool goes_apart() const {
        return apart_.is_worth_it(order_.second, cores_until_) && nobody_sees_l1() && !stalls_.drawn() && l1_is_shared();
    }
    /// Nobody can tell in which order plain accesses to L1 come, but for those who make them.
    bool nobody_sees_l1() const {
        return shortcuts_.runs_ahead && shortcuts_.no_observers && shortcuts_.no_stops && !execution_.holds_instruction();
    }
    /// Computes what holds until the core changes something.
    void look_ahead();
    /// A wait ends where the turn behind it does, so that turn is to be short.
    bool tells_end_of_wait(unsigned actor) const {
        return options_.on_wait && scheduler_.actor(actor).wait.kind != Wait::Kind::none;
    }
    void begin_turn(unsigned actor, Cycle limit);
    /// Whether cores that poll may leave the schedule until something ends their poll (Scheduler::sleep()).
    bool may_sleep() const { return polls_sleep_ && awake_at_ != scheduler_.changes(); }
    bool others_are_due(unsigned actor) const;
    void wake_up(unsigned actor);
    /// The core has done what it did while it slept.
    void pass_polls(unsigned actor);
    bool nothing_is_on_its_way() const;
    bool only_repeats() const;
    /// Notes a change. True: nothing has changed for long, and nothing is in flight. It is then time to look for time loops.
    bool find_quiet();

    const TurnLimits& limits_;
    const VectorSchedule& schedule_;
    const CoreStalls stalls_;
    bool was_done_ = false;  ///< at the last note_done()
    QuietTime quiet_;
    std::uint64_t awake_at_ = never;  ///< Port::changes() at the last wake_all()
    // Void once the core changes something.
    Cycle cores_until_ = 0;       ///< TurnLimits::only_cores_until()
    Order order_;
    bool others_follow_ = false;  ///< turns may follow one another without the engine
    bool polls_sleep_ = false;    ///< may_sleep(), but for awake_at_
    CoresApart apart_;
    Ahead ahead_;
    Cycle stopped_ahead_ = never;  ///< the place of the last stopped_ahead()
};

}  // namespace tessera::engine
