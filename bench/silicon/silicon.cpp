// SPDX-License-Identifier: Apache-2.0
#include "silicon/silicon.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <regex>
#include <tuple>

#include "silicon/measurement.hpp"

namespace tessera::bench::silicon {

const std::vector<Publication>& publications() {
    static const std::vector<Publication> all = {
        {"tt-sim",
         "tensixbench and riscvbench: programs and raw readings of a Wormhole n300 and a Blackhole p150 card, August "
         "2026",
         "github.com/mesham/tt-sim, perfbench/ and tt_sim/perf/datasets"},
        {"tt-llk FPU", "Blackhole FPU Math Kernel Measurements: a p300a card, mean of MATH_ISOLATE and UNPACK_ISOLATE",
         "github.com/tenstorrent/tt-metal, tt_metal/tt-llk/docs/performance/blackhole_fpu_math_kernel_measurements.md"},
        {"tt-metal 58723", "figures of a change to eltwise multiplication on Blackhole",
         "github.com/tenstorrent/tt-metal/issues/58723"},
        {"tt-metal 54317", "figures of changes to kernels of the vector unit on a p100a",
         "github.com/tenstorrent/tt-metal/issues/54317"},
        {"tt-llk perf", "results of the kernel library's performance tests on Wormhole, PACK_ISOLATE",
         "github.com/tenstorrent/tt-metal, "
         "tt_metal/tt-llk/docs/perf_evaluation/results/wormhole-nonsol/noise_isolates.md"},
        {"tt-metal 51901", "perf_pack_dest_bank on Blackhole, PACK_ISOLATE, 8 to 4096 tiles",
         "github.com/tenstorrent/tt-metal/issues/51901"},
    };
    return all;
}

namespace {

unsigned number_of(const Measurement& measurement) {
    unsigned number = 0;
    std::from_chars(measurement.row.data() + 1, measurement.row.data() + measurement.row.size(), number);
    return number;
}

/// Rows by subject and number, then by chip.
std::tuple<std::size_t, unsigned, Arch> place_of(const Measurement& measurement) {
    constexpr std::string_view subjects = "IMUPSR";
    return {subjects.find(measurement.row.front()), number_of(measurement), measurement.arch};
}

}  // namespace

bool held_out(const Measurement& measurement) { return number_of(measurement) % 3 == 0 && measurement.fitted.empty(); }

double Compared::deviation() const {
    const double first = predicted / published - 1;
    if (!other) return first;
    const double second = predicted_other.value_or(predicted) / *other - 1;
    const bool second_is_nearer = std::abs(second) < std::abs(first);
    return predicted_other.has_value() != second_is_nearer ? second : first;
}

Result<Comparison> compare(const std::string& filter, Timing timing) {
    std::regex wanted;
    try {
        wanted = std::regex(filter);
    } catch (const std::regex_error&) {
        return fail("bench.filter", fmt::format("'{}' is not a regular expression", filter));
    }
    Measurements all;
    for (const auto add : {add_issue, add_cores, add_matrix, add_unpackers, add_packers, add_vector}) add(all);
    std::stable_sort(all.begin(), all.end(),
                     [](const Measurement& a, const Measurement& b) { return place_of(a) < place_of(b); });
    Comparison comparison{.timing = timing, .rows = {}, .sources = {}};
    for (const Publication& one : publications())
        comparison.sources.push_back({std::string(one.key), std::string(one.what), std::string(one.where)});
    for (const Measurement& one : all) {
        if (!std::regex_search(fmt::format("{} {} {}", one.row, name(one.arch), one.what), wanted)) continue;
        Compared row{.row = one.row,
                     .arch = one.arch,
                     .what = one.what,
                     .per = std::string(one.per),
                     .publication = std::string(one.publication),
                     .trust = one.trust,
                     .published = one.published,
                     .other = one.other,
                     .held_out = held_out(one)};
        const auto predicted = one.predict({one.arch, timing});
        if (predicted)
            row.predicted = *predicted;
        else
            row.error = predicted.error().describe();
        if (one.other && timing == Timing::silicon)
            if (const auto slow = one.predict({one.arch, Timing::silicon_slow})) row.predicted_other = *slow;
        comparison.rows.push_back(std::move(row));
    }
    if (comparison.rows.empty()) return fail("bench.filter", fmt::format("no measurement matches '{}'", filter));
    return comparison;
}

}  // namespace tessera::bench::silicon
