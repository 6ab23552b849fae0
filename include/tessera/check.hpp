// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "tessera/core.hpp"

namespace tessera {

/// How a case ended.
enum class Verdict : std::uint8_t { passed, failed, not_implemented };
std::string_view name(Verdict verdict);

struct CheckResult {
    std::string name;      ///< the case's own name
    std::string category;  ///< folder and name prefix: "blackhole/basic", "unpack-model/s2"
    Arch arch = Arch::blackhole;
    Verdict verdict = Verdict::failed;
    std::string difference;  ///< the first difference by name, or the fault; empty when passed
    Run run;
};

/// Runs a `tessera-case-1` file and compares the state at its end with the case's `expect`; keys that are absent there
/// are not compared. `reference`: as RunOptions::reference. Errors as load_job().
Result<CheckResult> check_case(const std::string& path, bool reference = false);

struct CheckOptions {
    bool reference = false;
    std::optional<Timing> timing{};  ///< in place of the cases' own
    unsigned threads = 0;  ///< cases run at the same time; 0: as many as the computer can
    const std::atomic<bool>* stop = nullptr;  ///< as RunOptions::stop: cases that have not ended then are not told
};

/// Runs many cases, each on a core of its own, and tells `told` the number of each and what came of it: on this thread, in the
/// order of the paths, however many threads there are.
void check_cases(std::span<const std::string> paths, const CheckOptions& options,
                 const std::function<void(std::size_t, Result<CheckResult>)>& told);

}  // namespace tessera
