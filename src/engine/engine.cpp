// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.hpp"
#include "engine/run_recorder.hpp"
#include "engine/stuck.hpp"
#include "engine/watched.hpp"

#include <algorithm>
#include <bit>
#include <iterator>

#include "frontend/auto_sync.hpp"
#include "isa/names.hpp"
#include "state/cell_role.hpp"

namespace tessera::engine {

using state::CellRole;
using state::cells::bank_owner_block;
using state::cells::mutex_block;
using state::cells::semaphore_value_block;

Engine::Engine(state::State& state, units::Slots& slots, const Program& program, const RunOptions& options, Reset reset)
    : Engine(state, slots, &program, nullptr, options, reset) {}

Engine::Engine(state::State& state, units::Slots& slots, Cores& cores, const RunOptions& options, Reset reset)
    : Engine(state, slots, nullptr, &cores, options, reset) {}

Engine::Engine(state::State& state, units::Slots& slots, const Program* program, Cores* cores,
               const RunOptions& options, Reset reset)
    : Progress(options, units::costs(state.arch().arch, options.reference ? Timing::instant : options.timing)),
      state_(state),
      slots_(slots),
      program_(program),
      cores_(cores),
      places_(state.arch().arch, program, cores),
      options_(options),
      costs_(units::costs(state.arch().arch, options.reference ? Timing::instant : options.timing)),
      window_instruction_(options.window.empty() ? nullptr : isa::find_spec(options.window, state.arch().arch)),
      checker_(checked_, state, costs_, diagnostics_, slots.plans.begin_run(),
               reset == Reset::silicon && !diagnostics_.is_off(findings::id("state.read-before-write"))),
      written_(state) {
    for (unsigned t = 0; t < state::threads; ++t)
        state_.write(state::cells::latch(t, state::Latch::kind), static_cast<std::uint32_t>(state::LatchKind::none));
    const unsigned running = cores ? cores->running() : 0;
    l1_shared_ = std::popcount(running) > 1;
    for (unsigned c = 0; c < riscv_cores; ++c) {
        const unsigned actor = actor_of(RiscvCore(c));
        actors_[actor].finished = cores ? !(running >> c & 1) : actor >= core_b;
        if (cores && actors_[actor].finished) actors_[actor].wait = {Wait::Kind::finished};
        if (actors_[actor].finished) due_[actor] = never;
    }
    if (checker_.looks_on()) {
        if (cores) order_.watch_cores();
        order_.disregard(options.disregard);
    }
    constexpr auto unwritten = findings::id("state.read-before-write");
    for (const findings::Id id : {findings::id("hazard.dst"), findings::id("hazard.src"), findings::id("hazard.l1"),
                                  findings::id("hazard.config-use"), unwritten})
        stops_at_hazards_ |= log_.level(id) == Level::error;
    begin_expansions();
    schedule_changed(0);
}

void Engine::go_back_to(const Progress& progress) {
    static_cast<Progress&>(*this) = progress;
    checker_.begin_run(slots_.plans.begin_run());
    // There, words may have been pushed later than they seem to be: not for whoever is told of waits.
    for (unsigned t = 0; t < state::threads; ++t)
        if (!feeds_ahead(t)) threads_[t].plain_end = 0;
}

void Engine::record(RunRecorder& recorder) {
    recorder_ = &recorder;
    if (schedule_.any) recorder.give_up();
}

bool Engine::advance() {
    unwatched_ = !is_watched(options_) && !options_.seed && !options_.reference;
    unobserved_ = unwatched_ && !is_observed(options_);
    return !stopped_ && step();
}

Run Engine::run() {
    goes_ahead_ = true;
    for (bool more = advance(); more;) more = !stopped_ && step();
    return finish();
}

Run Engine::finish() {
    tell_unfinished_schedule();
    end_expansions();
    if (!run_.fault) {
        std::array<checks::BankPass, 4> banks;
        for (std::size_t i = 0; i < banks.size(); ++i) banks[i] = {touches_.banks[i].thread, touches_.banks[i].index, bank_words_[i]};
        checker_.ends(banks, now_);
    }
    publish();
    return report();
}

// Whose turn it is, if it is anybody's. In rounds: each of seven comparisons in a row would wait for the one before.
unsigned Engine::next_actor() const {
    static_assert(actors == 8);
    const auto sooner = [&](unsigned a, unsigned b) { return due_[b] < due_[a] ? b : a; };
    return sooner(sooner(sooner(0, 1), sooner(2, 3)), sooner(sooner(4, 5), sooner(6, 7)));
}

Cycle Engine::next_time() const {
    const Cycle next =
        std::min({*std::min_element(due_.begin(), due_.end()), clock_.next(), schedule_.due_at, host_due()});
    return next == never ? next_unseen() : next;
}

// When something happens next that took no event: the last instruction ends, or a core has filled its FIFO.
Cycle Engine::next_unseen() const {
    Cycle next = work_.last_end() > now_ ? work_.last_end() : never;
    for (unsigned t = 0; t < state::threads; ++t)
        if (fills_fifo(t) && actors_[t].not_before > now_) next = std::min(next, actors_[t].not_before);
    return next;
}

bool Engine::interrupted(std::uint64_t steps) {
    steps_ += steps;
    if (steps_ % asked_every >= steps) return false;
    const bool stopped = options_.stop && options_.stop->load(std::memory_order_relaxed);
    if (!stopped && !(options_.interrupt && options_.interrupt())) return false;
    stop({findings::id("interrupted")}, {});
    return true;
}

// One event, or one act of one actor. False when nothing is left to do.
bool Engine::step() {
    if (interrupted()) return false;
    if (cores_ && cores_->done()) {
        if (coprocessor_idle()) {
            if (steps_ == 1) note_done_before();
            return false;
        }
        await_idle();
    } else {
        awaits_idle_ = false;
    }
    const unsigned next = next_actor();
    const Cycle actor_time = due_[next];
    const Cycle host_time = host_due();
    const Cycle acts = std::min({actor_time, clock_.next(), host_time});
    if (acts == never) {
        bool more = false;
        for (unsigned t = 0; t < state::threads; ++t) more |= catch_up(t);
        if (more) return true;
    }
    const Cycle time = acts == never ? next_unseen() : acts;
    if (schedule_.due_at < time) {
        execute_due(schedule_.due_at);
        return true;
    }
    if (time == never) {
        if (!everything_finished())
            stop({findings::id("deadlock")}, {});
        else if (const auto word = cores_ ? cores_->unmet() : std::nullopt)
            stop({findings::id("kernel.not-done"), {word->address, word->value, word->wanted}}, {});
        return false;
    }
    if (time > options_.max_cycles) {
        // Everybody has come to all that he does until then.
        acted_at_ = now_ = options_.max_cycles;
        acted_ = actor_ = actors;
        stop({findings::id("no-progress"),
              {static_cast<std::uint32_t>(std::min<std::uint64_t>(options_.max_cycles, 0xFFFFFFFF))}},
             {});
        return false;
    }
    pass_to(time);
    caused_by({});
    if (acts == never) return true;
    if (host_time == time) {
        act_host();
        try_held();
        return true;
    }
    const bool is_event = clock_.next() <= actor_time;
    actor_ = is_event ? actors : next;
    if (!is_event) takes_turn(next);
    if (is_event) {
        ++changes_;
        handle(clock_.pop());
    } else if (next >= state::threads && next < 2 * state::threads) {
        ++changes_;
        if (act_front_end(next - state::threads) == Act::unnoticed && goes_ahead_) go_ahead(next - state::threads);
    } else if (cores_) {
        act_kernels(next);
    } else {
        act_core(next);
    }
    try_held();
    return true;
}

void Engine::note_done_before() {
    log_.add({findings::id("kernel.done-before")}, {no_thread}, [] { return Where{}; });
}

void Engine::handle(const Event& event) {
    last_event_ = event.time;
    switch (event.kind) {
        case Event::Kind::land:
            if (records_[event.id].plan().waits_in_unit)
                attempt(event.id, event.time);
            else
                land(event.id, event.time);
            break;
        case Event::Kind::end: end(event.id, event.time); break;
        case Event::Kind::unseen_end:
            raise(static_cast<Signals>(Signal::unit), event.time,
                  {static_cast<plan::PipeMask>(1u << event.id / state::threads), event.id % state::threads, true});
            break;
        case Event::Kind::start_queued: start_queued(event.id, event.time); break;
        case Event::Kind::check_latch: check_latch(event.id, event.time); break;
        case Event::Kind::release_latch: release_latch(event.id, event.time); break;
        case Event::Kind::land_store: land_store(event.id, event.time); break;
        case Event::Kind::share_l1:
            sharing_event_.reset();
            share_l1(event.time);
            break;
        case Event::Kind::schedule: schedule_cycle(event.time); break;
    }
}

// Whether the actor may go on after this. Most wait for one unit, or for their own thread's instructions.
bool Engine::concerns(const Actor& actor, unsigned which, Signals signals, const Changed& changed) const {
    const Signals awaited = actor.wakes & signals;
    if (changed.fifo != no_fifo) {
        if (actor.room_of != no_fifo) return awaited && actor.room_of == changed.fifo;
        if (actor.wait.kind == Wait::Kind::fifo_empty) return awaited && which - state::threads == changed.fifo;
    }
    if (awaited != static_cast<Signals>(Signal::unit)) return awaited != 0;
    switch (actor.wait.kind) {
        case Wait::Kind::queue_full:
            if (changed.ends) return false;
            [[fallthrough]];
        case Wait::Kind::unit_busy: return queue_of(changed.pipes) == actor.wait.a || changed.pipes == all_pipes;
        case Wait::Kind::own_scalar: return changed.thread == no_thread || changed.thread == which - state::threads;
        case Wait::Kind::drain: return changed.thread == no_thread || changed.thread == which;
        default: return true;
    }
}

bool Engine::latch_concerns(unsigned t, Signals signals, const Changed& changed) const {
    const auto kind = state::LatchKind(state_[state::cells::latch(t, state::Latch::kind)]);
    if (kind == state::LatchKind::none) return false;
    if (kind == state::LatchKind::sem) return signals & static_cast<Signals>(Signal::semaphore);
    if (kind == state::LatchKind::stream || signals != static_cast<Signals>(Signal::unit)) return true;
    constexpr plan::PipeMask of_all_threads = bit(plan::Pipe::mover) | bit(plan::Pipe::config);
    return changed.thread == no_thread || changed.thread == t || (changed.pipes & of_all_threads);
}

// Those who wait for it look again.
void Engine::wake_concerned(Signals signals, Cycle now, const Changed& changed) {
    awaited_ = 0;
    for (unsigned i = 0; i < actors; ++i) {
        Actor& actor = actors_[i];
        if (!actor.parked) continue;
        if (concerns(actor, i, signals, changed))
            wake(i, now);
        else
            awaited_ |= actor.wakes;
    }
}

// Latched waits are evaluated.
void Engine::check_latches(Signals signals, Cycle now, const Changed& changed) {
    for (unsigned t = 0; t < state::threads; ++t) {
        Thread& thread = threads_[t];
        if (options_.on_wait) note_latch(t, cause_);
        if (!latch_concerns(t, signals, changed) || thread.latch_check_scheduled || thread.latch_released) continue;
        thread.latch_check_scheduled = true;
        clock_.schedule(std::max(now, thread.latched_at + 1), Event::Kind::check_latch, t);
    }
}

// A bank has been passed on: what waits for it in front of its unit is tried again.
void Engine::try_queues(Cycle now) {
    for (unsigned p = 0; p < plan::pipes; ++p)
        if (!queues_[p].waiting.empty()) {
            queues_[p].bank_passed_by = cause_;
            try_queue(p, now);
        }
}

// Of those who wait for a mutex that a thread releases, the next thread in a circle gets it (ATRELM). Others wait on.
void Engine::mutex_released(unsigned thread, unsigned mutex, Cycle now) {
    for (unsigned k = 1; k < state::threads; ++k) {
        const unsigned i = state::threads + (thread + k) % state::threads;
        Actor& actor = actors_[i];
        if (!actor.parked || actor.wait.kind != Wait::Kind::mutex || actor.wait.a != mutex) continue;
        return wake(i, now);
    }
}

void Engine::wake(unsigned i, Cycle now) {
    actors_[i].parked = false;
    due_[i] = std::max(actors_[i].not_before, now);
    waiting_[i].ended_by = cause_;
}

void Engine::account_wait(unsigned i, Cycle now, bool over) {
    auto& actor = actors_[i];
    if (actor.wait.kind != Wait::Kind::none && now > actor.since) {
        if (i >= state::threads && i < core_b) threads_[i - state::threads].waited[actor.wait] += now - actor.since;
        if (options_.on_wait) tell_wait(i, now, over);
    }
    actor.since = now;
}

void Engine::park(unsigned i, const Wait& wait, Signals wakes) {
    wait_until(i, wait, never);
    actors_[i].parked = true;
    actors_[i].wakes = wakes;
    actors_[i].room_of = no_fifo;
    actors_[i].not_before = now_;
    awaited_ |= wakes;
    if (wakes & static_cast<Signals>(Signal::unit) && wait.kind != Wait::Kind::queue_full) watch_unseen_ends();
}

void Engine::wait_until(unsigned i, const Wait& wait, Cycle time, const Touch& begun_by) {
    auto& actor = actors_[i];
    if (actor.wait != wait) {
        account_wait(i, now_);
        actor.wait = wait;
        if (options_.on_wait) remember_waiting(i);
    }
    if (options_.on_wait) waiting_[i].ended_by = begun_by;
    actor.behind = 0;
    due_[i] = time;
}

// It is the actor's turn now.
void Engine::takes_turn(unsigned i) {
    acted_ = acted_at_ == now_ ? std::max(acted_, i) : i;
    acted_at_ = now_;
}

void Engine::acted(unsigned i, Cycle next) {
    auto& actor = actors_[i];
    if (actor.wait.kind != Wait::Kind::none) account_wait(i, now_);
    actor.wait = {};
    actor.behind = 0;
    due_[i] = next;
    actor.since = next;
}

void Engine::finish(unsigned i) {
    auto& actor = actors_[i];
    account_wait(i, now_);
    actor.wait = {Wait::Kind::finished};
    if (options_.on_wait) waiting_[i] = {};
    actor.finished = true;
    actor.parked = false;
    due_[i] = never;
}

void Engine::stop(const findings::Note& note, Where where) {
    if (stopped_) return;
    stopped_ = true;
    for (unsigned t = 0; t < state::threads; ++t) take_back(t);
    where.cycle = now_;
    Fault fault;
    findings::describe(note, fault);
    fault.where = std::move(where);
    run_.fault = std::move(fault);
    if (is_stuck(note.id)) run_.blocked = blocked();
}

bool Engine::everything_finished() const {
    for (const auto& actor : actors_)
        if (!actor.finished) return false;
    for (const Queue& queue : queues_)
        if (!queue.waiting.empty()) return false;
    return !held_ && !(cores_ && cores_->describe_host());
}

// What a change of the cell may wake.
Signals Engine::signals_of(state::Cell cell) const {
    switch (role_of(cell)) {
        case CellRole::none: break;
        case CellRole::semaphore: return static_cast<Signals>(Signal::semaphore);
        case CellRole::bank: return static_cast<Signals>(Signal::bank);
        case CellRole::mutex: return static_cast<Signals>(Signal::mutex);
        case CellRole::stream: return static_cast<Signals>(Signal::stream);
        case CellRole::thread_config: {  // which stream a latched wait means
            const unsigned thread =
                (state::index(cell) - state::cells::thread_config_block.first) / state::cells::max_thread_config_words;
            const auto kind = state::cells::latch(thread, state::Latch::kind);
            if (state::LatchKind(state_[kind]) == state::LatchKind::stream) return static_cast<Signals>(Signal::stream);
            break;
        }
    }
    return 0;
}

Signals Engine::write_effects(const plan::Plan& plan, plan::When when, const Touch& by) {
    Signals signals = 0;
    for (const auto& effect : plan.effects) {
        if (effect.when != when) continue;
        state_.write(effect.cell, effect.result(state_[effect.cell]));
        const CellRole role = role_of(effect.cell);
        if (role == CellRole::none) continue;
        signals |= signals_of(effect.cell);
        touches_.changed(effect.cell, by, effect.op);
        if (role == CellRole::bank && bank_owner_block.contains(effect.cell))
            bank_words_[index(effect.cell) - bank_owner_block.first] = plan.instruction.word;
        // Auto TTSync may have been switched on: what is pushed from now on is kept in order.
        if (role == CellRole::thread_config && frontend::auto_sync::tracks(state_, plan.thread)) {
            take_back(plan.thread);
            threads_[plan.thread].plain_end = 0;
        }
    }
    return signals;
}

}  // namespace tessera::engine
