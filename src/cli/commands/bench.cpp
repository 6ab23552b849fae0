// SPDX-License-Identifier: Apache-2.0
// tessera bench: measures the library's speed on this computer.
#include "bench/bench.hpp"

#include <algorithm>
#include <charconv>
#include <memory>
#include <string>

#include "bench/silicon/silicon.hpp"
#include "command.hpp"
#include "options/job_options.hpp"
#include "options/words.hpp"
#include "reports/bench_report.hpp"
#include "reports/silicon_report.hpp"
#include "reports/terminal.hpp"

namespace tessera::cli {

namespace {

struct BenchArguments {
    bench::Options bench;
    std::string timing = std::string(name(Timing::silicon));  ///< of --silicon
    bool quick = false, scaling = false, long_runs = false, programs = false, silicon = false, json = false,
         markdown = false;
};

std::string multiple_of_64(const std::string& text) {
    unsigned value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool fits =
        error == std::errc() && end == text.data() + text.size() && value > 0 && value % 64 == 0 && value <= 1 << 20;
    return fits ? "" : "not a multiple of 64 up to 1048576: " + text;
}

int compare_with_silicon(const BenchArguments& options) {
    const auto timing = read_timing(options.timing, true);
    if (!timing) return report(timing.error());
    if (*timing == Timing::functional)
        return refuse("cli.timing", "--silicon needs a timing with cycles: functional has none");
    const auto compared = bench::silicon::compare(options.bench.filter, *timing);
    if (!compared) return report(compared.error());
    print(stdout, options.json ? to_text(to_json(*compared), 2) + "\n" : to_text(*compared, options.markdown));
    const auto is_repeated = [](const auto& row) { return row.error.empty(); };
    return std::all_of(compared->rows.begin(), compared->rows.end(), is_repeated) ? good : bad_result;
}

int execute(BenchArguments options) {
    if (options.silicon) return compare_with_silicon(options);
    if (options.quick) {
        options.bench.repetitions = 3;
        options.bench.seconds = 0.01;
    }
    const auto measured = options.scaling                  ? bench::measure_scaling(options.bench)
                          : options.long_runs              ? bench::measure_long(options.bench)
                          : options.programs               ? bench::measure_programs(options.bench)
                          : !options.bench.kernels.empty() ? bench::measure_kernels(options.bench)
                                                           : bench::measure(options.bench);
    if (!measured) return report(measured.error());
    print(stdout, options.json ? to_text(to_json(*measured), 2) + "\n" : to_text(*measured, options.markdown));
    const auto is_measured = [](const auto& line) { return line.error.empty(); };
    const bool all = std::all_of(measured->lines.begin(), measured->lines.end(), is_measured) &&
                     std::all_of(measured->kernels.begin(), measured->kernels.end(), is_measured) &&
                     std::all_of(measured->programs.begin(), measured->programs.end(), is_measured);
    return all ? good : bad_result;
}

}  // namespace

void add_bench(CommandLine& program) {
    auto options = std::make_shared<BenchArguments>();
    const Command command = program.add("bench", "Measure the simulator's speed on this computer");
    command.option("--filter", options->bench.filter, "Only lines whose names match this regular expression")
        .value_name("REGEX");
    const Option scaling =
        command.flag("--scaling", options->scaling,
                     "Measure products of 1 to 4096 blocks instead, traced or not, in one and more threads");
    const Option long_runs = command
                                 .flag("--long-runs", options->long_runs,
                                       "Measure runs of 10^6 instructions instead, compared with ten of 10^5")
                                 .excludes(scaling);
    const Option programs =
        command
            .flag("--programs", options->programs,
                  "Measure programs whose ops are new to the core instead: random ones and kernels'")
            .excludes(scaling)
            .excludes(long_runs);
    const Option silicon = command
                               .flag("--silicon", options->silicon,
                                     "Repeat measurements that others published from chips instead, and print "
                                     "predicted beside measured cycles")
                               .excludes(scaling)
                               .excludes(long_runs)
                               .excludes(programs);
    command.option("--timing", options->timing, "The time of --silicon")
        .value_name("TIMING")
        .show_default()
        .needs(silicon);
    const Option kernels =
        command
            .option("--kernels", options->bench.kernels,
                    "Measure kernels on the RISC-V cores instead: DIR is examples/kernels/out/blackhole, where "
                    "`examples/kernels/build blackhole` compiles them")
            .value_name("DIR")
            .excludes(scaling)
            .excludes(long_runs)
            .excludes(programs)
            .excludes(silicon);
    command.option("--tiles", options->bench.tiles, "That each kernel goes through: a multiple of 64")
        .value_name("N")
        .check(multiple_of_64)
        .show_default()
        .needs(kernels);
    command
        .option("--vectors", options->bench.vectors,
                "Use no better vector instructions than AVX3 (AVX-512), AVX2 or SSE4")
        .value_name("SET")
        .excludes(silicon);
    command
        .option(
            "--peer", options->bench.peer,
            "Another simulator's figures, in place of published ones: a JSON file; for --kernels and --programs the "
            "vendor's simulator itself, libttsim.so")
        .value_name("FILE")
        .excludes(silicon);
    const Option repetitions =
        command
            .option("--repetitions", options->bench.repetitions, "Repetitions of each line; its figure is their median")
            .value_name("N")
            .check(whole_number(1, 1000))
            .show_default()
            .excludes(silicon);
    command.flag("--quick", options->quick, "Three short repetitions of each line: a first look")
        .excludes(silicon)
        .excludes(repetitions);
    const Option json = command.flag("--json", options->json, "Print one JSON object");
    command.flag("--markdown", options->markdown, "Print the tables as Markdown").excludes(json);
    command.footer(
        "All lines take about two minutes. Exit status 1: a line could not be measured.\n"
        "Example: tessera bench --filter MVMUL --quick");
    command.action([options] { return execute(*options); });
}

}  // namespace tessera::cli
