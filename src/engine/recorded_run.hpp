// SPDX-License-Identifier: Apache-2.0
// A run that can be repeated on other data. Nothing but cells, and marks of what has been written, decided which works it did and
// what it reported, and no work wrote any of them: where all of that is the same, a run does the same works in the same order
// and leaves the same cells. Counters that it only added to are further by as much as they were then; what its works have of them, they do
// not use.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "checks/l1_tensors.hpp"
#include "plan/work_list.hpp"
#include "state/state.hpp"
#include "tessera/core.hpp"

namespace tessera::engine {

/// Whether a run with these options may be recorded, or answered by a recorded one: nobody is told anything while it goes on, nothing
/// is drawn by lot.
bool may_be_recorded(const RunOptions& options);

/// What a run depends on, beside the data that its works are about.
struct RunBasis {
    Program program;
    Timing timing{};
    std::uint64_t max_cycles = 0;
    std::map<std::string, Level> levels;
    std::vector<Disregarded> disregard;
    Reset reset{};
    bool movers_map_dst = false;
    std::array<std::uint32_t, state::cells::total> cells{};  ///< at the beginning
    /// Numbers of cells, first and behind the last: all but those that works alone read and write, and those that are only counted.
    std::vector<std::pair<std::uint16_t, std::uint16_t>> deciding;
    std::array<std::uint64_t, 4> src_written{};  ///< SrcBank::written of each [Src][bank]
    std::bitset<state::Dst::rows> dst_written;
    /// Of 64 lines of L1: those that the run read, and which of them had been written.
    struct Lines {
        std::uint32_t group = 0;
        std::uint64_t read = 0, written = 0;
    };
    std::vector<Lines> l1_written;

    /// Whether a run that begins now would find the same.
    bool is_met(const Program& of, const RunOptions& options, Reset how, const state::State& state) const;
};

/// What a core knows of L1 before a run and behind it.
struct KnownL1 {
    std::vector<checks::L1Tensor> before, after;
};

/// Never changes once it is there: cores of several threads may have it.
struct RecordedRun {
    RunBasis basis;
    plan::WorkList works;
    /// Cells, works' own apart, and what the run left in them.
    std::vector<std::pair<state::Cell, std::uint32_t>> changed;
    /// Counters that decide nothing, and by how much the run raised them.
    struct Counted {
        state::Cell cell{};
        std::uint32_t by = 0, mask = 0;
    };
    std::vector<Counted> counted;
    KnownL1 l1;
    Run run;

    /// Does what the run did, of which the basis is met. What it reports is `run`.
    void repeat(state::State& state) const;
    /// That it takes, nearly.
    std::size_t bytes() const;
};

}  // namespace tessera::engine
