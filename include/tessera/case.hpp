// SPDX-License-Identifier: Apache-2.0
/// @file
/// Cases: a job together with the state that its end is compared with.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tessera/job.hpp"

namespace tessera {

/// A range of bytes in L1.
struct L1Range {
    std::uint64_t address = 0;  ///< of the first byte
    std::uint64_t length = 0;   ///< in bytes
    friend bool operator==(const L1Range&, const L1Range&) = default;  ///< equal in every member
};

/// A job and the expected state at its end (format "tessera-case-1", docs/record-reduce-diff.md).
struct Case {
    Job job;                    ///< the program, the memory before it runs, and the options
    std::string name;           ///< for reports
    std::string category;       ///< for reports: groups of cases
    std::string note;           ///< what the case is for
    std::vector<L1Range> dump;  ///< the parts of L1 that are compared
    std::string expect;         ///< JSON of the expected state; empty: nothing is expected
};

/// Reads a case. Unless the file says otherwise, its job has the reset of the vendor's simulator, instant timing and a limit
/// of 100,000,000 cycles.
///
/// Errors: "case.open", "case.syntax", "case.format", "case.arch", "case.timing", "case.reset", "case.value", "case.threads",
/// "case.expect", "case.hex", "l1.range", and those of load_job() about ops.
Result<Case> load_case(const std::string& path);

/// Reads a case or any other job; a job becomes a case that expects nothing. Errors: those of load_case() and
/// load_job(); "job.value" for a case with `changes`, which apply to jobs only.
Result<Case> load_job_or_case(const std::string& path, const JobChanges& changes = {});
/// load_job_or_case() of a text. Paths and `name` are those of parse_job().
Result<Case> parse_job_or_case(std::string_view text, const std::string& name, const JobChanges& changes = {});

/// A case as text. Equal cases give equal text.
std::string format_case(const Case& what);

/// Writes format_case() to a file, whole or not at all. Errors: "case.write"; those of load_case() about `expect`.
Result<void> write_case(const Case& what, const std::string& path);

/// A run and the case that was made of it.
struct Recording {
    Run run;  ///< as Core::run() returned it
    /// The job with its end state as `expect`. Empty if the run ended with a fault or a finding at level error.
    std::optional<Case> recorded;
};

/// Runs a job and makes a case of it that passes. Outputs of the job are not written, and the case has none.
///
/// `dump` lists the expected parts of L1. If it is empty, the list of the case itself applies. A job without such a list gets
/// its outputs and all bytes that instructions wrote. Errors: "l1.range"; "record.reference" if the job asks for the second
/// implementation; "record.kernels" if it has kernels; those of prepare() and Core::run().
Result<Recording> record(const Case& what, std::span<const L1Range> dump = {});

}  // namespace tessera
