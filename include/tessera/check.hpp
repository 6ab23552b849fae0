// SPDX-License-Identifier: Apache-2.0
/// @file
/// Runs cases and compares the state at their end with the state that they expect.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "tessera/core.hpp"

namespace tessera {

/// The result of one case. `not_implemented`: the run ended with fault "not-implemented".
enum class Verdict : std::uint8_t { passed, failed, not_implemented };
/// "passed", "failed", "not_implemented".
std::string_view name(Verdict verdict);

/// A case that was run.
struct CheckResult {
    std::string name;                    ///< the case's own name
    std::string category;                ///< folder and prefix of the name: "blackhole/basic", "unpack-model/s2"
    Arch arch = Arch::blackhole;         ///< the chip that it ran on
    Verdict verdict = Verdict::failed;   ///< the result
    std::string difference;              ///< the first element that differs, by name, or the fault; empty if passed
    Run run;                             ///< cycles, findings and fault
    double seconds = 0;                  ///< wall time that the case took
};

/// Runs one `tessera-case-1` or `tessera-chip-case-1` file and compares the state at its end with `expect`. Elements
/// that `expect` lacks are not compared. CheckResult::run of a grid has the findings of all tiles.
///
/// `reference` is RunOptions::reference. Errors: those of load_case() and load_chip_case(); of a grid also those of
/// Chip::make() and Chip::load(), "chip.tile", "chip.dram", "dram.range" and "chip.timing", and "job.chip" by reference.
Result<CheckResult> check_case(const std::string& path, bool reference = false);

/// How check_cases() runs the cases.
struct CheckOptions {
    bool reference = false;          ///< as RunOptions::reference
    std::optional<Timing> timing{};  ///< replaces the timing of every case; empty: each case has its own
    unsigned threads = 0;            ///< cases that run at the same time; 0: one per processor
    /// Ends the runs when it becomes true. Cases that have not ended by then are not reported. If it is true from the begin, the
    /// first case is still reported if its run is too short to read it (RunOptions::stop).
    const std::atomic<bool>* stop = nullptr;
    /// As RunOptions::deadline, for all cases together: what is left over is not reported.
    std::optional<std::chrono::steady_clock::time_point> deadline{};
    std::uint64_t max_memory = 0;  ///< bytes, as RunOptions::max_memory; 0: no limit
};

/// Runs many cases, each on a core of its own. Calls `told` with the position and the result of each case.
///
/// `told` runs on the calling thread, in the order of `paths`, for any number of threads.
void check_cases(std::span<const std::string> paths, const CheckOptions& options,
                 const std::function<void(std::size_t, Result<CheckResult>)>& told);

}  // namespace tessera
