// SPDX-License-Identifier: Apache-2.0
#include "engine/threads/expansion.hpp"

#include <algorithm>

#include "hazards/order.hpp"

namespace tessera::engine {

bool Expansion::await(unsigned t, Wait::Kind why, Cycle time, const Cause& begun_by) {
    scheduler_.wait_until(front_end_of(t), {why}, time, begun_by);
    return false;
}

bool Expansion::all_cores_finished(unsigned thread) const {
    const auto finished = [&](unsigned actor) { return scheduler_.actor(actor).finished; };
    if (!cores_) return finished(thread);
    return std::all_of(core_actors.begin(), core_actors.end(), finished);
}

bool Expansion::no_instruction(unsigned t) {
    if (all_cores_finished(t))
        scheduler_.retire(front_end_of(t));
    else
        scheduler_.park(front_end_of(t), {Wait::Kind::fifo_empty}, Signal::pushed);
    return false;
}

bool Expansion::fill_gate(unsigned t) {
    using Kind = frontend::Expanders::Filled::Kind;
    frontend::Expanders& front = fronts_[t];
    const auto filled = front.fill(state_, scheduler_.now(), *this);
    switch (filled.kind) {
        case Kind::word: return true;
        case Kind::empty: return no_instruction(t);
        case Kind::expanding: return await(t, Wait::Kind::expander, filled.until);
        case Kind::invisible: {
            const frontend::FifoEntry& first = front.fifo.front();
            return await(t, Wait::Kind::fifo_empty, filled.until,
                         {true, static_cast<int>(t), first.index, first.pushed});
        }
        case Kind::over: break;
    }
    return false;
}

void Expansion::found(const findings::Note& what, unsigned t, const frontend::WordOrigin& origin) {
    diagnostics_.note(what, {t, origin.index, origin.position, origin.word, scheduler_.now()});
}

void Expansion::failed(const findings::Note& what, unsigned t, const frontend::WordOrigin& origin) {
    outcome_.stop(what, places_.where(t, origin.index, origin.word, scheduler_.now(), origin.position),
                  scheduler_.now());
}

void Expansion::taken(unsigned t, std::int64_t index) {
    scheduler_.caused_by({false, static_cast<int>(t), index, scheduler_.now()});
    scheduler_.raise(Signal::popped | Signal::issued, scheduler_.now(), {.fifo = static_cast<std::uint8_t>(t)});
    feed_.refill(t);
}

void Expansion::mop_expanded(unsigned thread) { order_.mop_expanded(thread); }

}  // namespace tessera::engine
