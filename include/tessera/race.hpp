// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tessera/diff.hpp"
#include "tessera/job.hpp"

namespace tessera {

struct RaceOptions {
    std::uint32_t runs = 20;     ///< schedules beside the one without delays
    std::uint64_t seed = 1;      ///< of the first of them; the others follow
    std::uint32_t threads = 0;   ///< schedules run at the same time; 0: as many as the computer can. The report is the same
    std::uint32_t most = 16;     ///< outcomes that are told apart; schedules with yet another one are counted
};

/// What some schedules of a job came to.
struct RaceOutcome {
    std::vector<std::uint64_t> seeds;  ///< those schedules, without the one that has no delays
    bool without_delays = false;       ///< that one is among them
    std::string end;                   ///< code of the fault; empty: it ended well
    /// What differs from the first outcome: an element of state, and the byte of which output that is.
    std::optional<StateDifference> state;
    std::string output;       ///< path of the output, empty when the job has none
    std::uint64_t count = 0;  ///< elements that differ
    /// The first instruction that did something else than in the first outcome. Nothing for that one itself, and of kernels.
    std::optional<InstructionDifference> instruction;
};

/// What came of a job under delays as hardware may have them.
struct RaceReport {
    std::uint32_t schedules = 0;
    /// What of a schedule's end is compared: "outputs", their bytes in L1; of a job without any the whole "state", of kernels "l1".
    std::string compared;
    std::vector<RaceOutcome> outcomes;  ///< the first has the schedule without delays
    std::uint32_t others = 0;           ///< schedules with outcomes beyond RaceOptions::most
    std::vector<Finding> findings;      ///< hazards of all schedules, each pair of places once
    bool interrupted = false;           ///< schedules that had not ended then are neither counted nor compared

    bool same() const { return outcomes.size() <= 1 && others == 0; }
    /// Several lines for people.
    std::string describe() const;
};

/// Runs the job without delays and then under the seeds, and compares how they ended (RaceReport::compared). RunOptions::stop and
/// `interrupt` of the job end all of it. Hazards are those findings about order that the runs had (docs/races.md). Errors: those of
/// prepare() and Core::run().
Result<RaceReport> find_races(const Job& job, const RaceOptions& options = {});

}  // namespace tessera
