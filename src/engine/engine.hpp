// SPDX-License-Identifier: Apache-2.0
// One run: cores feed three front ends, which issue instructions into units. The engine always lets the actor with
// the smallest time act (ties: lowest number), after everything that happens until then, so a run is deterministic.
// README.md says what is in which file.
#pragma once

#include <bit>

#include "checks/checker.hpp"
#include "engine/cores.hpp"
#include "engine/engine_port.hpp"
#include "engine/progress.hpp"
#include "engine/time_loops.hpp"
#include "engine/written.hpp"
#include "tessera/core.hpp"
#include "units/resolve.hpp"

namespace tessera::engine {

class RunRecorder;

class Engine : private Progress, private frontend::ExpanderListener {
public:
    Engine(state::State& state, units::Slots& slots, const Program& program, const RunOptions& options, Reset reset);
    /// RISC-V cores in place of a program.
    Engine(state::State& state, units::Slots& slots, Cores& cores, const RunOptions& options, Reset reset);
    Run run();
    /// From now on `recorder` learns what is done, and what decides about it. To be called before anything is.
    void record(RunRecorder& recorder);
    /// What L1 holds. To be called before anything is done.
    void knows_l1(std::vector<checks::L1Tensor> tensors) { checked_.l1_tensors = std::move(tensors); }
    /// Those of it that nothing has been written to.
    const std::vector<checks::L1Tensor>& known_l1() const { return checked_.l1_tensors; }

    // A run in steps: advance() until it says no, then finish().

    /// One event, or one act of one actor. False: nothing is left to do, or the run has been stopped.
    bool advance();
    /// The cycle of the next one; never: there is none.
    Cycle next_time() const;
    Run finish();

    // Between two steps.

    using Progress::issued, Progress::last_issued, Progress::last_writer, Progress::now;
    const diagnostics::FindingsLog& findings() const { return log_; }
    /// What has been until now.
    Run so_far() const;
    /// Who waits for what.
    std::vector<Blocked> blocked() const;
    Where where(const Doer& doer) const;
    /// The last of Run::explanations, which then lacks it.
    std::optional<Explanation> take_explanation();
    // As a host does it, of an address in L1, and of a run with cores.
    void host_writes(std::uint32_t address, std::span<const std::byte> bytes);
    void host_resets(RiscvCore core, bool start);
    /// FIFOs and queues in front of units become visible state.
    void publish();
    const Progress& progress() const { return *this; }
    /// Goes on from there; the state must be what it was then.
    void go_back_to(const Progress& progress);

private:
    friend class EnginePort;
    Engine(state::State& state, units::Slots& slots, const Program* program, Cores* cores, const RunOptions& options,
           Reset reset);

    // engine.cpp
    bool step();
    static constexpr std::uint64_t asked_every = 256;
    static bool asks_for_interrupt(std::uint64_t step) { return step % asked_every == 0; }
    bool interrupted(std::uint64_t steps = 1);
    unsigned next_actor() const;
    Cycle next_unseen() const;
    void note_done_before();
    void handle(const Event& event);
    /// Of Signal::unit: in which pipes something has changed, and of which thread; no_thread: of any.
    struct Changed {
        plan::PipeMask pipes = all_pipes;
        unsigned thread = no_thread;
        bool ends = false;            ///< an instruction has ended, which makes no room in a queue
        std::uint8_t fifo = no_fifo;  ///< with Signal::pushed and Signal::popped: of this thread; no_fifo: of any
    };
    static constexpr plan::PipeMask all_pipes = (1u << plan::pipes) - 1;
    void raise(Signals signals, Cycle now) { raise(signals, now, Changed()); }
    /// Something has changed, which others may wait for.
    void raise(Signals signals, Cycle now, const Changed& changed) {
        constexpr Signals conditions =
            Signal::bank | Signal::semaphore | static_cast<Signals>(Signal::unit) | Signal::store | Signal::stream;
        if (signals & awaited_) wake_concerned(signals, now, changed);
        if (signals & conditions && frontend::any_latch(state_)) check_latches(signals & conditions, now, changed);
        if (signals & static_cast<Signals>(Signal::bank)) try_queues(now);
    }
    /// What stands at the thread's gate has been issued.
    void raise_issued(unsigned thread, Signals signals) {
        raise(signals | Signal::issued, now_);
        if (threads_[thread].front.gate().source == Source::fifo)
            raise(static_cast<Signals>(Signal::popped), now_, {.fifo = static_cast<std::uint8_t>(thread)});
    }
    /// Whether a RISC-V core waits for room in the thread's FIFO, and for nothing else.
    bool is_room_awaited(unsigned thread) const {
        return awaited_ & static_cast<Signals>(Signal::popped) &&
               std::any_of(actors_.begin(), actors_.end(),
                           [&](const Actor& actor) { return actor.parked && actor.room_of == thread; });
    }
    void wake_concerned(Signals signals, Cycle now, const Changed& changed);
    void check_latches(Signals signals, Cycle now, const Changed& changed);
    void try_queues(Cycle now);
    bool concerns(const Actor& actor, unsigned which, Signals signals, const Changed& changed) const;
    bool latch_concerns(unsigned thread, Signals signals, const Changed& changed) const;
    void mutex_released(unsigned thread, unsigned mutex, Cycle now);
    void wake(unsigned actor, Cycle now);
    void pass_to(Cycle time) { work_.pass_to(now_ = std::max(now_, time)); }
    void park(unsigned actor, const Wait& wait, Signals wakes);
    void wait_until(unsigned actor, const Wait& wait, Cycle time, const Touch& begun_by = {});
    void takes_turn(unsigned actor);
    void acted(unsigned actor, Cycle next);
    void account_wait(unsigned actor, Cycle now, bool over = true);
    void finish(unsigned actor);
    void stop(const findings::Note& note, Where where);
    bool everything_finished() const;
    Signals signals_of(state::Cell cell) const;
    Signals write_effects(const units::Resolved& resolved, plan::When when, const Touch& touch) {
        return resolved.has(when) ? write_effects(resolved.plan, when, touch) : Signals{0};
    }
    Signals write_effects(const plan::Plan& plan, plan::When when, const Touch& touch);
    /// Whoever is woken until the next call was waiting for what this one does.
    void caused_by(const Touch& by) {
        if (options_.on_wait) cause_ = by;
    }

    // feeder.cpp
    void act_core(unsigned thread);
    void store_mop(unsigned thread, unsigned item, std::uint32_t value, std::int64_t index, Cycle now);
    bool push(unsigned thread, std::span<const std::uint32_t> words, std::int64_t index, bool expanded, Cycle now);
    bool feeds_ahead(unsigned thread) const;
    void feed(unsigned thread, Cycle from);
    void refill(unsigned thread);
    void take_back(unsigned thread);
    std::size_t plain_end(unsigned thread);
    bool catch_up(unsigned thread);
    bool is_pushed(unsigned thread) const;
    bool fills_fifo(unsigned thread) const;
    bool waits_for_room(unsigned thread) const;
    bool thread_idle(unsigned thread) const;
    void store(unsigned thread, const Store& what, Cycle now, Cycle latency);
    void land_store(std::uint32_t id, Cycle now);

    // turns.cpp
    static unsigned actor_of(RiscvCore core);
    static unsigned core_of(unsigned actor);
    void act_kernels(unsigned first);
    Cycle only_cores_until() const;
    struct NextCore {
        unsigned actor = 0;
        Cycle limit = 0;    ///< turn_limit()
        bool acts = false;  ///< else somebody else comes first
    };
    NextCore next_core(Cycle until) const;
    /// The last cycle at which an actor may do what others can see.
    Cycle turn_limit(unsigned actor) const;
    /// The last cycle before the next event, and the host's next step.
    Cycle before_events() const;
    bool all_cores_finished(unsigned thread) const;
    bool only_repeats() const;
    bool coprocessor_idle() const;
    void await_idle();
    /// When the host takes its next step.
    Cycle host_due() const { return cores_ && cores_->host_waits() ? cores_->host_due(now_) : never; }
    void act_host();
    void start_command(const plan::Plan& plan, std::int64_t index);

    // look_ahead.cpp
    bool time_to_look_ahead() const { return changes_ == quiet_changes_ && now_ >= look_ahead_at_; }
    void look_ahead() {
        if (time_to_look_ahead()) return look_further_ahead();
        if (changes_ == quiet_changes_) return;
        quiet_changes_ = changes_;
        quiet_since_ = now_;
        look_ahead_at_ = now_ + TimeLoops::first_look;
    }
    void look_further_ahead();
    bool waits_for_cores() const;
    bool only_time_passes(Cycle until);
    std::optional<Turn> alone(unsigned core, Cycle now, TimeLoops::TurnOf one);

    // expansion.cpp
    void begin_expansions();
    void end_expansions();
    bool fill_gate(unsigned thread);
    bool no_instruction(unsigned thread);
    bool await(unsigned thread, Wait::Kind why, Cycle time, const Touch& begun_by = {});
    void leave_gate(unsigned thread, Cycle now) { threads_[thread].front.leave(state_, now, *this); }
    // frontend::ExpanderListener
    void found(const findings::Note& note, unsigned thread, const frontend::WordOrigin& origin) override;
    void failed(const findings::Note& note, unsigned thread, const frontend::WordOrigin& origin) override;
    bool is_over() const override { return stopped_; }
    void taken(unsigned thread, std::int64_t index) override;
    void stored(unsigned thread, std::int64_t index, state::Cell cell) override;
    void mop_expanded(unsigned thread) override { order_.mop_expanded(thread); }

    // auto_sync.cpp
    void declare_resources(unsigned thread, const isa::Instruction& declaration, std::int64_t index);
    state::Uses track_push(unsigned thread, const isa::Instruction& instruction, std::int64_t index);
    bool in_order(unsigned thread, state::Resources resources, bool store);
    bool own_stores_done(unsigned thread);

    // ahead.cpp
    void go_ahead(unsigned thread);
    bool waits_at_gate(unsigned thread) const;
    bool begins_to_learn(unsigned thread, const units::PlanRef& first);

    // stretch.cpp
    std::uint32_t next_word(unsigned thread, Source source) const;
    /// The next one, and when it can have come out of the expanders.
    struct Coming {
        Source source{};
        const std::uint32_t* words = nullptr;  ///< of the replay buffer
        std::uint32_t recorded = 0;
        unsigned slot = 0, left = 0, played = 0;
        Cycle out_of_mop = 0, out_of_replay = 0;
        std::int64_t index = 0, position = -1;
    };
    Coming coming(unsigned thread, Source source) const;
    bool comes(unsigned thread, std::uint32_t word, Coming& at) const;
    void takes(unsigned thread, Coming& at);
    bool nothing_scheduled() const;
    bool may_go_through(const units::Stretch& stretch, unsigned thread) const;
    struct Gone {
        units::PlanRef last;    ///< issued
        bool is_known = false;  ///< what comes behind it
        std::size_t steps = 0;
    };
    Gone go_through_known(unsigned thread, units::PlanRef first, Cycle limit);
    const units::Stretch* known_behind(const units::Resolved& last, unsigned thread) const;
    std::size_t go_through(const units::Stretch& stretch, unsigned thread, Source source, Cycle limit);
    Cycle gate_opens(const plan::Plan& plan, Cycle now) const;
    bool is_asked_about(const units::Stretch::Step& step) const;
    void execute(const units::Stretch::Step& step, unsigned thread, std::int64_t index, std::int64_t position);
    /// An instruction that has been issued.
    struct Issued {
        std::int64_t index = 0, position = -1;
        Cycle cycle = 0;
    };
    void remember_vector(const units::Stretch::Step& step, unsigned thread, std::uint64_t issued, const Issued& at);
    void gone_through(const units::Stretch& stretch, std::size_t done, unsigned thread, const Issued& at);

    // at_once.cpp
    bool keeps_pace(const units::Stretch& stretch, unsigned thread, const Coming& at, Cycle limit) const;
    bool comes_all(const units::Pace& pace, unsigned thread, const Coming& at, Cycle start) const;
    void go_at_once(const units::Stretch& stretch, unsigned thread, const Coming& at);
    void occupy(const units::Pace& pace, unsigned thread, Cycle start);

    // front_end.cpp
    /// What an act of a front end was to everybody else.
    enum class Act : std::uint8_t { noticed, unnoticed };
    Act act_front_end(unsigned thread);
    bool at_the_gate(unsigned actor, const plan::Plan& plan, Cycle now);
    bool unit_is_free(unsigned actor, const plan::Plan& plan, Cycle now);
    void postpone_waiters(plan::PipeMask taken);
    void issue(unsigned thread, units::PlanRef resolved, Cycle now);
    void writes_gprs_late(const plan::Plan& plan, Cycle now);
    void count_issue(unsigned thread, const GateWord& at, Cycle now);
    void count_cycles(unsigned thread, plan::PipeMask pipes, Cycle now, Cycle next);
    bool issues_unnoticed(const units::Resolved& resolved) const;
    void issue_unnoticed(unsigned thread, const units::Resolved& resolved, Cycle now);
    void check_latch(unsigned thread, Cycle now);
    void release_latch(unsigned thread, Cycle now);
    bool goes_in_step(const plan::Plan& plan, const GateWord& at) const;

    // execution.cpp
    std::uint32_t new_record(units::PlanRef resolved, std::int64_t number);
    void know(Record& record, const hazards::Ticket& ticket);
    void take_up(std::uint32_t id, const hazards::Ticket& ticket, const Origin& origin, Cycle now);
    static unsigned queue_of(plan::PipeMask pipes) { return Pipes::first_of(pipes); }
    bool bank_ready(const plan::BankNeed& need) const;
    bool banks_ready(const plan::Plan& plan, bool in_unit) const;
    void try_queue(unsigned pipe, Cycle time);
    void start_queued(unsigned pipe, Cycle now);
    void start(std::uint32_t id, Cycle now);
    Signals effects_at_start(const units::Resolved& resolved, const Touch& by, Cycle now);
    void land(std::uint32_t id, Cycle now);
    void end(std::uint32_t id, Cycle now);

    // unseen.cpp
    bool end_is_awaited(plan::PipeMask pipes, unsigned thread) const;
    bool ends_unseen(const units::Resolved& resolved) const;
    bool rest_is_unseen(const Record& record) const;
    void end_unseen(std::uint32_t id);
    void occupy_unseen(const plan::Plan& plan, Cycle now);
    Signals pass_unseen(const units::Resolved& resolved, const hazards::Ticket& ticket, const Origin& origin,
                        Cycle now);
    /// Somebody waits for instructions to end: those that do so unseen are told.
    void watch_unseen_ends();

    // waiting.cpp
    bool goes_on(const plan::Plan& plan) const;
    void attempt(std::uint32_t id, Cycle now);
    void try_held();
    Blocked held() const;

    // by_reference.cpp
    bool land_by_reference(Record& record);

    // writes.cpp
    void list_accesses(const plan::Plan& plan, tessera::Event& event) const;
    void tell_written(const Record& record, bool at_issue = false);
    void tell_host_wrote();
    void tell_store(unsigned thread, std::int64_t index, state::Cell cell);
    void tell_store(unsigned thread, std::int64_t index, Cycle at);

    // waits.cpp
    void remember_waiting(unsigned actor);
    void note_latch(unsigned thread, const Touch& by);
    void tell_wait(unsigned actor, Cycle end, bool over);
    void tell_delay(unsigned thread, Cycle begin, Cycle end);
    void tell_started(const Record& record, Cycle now);
    void tell_queued(const Record& record, Cycle now, bool over);
    void tell_waiting_in_units();
    Wait bank_wait(const plan::Plan& plan) const;
    UnitWait held_wait() const;
    void tell_unit_wait(const Record& record, const UnitWait& wait, Cycle begin, Cycle end, const Touch& ended_by,
                        bool over = true);
    Touch touch_of(const Record& record, Cycle now) const;
    Touch touch_of_turn(unsigned actor) const;
    tessera::Doer doer(const Touch& touch) const;

    // schedule.cpp
    void schedule_changed(Cycle now);
    void schedule_cycle(Cycle now);
    void take_due(Cycle now);
    void execute_due(Cycle now);
    void execute_scheduled(const plan::Plan& plan, const Origin& origin, Cycle now);
    void count_down();
    /// False: the instruction is discarded.
    bool vector_issue(units::PlanRef& resolved, const GateWord& at);
    void remember_scheduled(const plan::Plan& plan, const Origin& origin);
    void hold_threads(Cycle now);
    void tell_unfinished_schedule();

    void issues_vector(const plan::Plan& plan, const GateWord& at, Cycle now);
    bool vector_held_back(unsigned actor, const plan::Plan& plan, Cycle now);

    // Two unpackers that read L1 at the same time (transfers.hpp).
    void begin_transfer(std::uint32_t id, Cycle now);
    void share_l1(Cycle now);
    void end_transfer_at(unsigned side, Cycle time);

    // report.cpp
    Where where_of(unsigned core, std::uint32_t pc) const { return places_.where_of(core, pc, now_); }
    Where where(unsigned thread, std::int64_t index, std::uint32_t word, Cycle now, std::int64_t position = -1) const {
        return places_.where(thread, index, word, now, position);
    }
    void note(const findings::Note& note, unsigned thread, std::int64_t index, std::uint32_t word,
              std::int64_t position = -1) {
        diagnostics_.note(note, {thread, index, position, word, now_});
    }
    static checks::At at_of(const GateWord& at, Cycle now) { return {at.index, at.position, at.pushed, now}; }
    std::string describe(const Wait& wait, unsigned actor) const;
    std::string describe(const Touch& touch) const;
    std::string place_of(unsigned thread, std::int64_t index) const { return places_.place_of(thread, index); }
    std::string op_text(std::uint32_t value) const { return places_.op_text(value); }
    std::string op_text(unsigned thread, std::int64_t index) const { return places_.op_text(thread, index); }
    std::int64_t op_number(std::int64_t index) const { return places_.op_number(index); }
    /// Of kernels: which core it came from, and where that stood.
    void tell_core(std::int64_t index, int& core, std::uint32_t& pc) const;
    Explanation::Line rival_now(const plan::Plan& plan, Cycle now) const;
    /// Whether it was explained.
    bool explain_if_asked(const plan::Plan& plan, std::int64_t index, Cycle now);
    Explanation explain(const plan::Plan& plan, std::int64_t index, Cycle now) const;
    void trace_elements(const Record& record);
    std::string reason(const Wait& wait, unsigned actor) const;
    Run report();

    // tally.cpp
    Tally tally(Cycle at) const;

    state::State& state_;
    units::Slots& slots_;
    const Program* program_;  ///< or cores_
    Cores* cores_;
    const diagnostics::Places places_;
    const RunOptions& options_;
    const units::CostTable& costs_;
    const isa::InstructionSpec* const window_instruction_;
    const diagnostics::Diagnostics diagnostics_{state_.arch().arch, places_, log_, stopped_};
    hazards::Order& order_ = checked_.order;
    checks::Checker checker_;
    Written written_;  ///< while somebody is told
    RunRecorder* recorder_ = nullptr;
    /// Nobody is told of ends, of writes or of waits; they may begin to ask between two steps.
    bool unwatched_ = false;
    bool unobserved_ = false;           ///< nor of issues
    bool goes_ahead_ = false;           ///< nobody looks between two acts
    bool stops_at_hazards_ = false;     ///< accesses that are not in order, or of what nobody has written, end the run
    const units::PlanRef* issued_unnoticed_ = nullptr;  ///< by the act of a front end that was
};

}  // namespace tessera::engine
