// SPDX-License-Identifier: Apache-2.0
#include "engine/outcome.hpp"

#include "engine/stuck.hpp"

namespace tessera::engine {

void Outcome::stop(const findings::Note& note, Where where, Cycle now) {
    if (stopped_) return;
    stopped_ = true;
    stuck_ = is_stuck(note.id);
    where.cycle = now;
    Fault fault;
    findings::describe(note, fault);
    fault.where = std::move(where);
    run_.fault = std::move(fault);
}

bool Outcome::is_interrupted(Cycle now) {
    const bool stopped = options_.stop && options_.stop->load(std::memory_order_relaxed);
    if (!stopped && !(options_.interrupt && options_.interrupt())) return false;
    stop({findings::id("interrupted")}, {}, now);
    return true;
}

}  // namespace tessera::engine
