// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "tessera/case.hpp"

namespace tessera {

struct ReduceOptions {
    /// Code of the fault or finding to be kept, whatever its level. Empty: what the run ends with; for a case that ends
    /// well, its first difference from what it expects.
    std::string keep{};
    /// What is kept is that the units and the second implementation do something else at an instruction of that name.
    bool reference = false;
    std::uint64_t max_runs = 20'000;
    /// Called after each run, with the number of runs and of ops that are left.
    std::function<void(std::uint64_t, std::size_t)> on_progress{};
};

/// A smaller job that fails in the same way.
struct Reduced {
    Case what;         ///< expects something only when that is what was kept
    std::string kept;  ///< how it fails, in words
    std::size_t ops_before = 0, ops = 0;
    std::size_t bytes_before = 0, bytes = 0;  ///< of L1 that are not zero before the run
    std::uint64_t runs = 0;
    bool complete =
        true;  ///< false: the limit of runs, or RunOptions::stop, came before nothing more could be left out

    /// "201 of 203 ops left out, …", one line.
    std::string describe() const;
};

/// Leaves out all that a failing job can do without: ops, then MOPs and REPLAYs in favour of what they expand to where
/// that is not more, operands and configuration (towards zero), and memory. The same way of failing is: the same fault
/// at an instruction of that name; for a deadlock, the same front ends and units wait for the same things; the same
/// finding at an instruction of that name; for a case, the same wrong value at the same place, last written by an
/// instruction of that name. No run takes more than twice the cycles of the first and 10 000. Always the same result
/// for the same job. Errors: "reduce.good" when the job does not fail in the way that is asked for, "reduce.keep" for
/// an unknown code, "reduce.kernels" when the job has kernels instead of ops, "reduce.interrupted" when
/// RunOptions::stop came before the first run had ended, and those of prepare() and Core::run().
Result<Reduced> reduce(const Case& what, const ReduceOptions& options = {});

/// A case as format_case(); any other job as TOML, with its ops as assembly and where each came from.
std::string format_reduced(const Reduced& reduced);

/// Writes format_reduced() to a file, whole or not at all. Errors "reduce.write"; "reduce.name" when the name does not
/// end in .json (a case) or .toml (any other job).
Result<void> write_reduced(const Reduced& reduced, const std::string& path);

}  // namespace tessera
