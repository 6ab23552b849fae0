// SPDX-License-Identifier: Apache-2.0
// Records what a run does and which state decided about it, and makes a RecordedRun of that if it can be repeated.
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
    /// Limit of a recording. Its repetition takes some tens of ms at most and cannot be interrupted.
    static constexpr std::size_t most_bytes = std::size_t{4} << 20, most_works = std::size_t{1} << 16;

    /// The run starts on this state.
    explicit RunRecorder(const state::State& state);

    /// An instruction was resolved: the cells that its resolve read decide the rest.
    void looked(const units::Resolved& at);
    /// An instruction is about to do its work.
    void executes(const units::Resolved& what);
    /// A program's core stores to a cell.
    void stored(state::Cell cell);
    /// A step that a recording cannot repeat.
    void give_up() { given_up_ = true; }

    /// After the run. Null: its works alone do not repeat it.
    std::shared_ptr<const RecordedRun> finish(const Program& program, const RunOptions& options, Reset reset,
                                              const Run& run, KnownL1 l1);

private:
    using CellSet = std::bitset<state::cells::total>;

    void note_accesses(const units::Resolved& of);
    bool works_keep_apart() const;

    const state::State& state_;
    std::shared_ptr<RecordedRun> made_;
    std::vector<std::uint64_t> l1_before_, l1_read_;  ///< a bit per line: written before the run, read by it
    CellSet decided_;                                 ///< read by a resolve
    CellSet effected_;                                ///< possibly written by effects or stores
    CellSet set_;                                     ///< written other than by an increment
    std::map<std::uint16_t, std::uint32_t> counted_;  ///< cells of Captures::counted, and their masks
    CellSet works_read_, works_wrote_;
    std::unordered_set<std::shared_ptr<const units::Captures>> captures_;
    std::unordered_map<const units::Resolved*, plan::WorkList::Step> steps_;  ///< the last work of each
    bool given_up_ = false;
};

}  // namespace tessera::engine
