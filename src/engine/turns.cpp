// SPDX-License-Identifier: Apache-2.0
// Turns of RISC-V cores, and how long an actor may go on alone. A core goes on by itself until the next thing that others could see, or could change, comes to a later
// cycle than somebody else's turn.
#include <algorithm>
#include <cstring>

#include "engine/engine.hpp"

namespace tessera::engine {

namespace {

constexpr Cycle before(Cycle time) { return time - (time != 0); }

// Where an act stands among all others, as a number: by time, events before actors, actors by number.
constexpr Cycle last_time = never / 8 - 1;
constexpr Cycle place(Cycle time, unsigned actor = 0) { return std::min(time, last_time) * 8 + actor; }
constexpr Cycle place_behind(Cycle time) { return place(std::min(time, last_time - 1) + 1); }
/// The last cycle at which the actor acts before that place.
constexpr Cycle limit_before(Cycle place, unsigned actor) { return (place - 1 - actor) / 8; }

}  // namespace

unsigned Engine::actor_of(RiscvCore core) {
    switch (core) {
        case RiscvCore::b: return core_b;
        case RiscvCore::t0: return 0;
        case RiscvCore::t1: return 1;
        case RiscvCore::t2: return 2;
        case RiscvCore::nc: return core_nc;
    }
    return core_nc;
}

unsigned Engine::core_of(unsigned actor) {
    const RiscvCore core = actor == core_b    ? RiscvCore::b
                           : actor == core_nc ? RiscvCore::nc
                                              : RiscvCore(static_cast<unsigned>(RiscvCore::t0) + actor);
    return static_cast<unsigned>(core);
}

// The turn of a core, and of others as long as nothing but cores acts.
void Engine::act_kernels(unsigned first) {
    EnginePort port(*this);
    turn_of_ = first;
    port.begin_turns();
    if (options_.on_wait) cause_ = touch_of_turn(first);
    const Turn turn = cores_->act(core_of(first), now_, port);
    if (stopped_) return;
    const unsigned i = turn_of_;
    Actor& actor = actors_[i];
    actor.repeats_since = turn.repeats ? changes_ : never;
    switch (turn.kind) {
        case Turn::Kind::again: acted(i, std::max(turn.time, now_)); break;
        case Turn::Kind::wait:
            park(i, turn.wait, turn.wakes);
            actor.room_of = turn.room_of;
            break;
        case Turn::Kind::finished:
            finish(i);
            raise(static_cast<Signals>(Signal::pushed), now_);
            break;
        case Turn::Kind::stop: stopped_ = true; break;
    }
    if (turn.repeats && only_repeats())
        stop({findings::id("no-progress.polling")}, {});
    else
        look_ahead();
}

void EnginePort::begin_turns() {
    cores_until_ = engine_.only_cores_until();
    begin_turn(Engine::core_of(engine_.turn_of_), engine_.now_, engine_.next_core(cores_until_).limit);
}

// Where Engine::step() would do nothing else. Otherwise that does it.
bool EnginePort::next_turn(Cycle time) {
    Engine& e = engine_;
    if (!e.goes_ahead_ || e.stopped_ || e.held_ || e.options_.on_wait || Engine::asks_for_interrupt(e.steps_ + 1)) return false;
    auto& actor = e.actors_[e.turn_of_];
    if (actor.wait.kind != Wait::Kind::none || e.time_to_look_ahead()) return false;
    if (changed_) {
        if (e.cores_->done()) return false;
        cores_until_ = e.only_cores_until();
    }
    actor.repeats_since = never;
    e.due_[e.turn_of_] = actor.since = std::max(time, e.now_);
    const Engine::NextCore next = e.next_core(cores_until_);
    if (!next.acts) return false;
    e.look_ahead();
    ++e.steps_;
    e.pass_to(e.due_[next.actor]);
    e.turn_of_ = e.actor_ = next.actor;
    e.takes_turn(next.actor);
    begin_turn(Engine::core_of(next.actor), e.now_, next.limit);
    return true;
}

// Before which place nothing but cores acts, unless they change something.
Cycle Engine::only_cores_until() const {
    Cycle until = std::min({place(clock_.next()), place(host_due()), place_behind(options_.max_cycles), place_behind(schedule_.due_at)});
    for (unsigned i = state::threads; i < core_b; ++i) until = std::min(until, place(due_[i], i));
    return until;
}

// The core that comes first, and the last cycle at which it may touch what others can see: it still comes before the second.
Engine::NextCore Engine::next_core(Cycle until) const {
    // Of `never` it is behind all others, too.
    const auto place_of = [&](unsigned core) { return due_[core] * 8 + core; };
    Cycle first = place_of(0), second = until;
    for (const unsigned i : {1u, 2u, core_b, core_nc}) {
        const Cycle other = place_of(i);
        second = std::min(second, std::max(first, other));
        first = std::min(first, other);
    }
    const unsigned actor = first % actors;
    return {actor, limit_before(second, actor), first < until};
}

// Events come before actors, of actors the one with the lowest number comes first.
Cycle Engine::turn_limit(unsigned actor) const {
    Cycle limit = before_events();
    for (unsigned i = 0; i < actors; ++i)
        if (i != actor) limit = std::min(limit, i < actor ? before(due_[i]) : due_[i]);
    return limit;
}

Cycle Engine::before_events() const {
    return std::min({options_.max_cycles, before(clock_.next()), before(host_due()), schedule_.due_at});
}

bool Engine::all_cores_finished(unsigned thread) const {
    if (!cores_) return actors_[thread].finished;
    return actors_[0].finished && actors_[1].finished && actors_[2].finished && actors_[core_b].finished &&
           actors_[core_nc].finished;
}

// Nothing will ever change: every core that could do something only repeats itself, and nothing is on its way.
bool Engine::only_repeats() const {
    if (clock_.next() != never || work_.last_end() > now_ || schedule_.due_at != never || host_due() != never) return false;
    return std::all_of(actors_.begin(), actors_.end(), [&](const Actor& actor) {
        return actor.finished || actor.parked || actor.repeats_since == changes_;
    });
}

bool Engine::coprocessor_idle() const {
    for (unsigned t = 0; t < state::threads; ++t)
        if (!thread_idle(t)) return false;
    return clock_.next() == never && !held_;
}

// The run ends with the last instruction.
void Engine::await_idle() {
    if (awaits_idle_) return;
    awaits_idle_ = true;
    watch_unseen_ends();
}

void Engine::act_host() {
    turn_of_ = actor_ = host;
    ++changes_;
    EnginePort port(*this);
    cores_->act_host(now_, port);
}

void Engine::host_writes(std::uint32_t address, std::span<const std::byte> bytes) {
    if (bytes.empty()) return;
    std::memcpy(state_.l1.write(address, static_cast<std::uint32_t>(bytes.size())), bytes.data(), bytes.size());
    checker_.l1_is_written(address, address + static_cast<std::uint32_t>(bytes.size()) - 1);
    turn_of_ = host;
    EnginePort(*this).host_wrote(address, static_cast<std::uint32_t>(bytes.size()));
    try_held();
}

void Engine::host_resets(RiscvCore core, bool start) {
    std::array<bool, riscv_cores> cores{};
    cores[static_cast<std::size_t>(core)] = true;
    turn_of_ = host;
    ++changes_;
    EnginePort port(*this);
    cores_->host_resets(cores, start, now_, port);
}

// TDMA-RISC's command, which no thread has issued.
void Engine::start_command(const plan::Plan& plan, std::int64_t index) {
    l1_shared_ = true;
    const std::uint32_t id = new_record(units::PlanRef::of(plan), next_number_++);
    Record& record = records_[id];
    record.index = index;
    record.position = record.explanation = -1;
    record.by_core = record.by_plan = true;
    record.pushed = record.gate = record.issue = record.ready = now_;
    know(record, order_.issue(plan.thread, plan.pipes, index, false));
    work_.add(plan.pipes, plan.thread, true, false);
    start(id, now_);
}

}  // namespace tessera::engine
