// SPDX-License-Identifier: Apache-2.0
// Published measurements on chips, each with a program that repeats it here.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "silicon/core_loops.hpp"

namespace tessera::bench::silicon {

/// A publication of measurements.
struct Publication {
    std::string_view key, what, where;
};
/// All of them.
const std::vector<Publication>& publications();

/// A measurement on a chip.
struct Measurement {
    std::string row;  ///< of docs/silicon.md: a letter for the subject and a number, "I3"
    Arch arch = Arch::blackhole;
    std::string what;
    double published = 0;           ///< cycles
    std::optional<double> other{};  ///< that of the slower state, if the chip has two
    std::string_view per;           ///< "instruction", "tile", …
    std::string_view publication;   ///< Publication::key
    char trust =
        'A';  ///< A: raw data with its program; B: a vendor's figure with its method; C: parts of the method missing
    std::function<Result<double>(const Machine&)> predict{};  ///< the same by a run
    std::string_view fitted = {};  ///< why a row that would be held out is fitted: its mechanism is in no other row
};

/// Held out of all fitting: every row whose number three divides, unless `fitted` says why not.
bool held_out(const Measurement& measurement);
/// Cycles that tt-sim predicts for the same program, where it publishes them or its sweeps print them.
std::optional<double> peer_of(const Measurement& measurement);

using Measurements = std::vector<Measurement>;
void add_issue(Measurements& all);      ///< I: rates of issue, waits, configuration
void add_cores(Measurements& all);      ///< R: the RISC-V cores, and of I what they push
void add_replays(Measurements& all);    ///< I: the vector unit, fed by replays
void add_matrix(Measurements& all);     ///< M: the matrix unit, a tile at a time
void add_unpackers(Measurements& all);  ///< U
void add_packers(Measurements& all);    ///< P
void add_vector(Measurements& all);     ///< S: kernels of the vector unit
void add_noc(Measurements& all);        ///< N: transfers from L1 to L1
void add_dram(Measurements& all);       ///< D: transfers with DRAM

}  // namespace tessera::bench::silicon
