// SPDX-License-Identifier: Apache-2.0
#include "engine/outcome.hpp"

#include "engine/stuck.hpp"

namespace tessera::engine {

namespace {

// `stop` is not none.
findings::Id fault_of(util::HostStop stop) {
    if (stop == util::HostStop::asked) return findings::id("interrupted");
    return stop == util::HostStop::time ? findings::id("limit.time") : findings::id("limit.memory");
}

}  // namespace

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

void Outcome::stop(Fault fault) {
    stopped_ = true;
    run_.fault = std::move(fault);
}

bool Outcome::poll(Cycle now) {
    const util::HostStop reached = host_.reached();
    if (reached == util::HostStop::none || (reached != util::HostStop::asked && !ends_.at_limits)) return false;
    stop({fault_of(reached)}, {}, now);
    return true;
}

}  // namespace tessera::engine
