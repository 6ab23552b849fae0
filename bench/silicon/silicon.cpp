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
        {"tt-llk top-k",
         "micro-kernels for top-k on Blackhole, MATH_ISOLATE: slopes of two numbers of repetitions, five runs",
         "github.com/tenstorrent/tt-metal, tt_metal/tt-llk/tests: sources and python_tests/perf_*topk*.py"},
        {"tt-llk flagged", "results of the kernel library's performance tests on Wormhole, L1_TO_L1, ten runs",
         "github.com/tenstorrent/tt-metal, "
         "tt_metal/tt-llk/docs/perf_evaluation/results/wormhole-nonsol/data/flagged_l1_to_l1_x10.csv"},
        {"tt-llk movers", "the same, the points that moved most",
         "github.com/tenstorrent/tt-metal, "
         "tt_metal/tt-llk/docs/perf_evaluation/results/wormhole-nonsol/data/top_movers_l1_to_l1_x10.csv"},
        {"tt-metal 58723", "figures of a change to eltwise multiplication on Blackhole",
         "github.com/tenstorrent/tt-metal/issues/58723"},
        {"tt-metal 54317", "figures of changes to kernels of the vector unit on a p100a",
         "github.com/tenstorrent/tt-metal/issues/54317"},
        {"tt-llk perf", "results of the kernel library's performance tests on Wormhole, PACK_ISOLATE",
         "github.com/tenstorrent/tt-metal, "
         "tt_metal/tt-llk/docs/perf_evaluation/results/wormhole-nonsol/noise_isolates.md"},
        {"tt-metal 51901", "perf_pack_dest_bank on Blackhole, PACK_ISOLATE, 8 to 4096 tiles",
         "github.com/tenstorrent/tt-metal/issues/51901"},
        {"tt-metal 51898", "perf_unpack_tilize on Blackhole, UNPACK_ISOLATE: two levels of one variant",
         "github.com/tenstorrent/tt-metal/issues/51898"},
        {"tt-llk ceiling", "perf_unpack_ceiling on Blackhole, UNPACK_ISOLATE: slope of 16 and 64 tiles",
         "github.com/tenstorrent/tt-llk, tests/python_tests/perf_unpack_ceiling*.py (branch)"},
        {"tt-llk 130", "cycles of the threads in tilize, April 2025", "github.com/tenstorrent/tt-llk/issues/130"},
        {"tt-llk 131", "cycles of the threads in untilize, April 2025", "github.com/tenstorrent/tt-llk/issues/131"},
        {"tt-metal 27922", "nanoseconds of a call of unpack_tilizeA_B_block, at 1.35 GHz",
         "github.com/tenstorrent/tt-metal/issues/27922"},
        {"tt-metal 57292", "kernels of the vector unit by the compute API on a p150b",
         "github.com/tenstorrent/tt-metal/pull/57292"},
        {"tt-metal 49820", "kernels of the vector unit on Blackhole before and after a rewrite, July 2026",
         "github.com/tenstorrent/tt-metal/pull/49820"},
        {"tt-metal 49926", "the same of other kernels", "github.com/tenstorrent/tt-metal/pull/49926"},
        {"tt-metal 45660", "reciprocal of BF16 on Blackhole after a rewrite, as quoted in issue 55801",
         "github.com/tenstorrent/tt-metal/pull/45660"},
        {"tt-metal 48925", "kernels of the vector unit on Wormhole before and after loops were unrolled",
         "github.com/tenstorrent/tt-metal/pull/48925"},
        {"tt-metal 54602",
         "kernels of the vector unit by tables on an n300, four sessions; means of the lowest and highest",
         "github.com/tenstorrent/tt-metal, tech_reports/SFPU_LUT_Retune_Wormhole"},
        {"tt-metal estimator",
         "data of the NoC estimator: tests/tt_metal/tt_metal/data_movement/noc_estimator_tests on both chips",
         "github.com/tenstorrent/tt-metal, "
         "tt_metal/impl/experimental/noc_estimator/latencies/noc_latencies.yaml, commit 1bf49110"},
        {"tt-metal bounds", "lower bounds of bandwidth that the data movement tests are held to",
         "github.com/tenstorrent/tt-metal, "
         "tests/tt_metal/tt_metal/data_movement/documentation/ideal_performance.md, commit 33def065"},
        {"tt-sim NoC",
         "nocbench, nocreadbench and nocevbench: programs and raw readings, both chips, August 2026",
         "github.com/mesham/tt-sim, perfbench/ and tt_sim/perf/datasets, commit 8b031a64"},
        {"tt-sim DRAM", "dramratebench: 1 MiB per tile in requests of 4 KiB, both chips, August 2026",
         "github.com/mesham/tt-sim, perfbench/dramratebench and perfbench/card-sessions, commit 8b031a64"},
        {"tt-llk SFPU", "SFPU kernels: accuracy-neutral instruction-count experiments: whole kernels of 128 tiles",
         "github.com/tenstorrent/tt-metal, tt_metal/tt-llk/docs/sfpu_instruction_count_reduction.md"},
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
    constexpr std::string_view subjects = "IMUPSRND";
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
    for (const auto add : {add_issue, add_replays, add_cores, add_matrix, add_unpackers, add_packers, add_vector,
                           add_noc, add_dram})
        add(all);
    std::stable_sort(all.begin(), all.end(),
                     [](const Measurement& a, const Measurement& b) { return place_of(a) < place_of(b); });
    Comparison comparison{.timing = timing, .rows = {}, .sources = {}};
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
                     .peer = peer_of(one),
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
    const auto some = [&](auto&& matches) {
        return std::any_of(comparison.rows.begin(), comparison.rows.end(), matches);
    };
    if (some([](const Compared& row) { return row.peer.has_value(); }))
        comparison.sources.push_back({"column tt-sim",
                                      "what tt-sim predicts: its tables as its sweeps print them, commit 8b031a64",
                                      "github.com/mesham/tt-sim, tt_sim.perf.tensix_bench_sweep and riscv_bench_sweep; "
                                      "docs/cost-model-caveats-for-consumers.md"});
    for (const Publication& one : publications())
        if (some([&](const Compared& row) { return row.publication == one.key; }))
            comparison.sources.push_back({std::string(one.key), std::string(one.what), std::string(one.where)});
    return comparison;
}

}  // namespace tessera::bench::silicon
