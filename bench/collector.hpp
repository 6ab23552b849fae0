// SPDX-License-Identifier: Apache-2.0
// Google Benchmark's results, by case.
#pragma once

#include <benchmark/benchmark.h>

#include <optional>
#include <string>
#include <vector>

#include "cases.hpp"

namespace tessera::bench {

/// What came of a case. Times are of one of the things of which an iteration consists (describe()).
struct Sample {
    std::vector<double> ns;  ///< of processor time, a repetition each, sorted
    double bytes = 0;
    std::optional<double> kept;
    std::string error;  ///< empty: it was measured

    double median() const;
};

/// Measures all cases; samples are in their order.
std::vector<Sample> collect(const std::vector<Case>& cases, unsigned repetitions, double seconds);

}  // namespace tessera::bench
