// SPDX-License-Identifier: Apache-2.0
#include "commands/trace_chip.hpp"

#include <fmt/format.h>

#include "command.hpp"
#include "commands/trace_files.hpp"
#include "reports/chip_report.hpp"
#include "reports/json.hpp"
#include "reports/terminal.hpp"
#include "reports/trace_json.hpp"
#include "tessera/chip_trace.hpp"

namespace tessera::cli {

namespace {

/// The tiles' reports, and why the run ended.
Json report_json(const std::vector<TileTraceReport>& tiles, const ChipRun& run) {
    Json json = {{"tiles", Json::array()}, {"fault", maybe(run.fault)}};
    for (const TileTraceReport& tile : tiles) {
        Json one = {{"tile", {tile.column, tile.row}}};
        one.update(to_json(tile.report));
        json["tiles"].push_back(std::move(one));
    }
    return json;
}

std::string describe(const std::vector<TileTraceReport>& tiles) {
    std::string text;
    for (const TileTraceReport& tile : tiles)
        text += fmt::format("{}tile ({}, {})\n{}", text.empty() ? "" : "\n", tile.column, tile.row, tile.report.describe());
    return text;
}

}  // namespace

int trace_chip(const ChipJob& job, const ChipTraceArguments& arguments) {
    Result<Chip> chip = prepare(job);
    if (!chip) return report(chip.error());
    ChipTraceForms forms;
    forms.writes = arguments.writes;
    TraceFiles files;
    if (const auto opened = files.open(arguments.output, forms.lines); !opened) return report(opened.error());
    if (const auto opened = files.open(arguments.perfetto, forms.perfetto); !opened) return report(opened.error());
    std::vector<TileTraceReport> reports;
    if (arguments.report) forms.reports = &reports;
    if (!forms.lines && !forms.perfetto && !forms.reports) forms.lines = [](std::string_view text) { print(stdout, text); };

    const Result<ChipRun> run = trace_job(job, *chip, {.tile = job.options, .threads = arguments.threads}, forms);
    if (!run) return report(run.error());
    const auto written = files.commit();
    if (arguments.report) print(stdout, arguments.json ? to_text(report_json(reports, *run), 2) + "\n" : describe(reports));
    if (!run->good()) print(stderr, describe_chip_diagnoses(*run));
    if (!written) return report_unwritten(written.error());
    return run->good() ? good : bad_result;
}

}  // namespace tessera::cli
