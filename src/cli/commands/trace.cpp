// SPDX-License-Identifier: Apache-2.0
// tessera trace: a run as JSON lines, as a timeline for Perfetto, as a page, or as a report of its cycles.
#include <memory>

#include "command.hpp"
#include "commands/trace_chip.hpp"
#include "commands/trace_files.hpp"
#include "commands/trace_page.hpp"
#include "options/job_options.hpp"
#include "options/output_paths.hpp"
#include "reports/json.hpp"
#include "reports/run_report.hpp"
#include "reports/terminal.hpp"
#include "reports/trace_json.hpp"

namespace tessera::cli {

namespace {

/// The report, and why the run ended.
Json report_json(const TraceReport& report, const Run& run) {
    Json json = to_json(report);
    json["fault"] = maybe(run.fault);
    return json;
}

struct TraceArguments {
    JobOptions job;
    std::string output, perfetto, html;
    bool writes = false, report = false, json = false;
    std::optional<unsigned> threads;
};

int execute_chip(const ChipJob& job, const TraceArguments& options) {
    if (const auto checked = check_outputs({options.output, options.perfetto, options.html}, job.inputs); !checked)
        return report(checked.error());
    if (!options.html.empty()) return write_chip_page(job, options.threads.value_or(1), options.html);
    return trace_chip(job, {options.output, options.perfetto, options.writes, options.report, options.json, options.threads.value_or(1)});
}

int execute(const TraceArguments& options) {
    if (options.json && !options.report) return refuse("cli.usage", "--json is the form of a --report");
    if (options.writes && options.output.empty() && (options.report || !options.perfetto.empty()))
        return refuse("cli.usage", "--writes adds to JSON lines: give their file with -o");
    Result<AnyJob> any = options.job.load_any();
    if (!any) return report(any.error());
    if (const auto* const of_chip = std::get_if<ChipJob>(&*any)) return execute_chip(*of_chip, options);
    if (options.threads) return refuse("cli.usage", "--threads is for jobs with a grid of tiles");
    const Job& job = std::get<Job>(*any);
    if (const auto checked = check_outputs({options.output, options.perfetto, options.html}, job.inputs); !checked)
        return report(checked.error());
    if (!options.html.empty()) return write_trace_page(job, options.html);
    Result<Core> core = prepare(job);
    if (!core) return report(core.error());
    // Checked before files are opened, so that an invalid program leaves none behind.
    if (const Result<void> valid = validate(job.program); !valid) return report(valid.error());

    TraceForms forms;
    forms.writes = options.writes;
    TraceFiles files;
    if (const auto opened = files.open(options.output, forms.lines); !opened) return report(opened.error());
    if (const auto opened = files.open(options.perfetto, forms.perfetto); !opened) return report(opened.error());
    TraceReport reported;
    if (options.report) forms.report = &reported;
    if (!forms.lines && !forms.perfetto && !forms.report)
        forms.lines = [](std::string_view text) { print(stdout, text); };

    const Result<Run> run = trace_job(job, *core, job.options, forms);
    if (!run) return report(run.error());
    const auto written = files.commit();
    if (options.report) print(stdout, options.json ? to_text(report_json(reported, *run), 2) + "\n" : reported.describe());
    if (!run->good()) print(stderr, describe_diagnoses(*run));
    if (!written) return report_unwritten(written.error());
    return run->good() ? good : bad_result;
}

}  // namespace

void add_trace(CommandLine& program) {
    auto options = std::make_shared<TraceArguments>();
    const Command command =
        program.add("trace", "Trace a job: when each instruction executed, what it did, what it waited for");
    options->job.add_to(command, {.with_clock = true});
    command.option("-o,--output", options->output, "Write JSON lines to this file").value_name("FILE");
    command.flag("--writes", options->writes, "Add JSON lines of all writes");
    command.option("--perfetto", options->perfetto, "Write a timeline for ui.perfetto.dev to this file")
        .value_name("FILE");
    command.flag("--report", options->report,
                 "Report units, waits, the critical path and the way of data on standard output");
    const Option html = command.option("--html", options->html,
                                       "Write a page that shows the run in a browser (docs/viewer.md) to this file");
    html.value_name("FILE");
    for (const char* other : {"--output", "--writes", "--perfetto", "--report"}) html.excludes(other);
    add_threads(command, options->threads);
    command.flag("--json", options->json, "The report as one JSON object");
    command.footer(
        "Without -o, --perfetto and --report, JSON lines go to standard output. docs/reference/trace-lines.md has "
        "every field.\n"
        "Examples: tessera trace examples/add/add.toml -o add.jsonl --perfetto add.json\n"
        "          tessera trace examples/add/add.toml --report");
    command.action([options] { return execute(*options); });
}

}  // namespace tessera::cli
