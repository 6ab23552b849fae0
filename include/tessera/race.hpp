// SPDX-License-Identifier: Apache-2.0
/// @file
/// Runs a job under many schedules and reports what differs, and what nothing orders.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tessera/diff.hpp"
#include "tessera/job.hpp"

namespace tessera {

/// The schedules of find_races().
struct RaceOptions {
    static constexpr std::uint32_t most_runs = 100'000;  ///< `runs` may be
    std::uint32_t runs = 20;    ///< schedules besides the one without delays
    std::uint64_t seed = 1;     ///< of the first schedule; the others have the following numbers
    std::uint32_t threads = 0;  ///< schedules that run at the same time; 0: one per processor. The report does not depend on it
    std::uint32_t most = 16;    ///< outcomes that are described, at least the first; schedules with further outcomes are only counted
};

/// The end that some schedules of a job have in common.
struct RaceOutcome {
    std::vector<std::uint64_t> seeds;      ///< of those schedules, without the one without delays
    bool without_delays = false;           ///< the schedule without delays is one of them
    std::string end;                       ///< code of the fault, or of the finding at level error, that ended it; empty: it ended well
    std::optional<StateDifference> state;  ///< the first difference from the first outcome
    std::string output;                    ///< path of the output that holds `state`; empty if the job has none
    std::uint64_t count = 0;               ///< the number of different elements
    /// The first instruction with another effect than in the first outcome. Empty for the first outcome and for kernels.
    std::optional<InstructionDifference> instruction;
};

/// The outcomes of a job under delays that hardware may have.
struct RaceReport {
    std::uint32_t schedules = 0;  ///< that ended
    /// The part of a schedule's end that is compared: the bytes of the "outputs" in L1; for a job without outputs the whole "state",
    /// and for kernels "l1".
    std::string compared;
    std::vector<RaceOutcome> outcomes;  ///< the first contains the schedule without delays
    std::uint32_t others = 0;           ///< schedules with outcomes beyond RaceOptions::most
    std::vector<Finding> findings;      ///< hazards of all schedules, each pair of places once
    bool interrupted = false;           ///< schedules that had not ended are neither counted nor compared

    /// Whether all schedules ended equally.
    bool same() const { return outcomes.size() <= 1 && others == 0; }
    /// Several lines for people.
    std::string describe() const;
};

/// Runs a job without delays and then under the seeds, and compares the ends (RaceReport::compared).
///
/// RunOptions::stop and RunOptions::interrupt of the job end all runs. RaceReport::findings has the findings about order
/// (docs/races.md). Errors: those of prepare() and Core::run(); "run.functional" if the job has no time; "race.runs" of too many
/// schedules.
Result<RaceReport> find_races(const Job& job, const RaceOptions& options = {});

}  // namespace tessera
