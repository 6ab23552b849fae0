// SPDX-License-Identifier: Apache-2.0
// Detects hangs of cores that poll a clock. Such a core never returns to the same registers, so the test for repetition
// fails. When all other actors wait and nothing is in flight, only time can change anything. Then the run tries what
// time does to the cores, and takes it back: clocks stand still until a core repeats itself, then show a later cycle, up
// to the last cycle of the run. A core that ends or changes shared state on the way is only delayed. If none does, and
// each returns to its registers apart from clock values, the run hangs. Not all cycles are tried: a loop that waits for a
// rare value of the clock counts as a hang. Examples: docs/deadlocks.md.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engine/port.hpp"

namespace tessera::engine {

class TimeLoops {
public:
    /// Quiet cycles before the first check. Later checks come when that time has doubled.
    static constexpr Cycle first_look = 1 << 16;
    /// Limit of the look-ahead: beyond it 32-bit clocks wrap too often.
    static constexpr Cycle furthest = Cycle{1} << 36;

    /// `port`: of the run. What cores read by it may count as read by them.
    TimeLoops(Cores& cores, Port& port) : state_(port.state()), cores_(cores), port_(port) {}

    /// A core whose turn would be at `now`.
    struct Candidate {
        unsigned core = 0;
        Cycle now = 0;
    };
    /// True: no cycle from `time` to `until` that is tried ends the loop of one of them. State and cores are as before. False: they only
    /// go on later, so that none is told to be in a loop.
    bool find_loops(std::span<const Candidate> candidates, Cycle time, Cycle until);
    /// The same of one of them.
    bool find_loop(unsigned core, Cycle now, Cycle time, Cycle until);

private:
    /// One turn of the core without the others. Without a value: it changed shared state, or stopped.
    std::optional<Turn> act_alone(unsigned core, Cycle now, std::uint32_t most_instructions);
    bool stays_in_loop(unsigned core, Cycle now, Cycle time, Cycle until);
    std::optional<Cycle> settle(unsigned core, Cycle now);
    /// Whether the core does anything, or never repeats itself, as its clocks pass multiples of powers of two.
    bool try_strides(unsigned core, Cycle now, Cycle time, Cycle until);
    using Memory = std::vector<std::uint32_t>;
    std::vector<Memory> visits(unsigned core, std::uint32_t pc, Cycle& now);
    std::optional<Memory> come_back(unsigned core, Cycle& now, const Memory& before, std::uint32_t pc, Cycle time, Cycle leap);

    state::State& state_;
    Cores& cores_;
    Port& port_;
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
