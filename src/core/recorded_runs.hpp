// SPDX-License-Identifier: Apache-2.0
// Cache of recorded runs (tessera::Recordings). Several cores, in different host threads, may share it.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "engine/recorded_run.hpp"

namespace tessera::core {

class RecordedRuns {
public:
    using Kept = std::shared_ptr<const engine::RecordedRun>;

    /// Limits of the cache. Beyond either, the least recently run programs lose their recordings first.
    static constexpr std::size_t most_bytes = std::size_t{16} << 20, most_programs = 4096;
    /// Recordings per program. Runs of one program may cycle through states (banks, contexts, a packer's plane of its
    /// tile).
    static constexpr std::size_t most_of_program = 64;

    /// Cache entry of a program. Equal programs have the same number.
    struct Known {
        std::uint64_t number = 0;
        /// The most recently used run, then the others from the least recently used on: in a cycle of states that one
        /// is next.
        std::vector<Kept> runs;
        /// True if the program ran before and attempts are left.
        bool worth_recording = false;
    };
    /// Call before a run of the program.
    Known look_up(const Program& program);
    /// Call when `run` was replayed for the program.
    void used(std::uint64_t number, const Kept& run);
    /// Stores a recording. Null if the run ended badly; this costs an attempt.
    void keep(std::uint64_t number, Kept run);
    /// Call when a good run of the program could not be recorded.
    void give_up(std::uint64_t number);

private:
    // Attempts to record a program whose cells never repeat; a run that cannot be recorded costs `attempts_in_vain`.
    static constexpr unsigned most_attempts = 128, attempts_in_vain = 32;

    struct OfProgram {
        std::uint64_t number = 0;
        unsigned attempts = most_attempts;  ///< left; each use returns one
        std::vector<Kept> runs;             ///< most recently used first
    };
    /// Empty if the lock could not be taken.
    std::unique_lock<std::mutex> locked();
    OfProgram* find(std::uint64_t number);
    /// Removes the least recently used run.
    Kept take_last(OfProgram& of);

    std::mutex mutex_;
    std::list<OfProgram> programs_;  ///< most recently run first
    std::unordered_map<std::uint64_t, std::list<OfProgram>::iterator> by_number_;
    std::size_t bytes_ = 0;
};

}  // namespace tessera::core
