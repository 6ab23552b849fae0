// SPDX-License-Identifier: Apache-2.0
// A run that can be repeated on other data. It is valid because only cells and marks of written memory decided what the
// run did, and none of its works wrote those. If they are equal again, the run does the same works in the same order
// and leaves the same cells. Counters that the run only incremented are incremented by the same amount; no work reads
// them.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "checks/l1_formats.hpp"
#include "plan/work_list.hpp"
#include "state/state.hpp"
#include "tessera/core.hpp"

namespace tessera::engine {

/// Whether a run with these options may be recorded or replaced by a recording: it has no observer and draws no delay.
bool may_be_recorded(const RunOptions& options);

/// All that the run depends on, beside the data of its works.
struct RunBasis {
    Program program;
    Timing timing{};
    std::uint64_t max_cycles = 0;
    std::map<std::string, Level> levels;
    std::vector<Disregarded> disregard;
    Reset reset{};
    bool maps_dst = false;
    std::array<std::uint32_t, state::cells::total> cells{};  ///< at the start
    /// Ranges of cells, first and past the last: without those of works alone and those that are only incremented.
    std::vector<std::pair<std::uint16_t, std::uint16_t>> deciding;
    std::array<std::uint64_t, 4> src_written{};  ///< SrcBank::written of each [Src][bank]
    std::bitset<state::Dst::rows> dst_written;
    /// For 64 lines of L1 each: lines that the run read, and lines of them that had been written.
    struct Lines {
        std::uint32_t group = 0;
        std::uint64_t read = 0, written = 0;
    };
    std::vector<Lines> l1_written;

    /// Whether a run that starts now would meet the same conditions.
    bool is_met(const Program& of, const RunOptions& options, Reset how, const state::State& state) const;
};

/// A core's knowledge of L1 before and after a run.
struct KnownL1 {
    checks::L1Formats before, after;
};

/// Immutable once made: cores of several threads may share it.
struct RecordedRun {
    RunBasis basis;
    plan::WorkList works;
    /// Final values of cells, without those of works.
    std::vector<std::pair<state::Cell, std::uint32_t>> changed;
    /// Counters that decide nothing, and the run's increment of each.
    struct Counted {
        state::Cell cell{};
        std::uint32_t by = 0, mask = 0;
    };
    std::vector<Counted> counted;
    KnownL1 l1;
    Run run;

    /// Repeats the run; basis must be met. `run` receives the report.
    void repeat(state::State& state) const;
    /// Approximate size in bytes.
    std::size_t bytes() const;
};

}  // namespace tessera::engine
