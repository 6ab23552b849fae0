// SPDX-License-Identifier: Apache-2.0
#include "functional/blocked.hpp"

#include <fmt/format.h>

#include "engine/observe/wait_text.hpp"
#include "engine/pipes/banks.hpp"
#include "tessera/assembly.hpp"

namespace tessera::functional {

using engine::Wait;

std::string BlockedParties::wait_text(const Wait& wait, unsigned thread) const {
    const std::string text = engine::wait_text(wait, thread, state_, units_.activity());
    return text.empty() ? std::string(Blocked::nothing) : text;
}

void BlockedParties::name_holder(const Wait& wait, unsigned thread, Blocked& blocked) const {
    const Units::Waiting* const held = units_.held();
    blocked.holder = engine::holder(wait, thread, state_, held ? &held->plan() : nullptr);
    blocked.last_touched = engine::last_cause(effects_.last_causes(), wait, thread, state_, places_);
}

engine::RestOfProgram BlockedParties::rest_of(const Program& program, const engine::NextOps& cores) const {
    const auto front = [&](unsigned t) -> const frontend::Expanders& { return threads_[t].front; };
    return {program, cores, front};
}

Blocked BlockedParties::front_end(unsigned t, const engine::RestOfProgram* rest) const {
    const Thread& thread = threads_[t];
    Blocked b;
    b.since = no_cycle;
    b.who = fmt::format("T{} front end", t);
    b.finished = thread.front.is_empty(state_);
    if (b.finished) {
        engine::name_recording(b, thread.front, t, state_, places_);
        return b;
    }
    b.waits_for = engine::endless_wait_text(outcome_.run().fault, t);
    if (b.waits_for.empty()) b.waits_for = wait_text(thread.wait, t);
    if (thread.wait.kind == Wait::Kind::latched)
        b.waits_for += engine::latched_by(t, thread.latched, state_.arch().arch, places_);
    name_holder(thread.wait, t, b);
    if (rest) name_holder(*rest, thread.wait, t, b);
    engine::name_instruction(b, thread.front, t, state_.arch().arch, places_);
    return b;
}

Blocked BlockedParties::in_unit(const Units::Waiting& waiting, unsigned pipe, bool first) const {
    const plan::Plan& plan = waiting.plan();
    Blocked b = engine::blocked_in_unit(plan, pipe, waiting.index, state_.arch().arch, places_);
    b.since = no_cycle;
    b.waits_for = first ? plan::missing(plan, state_) : "the instruction before it";
    if (b.waits_for.empty()) b.waits_for = frontend::unmet(state_, units_.activity(), plan.thread, plan.conditions);
    for (const auto& need : plan.banks) {
        if (!first || units_.bank_ready(need)) continue;
        b.waits_for = wait_text(engine::Banks::wait(need), plan.thread);
        engine::name_bank(b, need, effects_.last_causes(), places_);
    }
    if (b.waits_for.empty()) b.waits_for = Blocked::nothing;
    return b;
}

void BlockedParties::list_units(std::vector<Blocked>& list) const {
    if (const Units::Waiting* const held = units_.held()) {
        list.push_back(in_unit(*held, Units::pipe_of(held->plan()), true));
        list.back().who += fmt::format(" (T{})", held->plan().thread);
    }
    for (unsigned p = 0; p < plan::pipes; ++p)
        for (const Units::Waiting& waiting : units_.queue(p))
            list.push_back(in_unit(waiting, p, &waiting == &units_.queue(p).front()));
}

}  // namespace tessera::functional
