// SPDX-License-Identifier: Apache-2.0
// Random programs of three threads over all instructions, and cores on random states to run them on.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/random_state.hpp"
#include "tessera/core.hpp"

namespace tessera::test {

/// A core that holds what the state does.
Core core_of(const state::State& from, Reset reset);

class RandomPrograms {
public:
    RandomPrograms(Arch arch, std::uint64_t seed);

    /// One of a few, of both resets.
    const Core& base() { return bases_[random_() % bases_.size()]; }

    Program program();
    /// More than FIFOs hold, of instructions that seldom end a program, between ops of the threads' cores.
    Program long_program();

    /// The same few instructions of the matrix and the vector unit, and some that count, again and again: in line, from the replay
    /// buffer or out of MOPs, now and then with others among them.
    Program loops();

    /// Timing, and a seed half of the time; few cycles.
    RunOptions options();

    Op op();
    Random& random() { return random_; }

private:
    std::uint32_t word();
    std::vector<Op> loop();

    Arch arch_;
    Random random_;
    std::vector<std::string_view> names_, repeated_;
    std::vector<Core> bases_;
};

/// All that a run reports.
std::string reported(const Run& run);

}  // namespace tessera::test
