// SPDX-License-Identifier: Apache-2.0
// Where the cycles went from the first to the last issue of one instruction: what all front ends and units have done
// until a cycle is counted at both ends, and subtracted.
#include <algorithm>

#include "engine/engine.hpp"

namespace tessera::engine {

namespace {

/// The part of [from, to) that lies at or behind `at`.
Cycle behind(Cycle at, Cycle from, Cycle to) {
    const Cycle begin = std::max(at, from);
    return to > begin ? to - begin : 0;
}

}  // namespace

Engine::Tally Engine::tally(Cycle at) const {
    Tally tally;
    tally.at = at;
    for (unsigned t = 0; t < state::threads; ++t) {
        const Thread& thread = threads_[t];
        const Actor& front_end = actors_[state::threads + t];
        tally.waited[t] = thread.waited;
        tally.issuing[t] = thread.issuing;
        if (front_end.wait.kind != Wait::Kind::none) tally.waited[t][front_end.wait] += behind(front_end.since, 0, at);
        // What the last issue has counted in advance.
        tally.issuing[t][static_cast<unsigned>(thread.issued_to)] -= behind(at, 0, thread.issue_done);
        if (const Cycle delay = behind(at, thread.issue_done, thread.delayed_until))
            tally.waited[t][{Wait::Kind::delayed}] -= delay;
    }
    for (unsigned p = 0; p < plan::pipes; ++p) {
        tally.busy[p] = work_.load(p).busy_at(at);
        tally.instructions[p] = pipes_.instructions(p);
    }
    return tally;
}

Window Engine::window() const {
    Window window;
    window.instruction = options_.window;
    window.count = window_count_;
    window.first = window_begin_.at;
    window.cycles = window_end_.at - window_begin_.at;
    for (unsigned p = 0; p < plan::pipes; ++p) {
        const Cycle busy = window_end_.busy[p] - window_begin_.busy[p];
        const std::uint64_t instructions = window_end_.instructions[p] - window_begin_.instructions[p];
        if (busy || instructions) window.units.push_back({std::string(name(plan::Pipe(p))), instructions, busy});
    }
    for (unsigned t = 0; t < state::threads; ++t) {
        Cycle left = window.cycles;
        const auto first = static_cast<std::ptrdiff_t>(window.threads.size());
        auto add = [&](bool waiting, std::string what, Cycle cycles) {
            if (!cycles) return;
            left -= cycles;
            window.threads.push_back({static_cast<int>(t), waiting, std::move(what), cycles});
        };
        for (unsigned p = 0; p < plan::pipes; ++p)
            add(false, std::string(name(plan::Pipe(p))), window_end_.issuing[t][p] - window_begin_.issuing[t][p]);
        std::map<std::string, Cycle> by_reason;
        for (const auto& [wait, cycles] : window_end_.waited[t]) {
            by_reason[reason(wait, t)] += cycles - window_begin_.waited[t].of(wait);
        }
        for (const auto& [why, cycles] : by_reason) add(true, why, cycles);
        add(true, "nothing: it has no more instructions", left);
        std::stable_sort(window.threads.begin() + first, window.threads.end(),
                         [](const ThreadUse& a, const ThreadUse& b) { return a.cycles > b.cycles; });
    }
    return window;
}

}  // namespace tessera::engine
