// SPDX-License-Identifier: Apache-2.0
// Detects hangs of cores that poll a clock. Such a core never returns to the same registers, so the test for repetition
// fails. When all other actors wait and nothing is in flight, only time can change anything. Then the engine tries, on
// a copy, what time does to the cores: clocks stand still until a core repeats itself, then show a later cycle, up
// to the last cycle of the run. A core that ends or changes shared state on the way is only delayed. If none does, and
// each returns to its registers apart from clock values, the run hangs. Not all cycles are tried: a loop that waits for a
// rare value of the clock counts as a hang. Examples: docs/deadlocks.md.
#pragma once

#include <functional>

#include "engine/cores.hpp"
#include "state/state.hpp"

namespace tessera::engine {

/// Tries one core. The caller saves State and Cores before and restores them.
class TimeLoops {
public:
    /// Quiet cycles before the first check. Later checks come when that time has doubled.
    static constexpr Cycle first_look = 1 << 16;
    /// Limit of the look-ahead: beyond it 32-bit clocks wrap too often.
    static constexpr Cycle furthest = Cycle{1} << 36;

    enum class TurnOf : std::uint8_t { one_instruction, many_instructions };
    /// How many those are. Most loops repeat themselves within them.
    static constexpr std::uint32_t many = 256;
    /// One turn of the core without the others. Without a value: it changed shared state, or stopped.
    using Alone = std::function<std::optional<Turn>(unsigned core, Cycle now, TurnOf)>;

    TimeLoops(state::State& state, Cores& cores, Alone alone) : state_(state), cores_(cores), alone_(std::move(alone)) {}

    /// The core's turn would be at `now`. True: no cycle from `time` to `until` that is tried ends its loop.
    bool find_loop(unsigned core, Cycle now, Cycle time, Cycle until);

private:
    std::optional<Cycle> settle(unsigned core, Cycle now);
    /// Whether the core does anything, or never repeats itself, as its clocks pass multiples of powers of two.
    bool try_strides(unsigned core, Cycle now, Cycle time, Cycle until);
    using Memory = std::vector<std::uint32_t>;
    std::vector<Memory> visits(unsigned core, std::uint32_t pc, Cycle& now);
    std::optional<Memory> come_back(unsigned core, Cycle& now, const Memory& before, std::uint32_t pc, Cycle time, Cycle leap);

    state::State& state_;
    Cores& cores_;
    Alone alone_;
};

/// Time without a change that a core could observe. From time to time the run then checks whether time alone can
/// change anything.
struct QuietTime {
    std::uint64_t changes = 0;  ///< Port::changes() at `since`
    Cycle since = 0, look_at = TimeLoops::first_look;

    bool is_over(std::uint64_t now_changes, Cycle now) const { return changes == now_changes && now >= look_at; }
    void note(std::uint64_t now_changes, Cycle now) {
        if (changes != now_changes) *this = {now_changes, now, now + TimeLoops::first_look};
    }
    /// After the first check, the next ones come each time the quiet time has doubled.
    void looked(Cycle now) { look_at = now + (now - since); }
};

}  // namespace tessera::engine
