// SPDX-License-Identifier: Apache-2.0
// A thread's expanders (frontend/expanders.hpp) in time: who waits for them, and who is told.
#include "engine/engine.hpp"
#include "frontend/replay_expander.hpp"

namespace tessera::engine {

void Engine::begin_expansions() {
    for (Thread& thread : threads_) thread.front.begin_run(state_);
}

void Engine::end_expansions() {
    if (run_.fault) return;
    for (unsigned t = 0; t < state::threads; ++t) {
        const state::ReplayMode mode = frontend::replay_mode(state_, t);
        if (mode != state::ReplayMode::record && mode != state::ReplayMode::record_and_execute) continue;
        const auto& replay = threads_[t].front.recording();
        note({findings::id("frontend.recording-open"), {frontend::replay_left(state_, t)}}, t, replay.index,
             replay.word);
    }
}

bool Engine::await(unsigned t, Wait::Kind why, Cycle time, const Touch& begun_by) {
    wait_until(state::threads + t, {why}, time, begun_by);
    return false;
}

bool Engine::no_instruction(unsigned t) {
    const unsigned actor = state::threads + t;
    if (all_cores_finished(t)) {
        account_wait(actor, now_);
        actors_[actor].wait = {};
        actors_[actor].finished = true;
        due_[actor] = never;
    } else {
        park(actor, {Wait::Kind::fifo_empty}, static_cast<Signals>(Signal::pushed));
    }
    return false;
}

// Brings the next instruction to the wait gate. False: there is none now, and the front end waits or is finished.
bool Engine::fill_gate(unsigned t) {
    using Kind = frontend::Expanders::Filled::Kind;
    frontend::Expanders& front = threads_[t].front;
    const auto filled = front.fill(state_, now_, *this);
    switch (filled.kind) {
        case Kind::word: return true;
        case Kind::empty: return no_instruction(t);
        case Kind::expanding: return await(t, Wait::Kind::expander, filled.until);
        case Kind::invisible: {
            const FifoEntry& first = front.fifo.front();
            return await(t, Wait::Kind::fifo_empty, filled.until,
                         {true, static_cast<int>(t), first.index, first.pushed});
        }
        case Kind::over: break;
    }
    return false;
}

void Engine::found(const findings::Note& what, unsigned t, const frontend::WordOrigin& origin) {
    note(what, t, origin.index, origin.word, origin.position);
}

void Engine::failed(const findings::Note& what, unsigned t, const frontend::WordOrigin& origin) {
    stop(what, where(t, origin.index, origin.word, now_, origin.position));
}

void Engine::taken(unsigned t, std::int64_t index) {
    caused_by({false, static_cast<int>(t), index, now_});
    raise(Signal::popped | Signal::issued, now_, {.fifo = static_cast<std::uint8_t>(t)});
    refill(t);
}

void Engine::stored(unsigned t, std::int64_t index, state::Cell cell) {
    if (options_.on_write) tell_store(t, index, cell);
}

}  // namespace tessera::engine
