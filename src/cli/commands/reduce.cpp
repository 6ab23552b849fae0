// SPDX-License-Identifier: Apache-2.0
// tessera reduce: makes a failing job smaller.
#include "tessera/reduce.hpp"

#include <fmt/format.h>

#include <chrono>
#include <memory>

#include "command.hpp"
#include "options/job_options.hpp"
#include "options/output_paths.hpp"
#include "reports/json.hpp"
#include "reports/terminal.hpp"
#include "stop.hpp"

namespace tessera::cli {

namespace {

struct ReduceArguments {
    JobOptions job;
    ReduceOptions reduce;
    std::string output;
    bool json = false;
};

/// `with_job`: the smaller job as a text, too.
Json reduced_as_json(const Reduced& reduced, bool with_job) {
    Json json = {{"kept", reduced.kept},   {"ops_before", reduced.ops_before},
                 {"ops", reduced.ops},     {"bytes_before", reduced.bytes_before},
                 {"bytes", reduced.bytes}, {"runs", reduced.runs},
                 {"complete", reduced.complete}};
    if (with_job) json["job"] = format_reduced(reduced);
    return json;
}

/// The cause of an end before --limit and before nothing more could be left out; empty: there is none.
std::string_view early_end(const Reduced& reduced, const ReduceOptions& how, const RunOptions& limits) {
    if (reduced.complete) return {};
    if (stop_signal()) return "interrupted";
    if (reduced.runs >= how.max_runs) return {};
    const bool in_time = !limits.deadline || std::chrono::steady_clock::now() < *limits.deadline;
    return in_time ? "the process has more memory than --max-memory" : "the time of --timeout is over";
}

/// Of `path`, before anything runs. A case may become a job, but a job never a case.
Result<void> check_ending(const std::string& path, const Case& what) {
    if (path.empty() || path.ends_with(".toml") || (path.ends_with(".json") && !what.expect.empty())) return {};
    return fail("reduce.name", "the reduced job is written as .toml, a case as .json: the file name must have this ending", path);
}

int execute(const ReduceArguments& options) {
    if (!options.job.host.empty())
        return refuse("cli.host", "--host is for kernels, which reduce does not take: leave it out");
    JobOptions chosen = options.job;
    ReduceOptions how = options.reduce;
    how.reference = std::exchange(chosen.reference, false);
    const Result<Case> what = chosen.load_job_or_case();
    if (!what) return report(what.error());
    if (const auto checked = check_outputs({options.output}, what->job.inputs); !checked)
        return report(checked.error());
    if (const auto checked = check_ending(options.output, *what); !checked) return report(checked.error());
    Progress progress(how.max_runs);
    how.on_progress = [&](std::uint64_t runs, std::size_t) { progress.show(runs); };
    const Result<Reduced> reduced = reduce(*what, how);
    progress.clear();
    if (!reduced) return report(reduced.error());
    const std::string_view cause = early_end(*reduced, how, what->job.options);
    if (!cause.empty()) print(stderr, fmt::format("tessera: {}: this is the best so far\n", cause));
    const auto wrote = options.output.empty() ? Result<void>() : write_reduced(*reduced, options.output);
    const bool is_written = !options.output.empty() && wrote;
    if (options.json)
        print(stdout, to_text(reduced_as_json(*reduced, !is_written), 2) + "\n");
    else if (!is_written)
        print(stdout, format_reduced(*reduced));
    else
        print(stdout, reduced->describe() + "\nkept: " + reduced->kept + "\n");
    if (!wrote) return report_unwritten(wrote.error());
    return cause.empty() ? good : bad_result;
}

}  // namespace

void add_reduce(CommandLine& program) {
    auto options = std::make_shared<ReduceArguments>();
    const Command command = program.add("reduce", "Make a failing job smaller while it fails in the same way");
    options->job.add_to(command, {.reference = "Keep a difference between the units and the second implementation", .host = false});
    command
        .option("-o,--output", options->output,
                "Write to this file instead of standard output: .toml, for a case .json")
        .value_name("OUT");
    command.option("--keep", options->reduce.keep, "Keep that fault or finding, whatever its level").value_name("CODE");
    command.option("--limit", options->reduce.max_runs, "Run at most this many smaller jobs")
        .value_name("N")
        .show_default()
        .check(whole_number(1));
    command.flag("--json", options->json, "Print one JSON object; without -o it has the smaller job as a text");
    command.footer(
        "What is kept without --keep: the fault, or the finding at level error, that the run ends with; of a case "
        "that\n"
        "ends well its first difference from what it expects. Ctrl-C, --timeout and --max-memory end with the best so\n"
        "far (exit status 130, after a limit 1).\n"
        "Example: tessera reduce examples/deadlock/hangs/job.toml -o small.toml");
    command.action([options] { return execute(*options); });
}

}  // namespace tessera::cli
