// SPDX-License-Identifier: Apache-2.0
#include "hazards/pushed_clocks.hpp"

#include <utility>

namespace tessera::hazards {

// A core's own accesses are handed over apart, so an unchanged clock need not be, with every instruction.
void PushedClocks::push(unsigned core, unsigned thread, std::int64_t index, const CoreClocks& cores) {
    std::uint32_t& handed = handed_versions_[core][thread];
    if (core == core_of_thread(thread)) {
        const std::uint32_t accesses = cores.known(core).accesses()[core];
        if (std::exchange(accesses_pushed_[thread], accesses) != accesses) pushed_[thread].push_back({index, accesses});
        if (handed == cores.version(core)) return;
    }
    handed = cores.version(core);
    handed_[thread].push_back({index, cores.known(core)});
}

void PushedClocks::take_until(unsigned thread, std::int64_t index, VectorClock& known, const Disregards& disregards) {
    for (auto& handed = handed_[thread]; !handed.empty() && handed.front().index <= index; handed.pop_front())
        if (disregards.allow(Ordering::push, thread)) known.join(handed.front().known);
    for (auto& pushed = pushed_[thread]; !pushed.empty() && pushed.front().index <= index; pushed.pop_front())
        raise(known.accesses()[core_of_thread(thread)], pushed.front().accesses);
}

}  // namespace tessera::hazards
