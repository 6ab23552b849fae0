// SPDX-License-Identifier: Apache-2.0
// Recorded runs of some cores (tessera::Recordings), which may be in several threads.
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

    /// Beyond so many bytes runs are forgotten, of those programs first that were run least recently; so are programs beyond so many.
    static constexpr std::size_t most_bytes = std::size_t{16} << 20, most_programs = 4096;
    /// Of one program: what one run leaves for the next (banks, contexts, a packer's plane of its tile) may come round.
    static constexpr std::size_t most_of_program = 64;

    /// What is known of a program: two that are equal have one number.
    struct Known {
        std::uint64_t number = 0;
        /// The last one that was used, then the others from the one that was not for longest: where they come round it is next.
        std::vector<Kept> runs;
        /// It has been run before, and recording it has not been in vain too often.
        bool worth_recording = false;
    };
    /// Of a program that is about to be run.
    Known look_up(const Program& program);
    /// It has answered a run of the program.
    void used(std::uint64_t number, const Kept& run);
    /// Null: it ended badly.
    void keep(std::uint64_t number, Kept run);
    /// A good run of the program could not be recorded.
    void give_up(std::uint64_t number);

private:
    // A program whose cells are never the same again is not recorded all the time; one that could not be recorded a few times, from
    // whatever state, no more.
    static constexpr unsigned most_attempts = 128, attempts_in_vain = 32;

    struct OfProgram {
        std::uint64_t number = 0;
        unsigned attempts = most_attempts;  ///< left; each use gives one back
        std::vector<Kept> runs;             ///< the last one that was used first
    };
    /// Not had, where others do not give it back.
    std::unique_lock<std::mutex> locked();
    OfProgram* find(std::uint64_t number);
    /// The one that was used longest ago, which is forgotten.
    Kept take_last(OfProgram& of);

    std::mutex mutex_;
    std::list<OfProgram> programs_;  ///< the last one that was run first
    std::unordered_map<std::uint64_t, std::list<OfProgram>::iterator> by_number_;
    std::size_t bytes_ = 0;
};

}  // namespace tessera::core
