// SPDX-License-Identifier: Apache-2.0
// tessera sweep: reads the options; the Python package tessera.sweeps does the work.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "command.hpp"
#include "commands/python_process.hpp"
#include "reports/json.hpp"

namespace tessera::cli {

namespace {

struct SweepArguments {
    std::string specification;
    std::optional<std::uint64_t> workers;
    std::optional<std::string> results, dask, against, junit, html, csv, parquet, png, svg;
    bool quiet = false;
};

/// The arguments of tessera.sweep() in Python, by name.
Json arguments(const SweepArguments& options) {
    Json json = {{"specification", options.specification}, {"quiet", options.quiet}};
    if (options.workers) json["workers"] = *options.workers;
    const auto add = [&](const char* name, const std::optional<std::string>& value) {
        if (value) json[name] = *value;
    };
    add("results", options.results);
    add("dask", options.dask);
    add("against", options.against);
    add("junit", options.junit);
    add("html", options.html);
    add("csv", options.csv);
    add("parquet", options.parquet);
    add("png", options.png);
    add("svg", options.svg);
    return json;
}

int execute(const SweepArguments& options) {
    std::string text;
    try {
        text = arguments(options).dump();
    } catch (const Json::type_error&) {
        return refuse("cli.usage", "a path or address is not UTF-8");
    }
    return report(become_python("tessera.sweeps.__main__", text));
}

}  // namespace

void add_sweep(CommandLine& program) {
    auto options = std::make_shared<SweepArguments>();
    const Command command =
        program.add("sweep", "Do many runs from one file: every combination of formats, seeds, registers, ...");
    command.option("SWEEP", options->specification, "Sweep file (.toml)").required();
    const auto file = [&](const char* name, std::optional<std::string>& path, const char* about) {
        return command.option(name, path, about).value_name("FILE");
    };
    file("--results", options->results,
         "SQLite file with a row for each run; the runs that it has are not done again (default: SWEEP with .sqlite)");
    command
        .option("-j,--workers", options->workers, "Processes on this computer; default: one for each hardware thread; 0: all runs in one process")
        .value_name("N")
        .check(whole_number(0, 4096));
    command.option("--dask", options->dask, "Do the runs on a Dask cluster: the address of its scheduler, or 'local'")
        .value_name("ADDRESS");
    const Option against =
        file("--against", options->against,
             "Compare with this results file: bits, cycles, findings; exit status 1 if anything differs");
    file("--junit", options->junit, "Write the comparison as JUnit XML").needs(against);
    file("--html", options->html, "Write the report: one page with table, filter and plots");
    file("--csv", options->csv, "Write all rows as CSV");
    file("--parquet", options->parquet, "Write all rows as Parquet (needs pyarrow)");
    file("--png", options->png, "Write the plot of the report (needs matplotlib)");
    file("--svg", options->svg, "Write the plot of the report (needs matplotlib)");
    command.flag("--quiet", options->quiet, "Show no progress");
    command.footer(
        "A run that fails is a row, not the end of the sweep. After Ctrl-C the same command goes on where it was.\n"
        "TESSERA_PYTHON names the Python that has the package tessera, if it is not the one of the build.\n"
        "Exit status 1: a run failed, a file could not be made after the runs, or with --against something differs.\n"
        "Example: tessera sweep examples/sweeps/first.toml --results first.sqlite --csv first.csv");
    command.action([options] { return execute(*options); });
}

}  // namespace tessera::cli
