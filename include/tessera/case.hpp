// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tessera/job.hpp"

namespace tessera {

/// Some bytes of L1.
struct L1Range {
    std::uint64_t address = 0, length = 0;
    friend bool operator==(const L1Range&, const L1Range&) = default;
};

/// A case: a job, and the state that its end is held against (format "tessera-case-1", docs/record-reduce-diff.md).
struct Case {
    Job job;
    std::string name, category, note;
    std::vector<L1Range> dump;  ///< the parts of L1 that are compared
    std::string expect;         ///< JSON; empty: nothing is expected
};

/// Reads a case. Its job has the reset of the vendor's simulator, instant timing and at most 100 000 000 cycles where the
/// file does not say otherwise. Errors "case.open", "case.syntax", "case.format", "case.arch", "case.timing",
/// "case.reset", "case.value", "case.threads", "case.expect", "case.hex", and those of ops (load_job()).
Result<Case> load_case(const std::string& path);

/// A case, or any other job as a case that expects nothing; `symbols` are for jobs. Errors as load_case() and load_job().
Result<Case> load_job_or_case(const std::string& path, const JobSymbols& symbols = {});
/// The same from text, as parse_job().
Result<Case> parse_job_or_case(std::string_view text, const std::string& name, const JobSymbols& symbols = {});

/// The text of a case; the same case always gives the same text.
std::string format_case(const Case& what);

/// Writes format_case() to a file, whole or not at all. Error "case.write".
Result<void> write_case(const Case& what, const std::string& path);

/// A run with what it left behind.
struct Recording {
    Run run;
    /// The job with its end state as `expect`; nothing when the run ended with a fault or a finding at level error: then
    /// there is no end to expect.
    std::optional<Case> recorded;
};

/// Runs a job and makes a case of it that passes. `dump` says which parts of L1 are expected; without it those that the
/// case itself lists, or for a job its outputs and all that instructions have written. Outputs of the job are not
/// written, and the case has none. Errors "l1.range", and those of prepare() and Core::run(); "record.reference" when the
/// job asks for the second implementation, which a case does not say, "record.kernels" when it has kernels.
Result<Recording> record(const Case& what, std::span<const L1Range> dump = {});

}  // namespace tessera
