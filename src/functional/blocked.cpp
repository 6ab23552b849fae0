// SPDX-License-Identifier: Apache-2.0
#include "functional/blocked.hpp"

#include <fmt/format.h>

#include <bit>

#include "engine/observe/wait_text.hpp"
#include "frontend/mop_expander.hpp"
#include "frontend/replay_expander.hpp"
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

Blocked BlockedParties::front_end(unsigned t) const {
    const Thread& thread = threads_[t];
    Blocked b;
    b.since = no_cycle;
    b.who = fmt::format("T{} front end", t);
    b.finished = thread.front.fifo.empty() && !thread.front.gated() && !frontend::mop_active(state_, t) &&
                 frontend::replay_mode(state_, t) != state::ReplayMode::play;
    if (b.finished) return b;
    b.waits_for = engine::endless_wait_text(outcome_.run().fault, t);
    if (b.waits_for.empty()) b.waits_for = wait_text(thread.wait, t);
    if (thread.wait.kind == Wait::Kind::latched)
        b.waits_for += engine::latched_by(t, thread.latched_word, thread.latched_index, state_.arch().arch, places_);
    name_holder(thread.wait, t, b);
    if (!thread.front.gated()) return b;
    b.instruction = disassemble_named(thread.front.gate().instruction.word, state_.arch().arch);
    if (thread.front.gate().position >= 0)
        b.instruction += fmt::format(" (instruction {} of an expansion)", thread.front.gate().position);
    b.place = places_.place_of(t, thread.front.gate().index);
    return b;
}

Blocked BlockedParties::in_unit(const Units::Waiting& waiting, unsigned pipe, bool first) const {
    const plan::Plan& plan = waiting.plan();
    Blocked b;
    b.since = no_cycle;
    b.who = std::string(name(plan::Pipe(pipe)));
    b.instruction = disassemble_named(plan.instruction.word, state_.arch().arch);
    b.place = places_.place_of(plan.thread, waiting.index);
    b.waits_for = first ? plan::missing(plan, state_) : "the instruction before it";
    if (b.waits_for.empty()) b.waits_for = frontend::unmet(state_, units_.activity(), plan.thread, plan.conditions);
    for (const auto& need : plan.banks) {
        if (!first || units_.bank_ready(need)) continue;
        b.waits_for = engine::bank_text(need);
        b.holder = "matrix unit";
        b.last_touched = engine::cause_text(
            effects_.last_causes().banks[static_cast<unsigned>(need.src) * 2 + need.bank], places_);
    }
    if (b.waits_for.empty()) b.waits_for = Blocked::nothing;
    return b;
}

void BlockedParties::list_units(std::vector<Blocked>& list) const {
    if (const Units::Waiting* const held = units_.held()) {
        list.push_back(in_unit(*held, static_cast<unsigned>(std::countr_zero(held->plan().pipes)), true));
        list.back().who += fmt::format(" (T{})", held->plan().thread);
    }
    for (unsigned p = 0; p < plan::pipes; ++p)
        for (const Units::Waiting& waiting : units_.queue(p))
            list.push_back(in_unit(waiting, p, &waiting == &units_.queue(p).front()));
}

}  // namespace tessera::functional
