// SPDX-License-Identifier: Apache-2.0
// `tessera bench --silicon`: published measurements beside the cycles of the same programs here.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tessera/arch.hpp"
#include "tessera/error.hpp"
#include "tessera/timing.hpp"

namespace tessera::bench::silicon {

/// A measurement and its prediction.
struct Compared {
    std::string row;  ///< "I3"
    Arch arch = Arch::blackhole;
    std::string what, per, publication;
    char trust = 'A';
    double published = 0;           ///< cycles
    std::optional<double> other{};  ///< of the chip's second state
    double predicted = 0;
    /// Under Timing::silicon_slow, if the chip has two states and the comparison is under Timing::silicon.
    std::optional<double> predicted_other{};
    std::optional<double> peer{};  ///< what tt-sim, another simulator, predicts
    bool held_out = false;
    std::string error{};  ///< why there is no prediction; empty: there is one

    /// Predicted over published, less one. Of two predicted states the larger deviation; of one prediction that from the nearer state.
    double deviation() const;
};

/// A publication of measurements.
struct Source {
    std::string key, what, where;
};

struct Comparison {
    Timing timing{};
    std::vector<Compared> rows;  ///< in the order of their subjects
    std::vector<Source> sources;  ///< of these rows
};

/// Repeats all measurements whose name ("I3 wormhole ADDDMAREG, one thread") matches a regular expression (ECMAScript); empty: all. Error
/// "bench.filter".
Result<Comparison> compare(const std::string& filter, Timing timing);

}  // namespace tessera::bench::silicon
