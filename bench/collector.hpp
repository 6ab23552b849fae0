// SPDX-License-Identifier: Apache-2.0
// Collects Google Benchmark's results by case.
#pragma once

#include <benchmark/benchmark.h>

#include <optional>
#include <string>
#include <vector>

#include "cases.hpp"

namespace tessera::bench {

/// Results of a case. Times are per item of an iteration (describe()).
struct Sample {
    std::vector<double> ns;  ///< processor time per repetition, sorted
    double bytes = 0;
    std::optional<double> kept;
    std::string error;  ///< empty if it was measured

    double median() const;
};

/// Measures all cases; the samples are in the same order.
std::vector<Sample> collect(const std::vector<Case>& cases, unsigned repetitions, double seconds);

}  // namespace tessera::bench
