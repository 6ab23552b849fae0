// SPDX-License-Identifier: Apache-2.0
#include "engine/observe/window.hpp"

#include <algorithm>
#include <map>

namespace tessera::engine {

Window WindowCount::window(std::string instruction, const Reason& reason) const {
    Window window;
    window.instruction = std::move(instruction);
    window.count = count_;
    window.first = begin_.at;
    window.cycles = end_.at - begin_.at;
    for (unsigned p = 0; p < plan::pipes; ++p) {
        const Cycle busy = end_.busy[p] - begin_.busy[p];
        const std::uint64_t instructions = end_.instructions[p] - begin_.instructions[p];
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
            add(false, std::string(name(plan::Pipe(p))), end_.issuing[t][p] - begin_.issuing[t][p]);
        std::map<std::string, Cycle> by_reason;
        for (const auto& [wait, cycles] : end_.waited[t]) {
            by_reason[reason(wait, t)] += cycles - begin_.waited[t].of(wait);
        }
        for (const auto& [why, cycles] : by_reason) add(true, why, cycles);
        add(true, "nothing: it has no more instructions", left);
        std::stable_sort(window.threads.begin() + first, window.threads.end(),
                         [](const ThreadUse& a, const ThreadUse& b) { return a.cycles > b.cycles; });
    }
    return window;
}

}  // namespace tessera::engine
