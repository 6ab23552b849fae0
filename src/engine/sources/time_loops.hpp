// SPDX-License-Identifier: Apache-2.0
// A core that waits for something and reads the time meanwhile never comes back to the same registers, so that it is not found to
// repeat itself. But once all others wait, and nothing is on its way, time is all that can change; so the cores are asked what they
// would do if it did. Clocks stand still until a core repeats itself, then show a much later cycle, and so on until the last one that
// the run may have. A core that does something that others could notice on the way, or ends, only delays. If none does, and each comes
// back to where it was but for what it has from the clocks, the run hangs. docs/deadlocks.md has examples.
#pragma once

#include <functional>

#include "engine/cores.hpp"
#include "state/state.hpp"

namespace tessera::engine {

/// Asks one core. What the core does meanwhile is for the caller to undo: State and Cores are to be saved before, and restored.
class TimeLoops {
public:
    /// Cycles without a change before a first look; later ones come when that time has doubled.
    static constexpr Cycle first_look = 1 << 16;
    /// Looking ahead further would take clocks of 32 bits round too often to see anything.
    static constexpr Cycle furthest = Cycle{1} << 36;

    enum class TurnOf : std::uint8_t { one_instruction, many_instructions };
    /// One turn of the core, as if there were no other. Nothing: somebody could notice what it did, or it has stopped.
    using Alone = std::function<std::optional<Turn>(unsigned core, Cycle now, TurnOf)>;

    TimeLoops(state::State& state, Cores& cores, Alone alone) : state_(state), cores_(cores), alone_(std::move(alone)) {}

    /// The core's turn would be at `now`; time alone, from `time` to `until`, does not end what it does.
    bool loops(unsigned core, Cycle now, Cycle time, Cycle until);

private:
    std::optional<Cycle> settles(unsigned core, Cycle now);
    using Memory = std::vector<std::uint32_t>;
    std::vector<Memory> visits(unsigned core, std::uint32_t pc, Cycle& now);
    std::optional<Memory> comes_back(unsigned core, Cycle& now, const Memory& before, std::uint32_t pc, Cycle time, Cycle leap);

    state::State& state_;
    Cores& cores_;
    Alone alone_;
};

}  // namespace tessera::engine
