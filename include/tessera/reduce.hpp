// SPDX-License-Identifier: Apache-2.0
/// @file
/// Makes a failing job smaller, as long as it fails in the same way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "tessera/case.hpp"

namespace tessera {

/// The failure to keep, and the limit of reduce().
struct ReduceOptions {
    /// Code of the fault or finding to keep, whatever its level. Empty: the end of the run; for a case that ends well, its first
    /// difference from what it expects.
    std::string keep{};
    /// Keeps a difference between the units and the second implementation, at an instruction of the same name.
    bool reference = false;
    std::uint64_t max_runs = 20'000;  ///< the most runs of smaller jobs
    /// Called after each run with the number of runs and the number of ops that are left.
    std::function<void(std::uint64_t, std::size_t)> on_progress{};
};

/// A smaller job that fails in the same way.
struct Reduced {
    Case what;                     ///< the job; expects something only if a difference from `expect` was kept
    std::string kept;              ///< the failure, in words
    std::size_t ops_before = 0;    ///< ops of the original
    std::size_t ops = 0;           ///< ops that are left
    std::size_t bytes_before = 0;  ///< bytes of L1 that were not zero before the run of the original
    std::size_t bytes = 0;         ///< the same of the smaller job
    std::uint64_t runs = 0;        ///< how many runs it took
    bool complete = true;          ///< false: ended by max_runs, or a limit or stop of RunOptions, so less may be possible

    /// One line: "2 of 203 ops and 0 of 64 bytes of L1 are left after 40 runs".
    std::string describe() const;
};

/// Leaves out everything that a failing job can do without. The same job always gives the same result.
///
/// It drops ops, replaces MOPs and REPLAYs by their expansion if that is not longer, moves operands and configuration towards
/// zero, and clears memory. No run takes more than twice the cycles of the first plus 10,000. A failure is the same if:
/// - a fault: the code and the name of the instruction are equal;
/// - a deadlock: the same front ends and units wait for the same things;
/// - a finding: the code and the name of the instruction are equal;
/// - a case: the same element has the same wrong value, last written by an instruction of the same name.
///
/// Errors: "reduce.good" if the job does not fail in that way; "reduce.keep" for an unknown code; "reduce.kernels" for a job with
/// kernels; "reduce.interrupted" if RunOptions::stop or a limit ended the first run; those of prepare() and Core::run(). A first run
/// that is too short to read a `stop` that is true from the begin gives the job as it was, without Reduced::complete.
Result<Reduced> reduce(const Case& what, const ReduceOptions& options = {});

/// A case in the form of format_case(). Any other job as TOML, with its ops as assembly and their places as comments.
std::string format_reduced(const Reduced& reduced);

/// Writes format_reduced() to a file, whole or not at all. Errors: "reduce.write"; "reduce.name" if the name does not end in .json
/// (a case) or .toml (any other job).
Result<void> write_reduced(const Reduced& reduced, const std::string& path);

}  // namespace tessera
