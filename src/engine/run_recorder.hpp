// SPDX-License-Identifier: Apache-2.0
// Learns from an engine what a run does and what decides about it, and whether that makes a RecordedRun.
#pragma once

#include <map>
#include <memory>
#include <unordered_map>
#include <unordered_set>

#include "engine/recorded_run.hpp"
#include "units/plan_cache.hpp"

namespace tessera::engine {

class RunRecorder {
public:
    /// A recorded run takes no more, and is repeated in some tens of ms at most: it cannot be interrupted.
    static constexpr std::size_t most_bytes = std::size_t{4} << 20, most_works = std::size_t{1} << 16;

    /// Of a run that is about to begin on the state.
    explicit RunRecorder(const state::State& state);

    /// An instruction was resolved: what its resolve looked at decides what comes.
    void looked(const units::Resolved& at);
    /// An instruction executes: its work is about to be done.
    void executes(const units::Resolved& what);
    /// A core of a program stores to a cell.
    void stored(state::Cell cell);
    /// Something was done, or decided, in a way that a recorded run does not know.
    void give_up() { given_up_ = true; }

    /// Once the run is over. Null: it cannot be repeated by its works alone.
    std::shared_ptr<const RecordedRun> finish(const Program& program, const RunOptions& options, Reset reset,
                                              const Run& run, KnownL1 l1);

private:
    using CellSet = std::bitset<state::cells::total>;

    void note_accesses(const units::Resolved& of);
    bool works_keep_apart() const;

    const state::State& state_;
    std::shared_ptr<RecordedRun> made_;
    std::vector<std::uint64_t> l1_before_, l1_read_;  ///< a bit per line: written before the run, read by it
    CellSet decided_;                                 ///< a resolve looked at them
    CellSet effected_;                                ///< effects and stores may have written them
    CellSet set_;                                     ///< otherwise than by adding to what was there
    std::map<std::uint16_t, std::uint32_t> counted_;  ///< cells of Captures::counted, and their masks
    CellSet works_read_, works_wrote_;
    std::unordered_set<std::shared_ptr<const units::Captures>> captures_;
    std::unordered_map<const units::Resolved*, plan::WorkList::Step> steps_;  ///< of each the last work
    bool given_up_ = false;
};

}  // namespace tessera::engine
