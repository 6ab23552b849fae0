// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "engine/observers.hpp"
#include "engine/run_recorder.hpp"
#include "engine/stuck.hpp"
#include "engine/timing_in_use.hpp"
#include "frontend/visible.hpp"
#include "units/slots.hpp"
#include "util/place_number.hpp"

namespace tessera::engine {

namespace {

Fronts new_fronts(const units::ThreadCost& cost) {
    Fronts fronts;
    for (unsigned t = 0; t < state::threads; ++t)
        fronts[t] = {t, {cost.mop_exit_cycles, cost.replay_fifo_words, cost.gate_fifo_words}};
    return fronts;
}

/// Odd seeds reach the slower state of what has two speeds on a chip.
Timing timing_of(const RunOptions& options) {
    const Timing timing = timing_in_use(options);
    const bool slow = timing == Timing::silicon && options.seed.value_or(0) % 2 == 1;
    return slow ? Timing::silicon_slow : timing;
}

}  // namespace

Engine::Engine(state::State& state, units::Slots& slots, const Program& program, const RunOptions& options, Reset reset)
    : Engine(state, slots, &program, nullptr, options, reset) {}

Engine::Engine(state::State& state, units::Slots& slots, Cores& cores, const RunOptions& options, Reset reset)
    : Engine(state, slots, nullptr, &cores, options, reset) {}

Engine::Engine(state::State& state, units::Slots& slots, const Program* program, Cores* cores,
               const RunOptions& options, Reset reset)
    : state_(state),
      slots_(slots),
      cores_(cores),
      options_(options),
      costs_(units::costs(state.arch().arch, timing_of(options))),
      places_(state.arch().arch, program, cores),
      // The second implementation reads what an instruction captures when it lands, which must be at its issue.
      delays_(options.reference ? std::nullopt : options.seed),
      pipes_(costs_),
      fronts_(new_fronts(costs_.thread)),
      outcome_(options),
      diagnostics_(state.arch().arch, places_, outcome_.log(), outcome_.stopped()),
      checker_(checked_, state, costs_, diagnostics_, slots.plans.begin_run(),
               reset == Reset::silicon && !diagnostics_.is_off(findings::id("state.read-before-write"))),
      context_{state,        slots,    program,        cores,    options,    costs_,   places_,
               diagnostics_, checker_, checked_.order, outcome_, shortcuts_, recorder_},
      waits_(context_, scheduler_, work_, fronts_, next_ops_),
      scheduler_(state, work_, *this, options.on_wait ? &waits_ : nullptr),
      writes_(context_, scheduler_),
      effects_(context_, *this),
      gates_(context_, scheduler_, work_, pipes_, fronts_),
      banks_(state),
      held_(context_, scheduler_, work_, banks_, records_, waits_),
      occupation_(pipes_, work_, scheduler_, waits_),
      lazy_ends_(context_, {scheduler_, pipes_, gates_, effects_, occupation_, held_, schedule_}),
      explainer_(context_, transfers_, records_),
      execution_(context_, {scheduler_, work_, pipes_, delays_, transfers_, banks_, records_, effects_, occupation_,
                            held_, schedule_, lazy_ends_, writes_, waits_, explainer_}),
      schedule_(context_, scheduler_, work_, execution_),
      stores_(context_, scheduler_, work_, effects_, writes_),
      auto_sync_(context_, scheduler_, work_, fronts_, stores_, writes_),
      fifos_(context_, scheduler_, work_, fronts_, auto_sync_, writes_),
      feed_(context_, {scheduler_, fifos_, stores_, auto_sync_, effects_, delays_, next_ops_}),
      expansion_(context_, scheduler_, fronts_, feed_, writes_),
      interlocks_(context_, {scheduler_, pipes_, banks_, execution_, occupation_, schedule_, waits_}),
      front_ends_(context_,
                  {scheduler_, pipes_, work_, delays_, fronts_, feed_, auto_sync_, expansion_, gates_, interlocks_,
                   effects_, records_, held_, execution_, lazy_ends_, schedule_, waits_, explainer_}),
      limits_(context_, scheduler_, schedule_),
      traces_(context_, {scheduler_, pipes_, work_, fronts_, feed_, expansion_, gates_, interlocks_, banks_,
                         occupation_, lazy_ends_, schedule_, front_ends_}),
      run_ahead_(context_, {scheduler_, limits_, fronts_, front_ends_, traces_, lazy_ends_, kernels_}),
      kernels_(
          context_,
          {scheduler_, work_, pipes_, fronts_, fifos_, expansion_, stores_, auto_sync_, effects_, execution_, writes_},
          limits_, schedule_),
      report_(context_, {scheduler_, work_, pipes_, fronts_, next_ops_, gates_, banks_, records_, effects_, held_,
                         execution_, front_ends_, waits_}) {
    for (unsigned t = 0; t < state::threads; ++t)
        state_.write(state::cells::latch(t, state::Latch::kind), static_cast<std::uint32_t>(state::LatchKind::none));
    if (cores) outcome_.log().tell_places();
    if (cores) kernels_.share_l1(std::popcount(cores->running()) > 1);
    for (unsigned c = 0; c < riscv_cores; ++c) {
        const unsigned actor = actor_of(RiscvCore(c));
        if (cores ? !(cores->running() >> c & 1) : actor >= core_b)
            scheduler_.leave_out(actor, cores ? Wait{Wait::Kind::finished} : Wait{});
    }
    if (checker_.looks_on()) {
        if (cores) checked_.order.watch_cores();
        checked_.order.be_at(util::place_number(state_.tile.place.x, state_.tile.place.y));
        checked_.order.disregard(options.disregard);
    }
    for (frontend::Expanders& front : fronts_) front.begin_run(state_);
    schedule_.changed(0);
}

Progress Engine::progress() const {
    auto states = states_of(parts(*this));
    return {std::make_shared<const decltype(states)>(std::move(states)), now(), issued()};
}

void Engine::go_back_to(const Progress& progress) {
    using States = decltype(states_of(parts(std::as_const(*this))));
    restore_all(parts(*this), *static_cast<const States*>(progress.parts.get()));
    outcome_.log().use(options_.levels);
    checker_.begin_run(slots_.plans.begin_run());
    feed_.resume();
}

void Engine::record(RunRecorder& recorder) {
    recorder_ = &recorder;
    if (schedule_.has_any()) recorder.give_up();
}

bool Engine::advance() {
    if (shortcuts_.runs_ahead) kernels_.wake_all();
    shortcuts_.runs_ahead = false;
    return advance_as_set();
}

bool Engine::advance_as_set() {
    shortcuts_.no_observers = !has_observers(options_) && !options_.seed && !options_.reference;
    shortcuts_.no_issue_observers = shortcuts_.no_observers && !has_issue_observers(options_);
    shortcuts_.no_stops = !outcome_.log().any_stops();
    return !outcome_.stopped() && step();
}

Run Engine::run() {
    shortcuts_.runs_ahead = true;
    for (bool more = advance_as_set(); more;) more = !outcome_.stopped() && step();
    return finish();
}

void Engine::run_to_horizon() {
    shortcuts_.runs_ahead = true;
    bool more = !asleep_ && advance_as_set();
    while (more && !asleep_) more = !outcome_.stopped() && step();
}

bool Engine::run_to_own_horizon() {
    run_to_horizon();
    const Cycle next = next_time();
    return !outcome_.stopped() && next != never && next >= cores_->horizon();
}

void Engine::wake(Cycle at) {
    asleep_ = false;
    kernels_.repeated_until(at);
}

Run Engine::finish() {
    if (cores_ && outcome_.steps() == 0 && cores_->done()) report_done_before();
    schedule_.report_unfinished();
    if (!outcome_.run().fault) {
        for (const frontend::Expanders& front : fronts_) front.report_open_recording(state_, expansion_);
        std::array<checks::BankPass, 4> banks;
        for (std::size_t i = 0; i < banks.size(); ++i) {
            const Cause& last = effects_.last_causes().banks[i];
            banks[i] = {last.thread, last.index, effects_.bank_word(i)};
        }
        checker_.check_end(banks, now());
        kernels_.tell_unfinished();
    }
    publish();
    return report_.run(true);
}

Run Engine::so_far(bool tell_waits) {
    const OutcomeState outcome = outcome_.saved();
    const SchedulerState scheduler = scheduler_.saved();
    Run run = report_.run(tell_waits);
    outcome_.restore(outcome);
    scheduler_.restore(scheduler);
    return run;
}

Cycle Engine::next_time() const {
    const auto& due = scheduler_.due();
    const Cycle next = std::min({*std::min_element(due.begin(), due.end()), scheduler_.clock().next(),
                                 schedule_.executes_at(), limits_.outside_due()});
    return next == never ? next_without_event() : next;
}

// The next step that needs no event: the last lazy end, a core that fills its FIFO, or one that finished ahead of the run.
Cycle Engine::next_without_event() const {
    Cycle next = scheduler_.next_finish();
    if (work_.last_end() > now()) next = std::min(next, work_.last_end());
    for (unsigned t = 0; t < state::threads; ++t)
        if (const Cycle acts = scheduler_.actor(t).not_before; feed_.fills_fifo(t) && acts > now())
            next = std::min(next, acts);
    return next;
}

bool Engine::step() {
    const bool more = !outcome_.count_and_poll(now()) && act_next();
    if (outcome_.stopped()) report_blocked();
    return more;
}

void Engine::report_done_before() {
    outcome_.log().add({findings::id("kernel.done-before")}, {no_thread}, [] { return Where{}; });
}

// Open waits of a run that was stopped.
void Engine::report_blocked() {
    kernels_.wake_all();
    for (unsigned t = 0; t < state::threads; ++t) feed_.take_back(t);
    if (outcome_.stuck()) outcome_.run().blocked = blocked();
}

// One event, or one act of one actor. False: nothing is left to do.
inline bool Engine::act_next() {
    if (cores_) {
        const bool done = cores_->done();
        if (cores_->has_neighbours()) {
            if (kernels_.note_done(is_done(done))) return false;
        } else if (done && is_idle()) {
            if (outcome_.steps() == 1) report_done_before();
            return false;
        }
        scheduler_.await_all_ends(done);
    }
    const unsigned next = scheduler_.next_actor();
    const Cycle actor_time = scheduler_.due(next), event_time = scheduler_.clock().next();
    const Cycle outside_time = limits_.outside_due();
    const Cycle time = std::min(std::min(actor_time, event_time), outside_time);
    if (is_beyond_horizon(std::min(time, schedule_.executes_at()))) return kernels_.wake_all();
    if (time > std::min(schedule_.executes_at(), options_.max_cycles) || time == never)
        return act_unusually(time);
    scheduler_.pass_to(time);
    scheduler_.caused_by({});
    if (outside_time == time) {
        kernels_.act_from_outside(time);
    } else if (event_time == time) {
        take_event();
    } else {
        scheduler_.begin_act(next);
        act(next);
    }
    if (held_.holds()) held_.look_again();
    while (event_is_next()) {
        outcome_.count_step();
        scheduler_.caused_by({});
        take_event();
        if (held_.holds()) held_.look_again();
    }
    return true;
}

inline void Engine::take_event() {
    scheduler_.begin_event();
    ++scheduler_.changes();
    handle(scheduler_.take_event());
}

// Whether the next step would be an event of this cycle and nothing else.
inline bool Engine::event_is_next() const {
    if (scheduler_.clock().next() != now() || !shortcuts_.runs_ahead || outcome_.stopped() || outcome_.polls_next()) return false;
    return !cores_ || (!cores_->has_neighbours() && !cores_->done() && limits_.outside_due() > now());
}

// The next step, if neither an actor nor an event nor the host takes it; `due` is when the first of them would.
// Returns what act_next() returns.
bool Engine::act_unusually(Cycle due) {
    if (due == never) {
        bool more = false;
        for (unsigned t = 0; t < state::threads; ++t) more |= feed_.catch_up(t);
        if (more) return true;
    }
    const Cycle time = due == never ? next_without_event() : due;
    const Cycle scheduled = schedule_.executes_at();
    if (is_beyond_horizon(std::min(time, scheduled))) return kernels_.wake_all();
    if (scheduled < time && scheduled <= options_.max_cycles) {
        schedule_.execute_due(scheduled);
        return true;
    }
    if (time == never && cores_ && cores_->has_neighbours()) {
        asleep_ = true;
        return false;
    }
    if (time == never) {
        if (kernels_.wake_all()) return true;
        if (!everything_finished())
            stop({findings::id("deadlock")});
        else
            stop_if_not_done();
        return false;
    }
    if (time > options_.max_cycles) {
        scheduler_.end_at(options_.max_cycles);
        stop_at_limit();
        return false;
    }
    if (cores_) scheduler_.begin_event();
    scheduler_.pass_to(time);
    scheduler_.caused_by({});
    return true;
}

// Of cores that have all finished.
void Engine::stop_if_not_done() {
    if (const auto word = cores_ ? cores_->unmet() : std::nullopt)
        stop({findings::id("kernel.not-done"), {word->address, word->value, word->wanted}});
}

void Engine::stop_at_limit() {
    stop(limit_reached(options_.max_cycles, "cycles"));
}

void Engine::end_stuck() {
    if (everything_finished()) stop_if_not_done();
    outcome_.run().blocked = blocked();
}

// A run that sleeps would have repeated itself until then.
void Engine::end_at_limit() {
    if (asleep_) scheduler_.end_at(options_.max_cycles);
    stop_at_limit();
    outcome_.run().blocked = blocked();
}

inline void Engine::act(unsigned actor) {
    if (is_front_end(actor)) {
        const unsigned thread = actor - state::threads;
        ++scheduler_.changes();
        if (front_ends_.act(thread) == FrontEnds::Act::unobservable && shortcuts_.runs_ahead) run_ahead_.go_on(thread);
    } else if (cores_) {
        const KernelCores::Acted acted = kernels_.act(actor);
        const Cycle until = std::min(options_.max_cycles, now() + TimeLoops::furthest);
        if (acted != KernelCores::Acted::done && cores_->has_neighbours())
            asleep_ = acted == KernelCores::Acted::only_repeats;
        else if (outcome_.ends().of_polls &&
                 (acted == KernelCores::Acted::only_repeats ||
                  (acted == KernelCores::Acted::is_quiet && until > now() && find_time_loops(until))))
            stop({findings::id("no-progress.polling")});
    } else {
        feed_.act(actor);
    }
}

inline void Engine::handle(const Event& event) {
    switch (event.kind) {
        case Event::Kind::land: execution_.land_or_try(event.id, event.time); break;
        case Event::Kind::end: execution_.end(event.id, event.time); break;
        case Event::Kind::lazy_end:
            scheduler_.raise(Signal::unit, event.time,
                             {static_cast<plan::PipeMask>(1u << event.id / state::threads), event.id % state::threads, true});
            break;
        case Event::Kind::start_queued: execution_.start_queued(event.id, event.time); break;
        case Event::Kind::check_latch: gates_.check(event.id, event.time); break;
        case Event::Kind::release_latch: gates_.forget(event.id, event.time); break;
        case Event::Kind::land_store: stores_.land(event.id, event.time); break;
        case Event::Kind::share_l1: execution_.share_l1(event.time); break;
        case Event::Kind::schedule: schedule_.cycle(event.time); break;
    }
}

bool Engine::is_idle() const {
    for (unsigned t = 0; t < state::threads; ++t)
        if (!fifos_.is_idle(t)) return false;
    return scheduler_.clock().next() == never && !held_.holds();
}

bool Engine::everything_finished() const {
    return scheduler_.all_finished() && scheduler_.next_finish() == never && execution_.all_queues_empty() &&
           !held_.holds() && !(cores_ && cores_->describe_host());
}

// True: whatever time it is, the cores only repeat themselves (time_loops.hpp).
bool Engine::find_time_loops(Cycle until) {
    const Progress here = progress();
    std::vector<TimeLoops::Candidate> candidates;
    for (unsigned i = 0; i < actors; ++i)
        if (scheduler_.due(i) != never && !scheduler_.is_repeating(i))
            candidates.push_back({core_of(i), scheduler_.due(i)});
    const bool found = TimeLoops(*cores_, kernels_).find_loops(candidates, now(), until);
    go_back_to(here);
    return found;
}

void Engine::host_writes(std::uint32_t address, std::span<const std::byte> bytes) {
    if (bytes.empty()) return;
    const auto count = static_cast<std::uint32_t>(bytes.size());
    std::memcpy(state_.l1.write(address, count), bytes.data(), bytes.size());
    checker_.l1_is_written(address, address + count - 1);
    kernels_.host_wrote_l1(address, count);
    held_.look_again();
}

void Engine::host_resets(RiscvCore core, bool start) { kernels_.host_resets(core, start); }

void Engine::debugger_changed(RiscvCore core) {
    kernels_.debugger_changed(core);
    scheduler_.raise(Signal::semaphore | Signal::latch, scheduler_.now());
    held_.look_again();
}

Cores::HostAccess Engine::host_accesses(std::uint32_t address, std::optional<std::uint32_t> stored) {
    const auto access = kernels_.host_accesses(address, stored);
    if (stored) held_.look_again();
    return access;
}

void Engine::publish(Cycle reached) {
    kernels_.wake_all();
    for (unsigned t = 0; t < state::threads; ++t) feed_.take_back(t, reached);
    frontend::publish(
        state_, work_.activity(), [&](unsigned t) -> const auto& { return fronts_[t].fifo; },
        [&](unsigned pipe) -> const auto& { return execution_.queue(pipe); },
        [&](std::uint32_t record) { return records_[record].plan().instruction.word; });
}

}  // namespace tessera::engine
