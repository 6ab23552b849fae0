// SPDX-License-Identifier: Apache-2.0
// tessera run: a job to its end, its outputs, and a report.
#include <memory>

#include "command.hpp"
#include "job_options.hpp"
#include "json.hpp"
#include "run_report.hpp"
#include "terminal.hpp"

namespace tessera::cli {

namespace {

struct Options {
    JobOptions job;
    std::string window;
    bool json = false;
    bool no_output = false;
};

Json describe_as_json(const Job& job, const Run& run, bool written) {
    Json json = {{"job", job.file},
                 {"arch", name(job.arch)},
                 {"timing", name(job.options.timing)},
                 {"reference", job.options.reference},
                 {"seed", job.options.seed ? Json(*job.options.seed) : Json(nullptr)}};
    json.update(to_json(run));
    json["outputs"] = Json::array();
    if (written)
        for (const Job::Output& output : job.outputs) json["outputs"].push_back(output.npy);
    return json;
}

int execute(const Options& options) {
    Result<Job> job = options.job.load();
    if (!job) return report(job.error());
    job->options.window = options.window;
    Result<Core> core = prepare(*job);
    if (!core) return report(core.error());
    const Result<Run> run = core->run(job->program, job->options);
    if (!run) return report(run.error());

    // Outputs of a run that went wrong would be taken for good ones.
    const bool written = run->good() && !options.no_output;
    Result<void> wrote;
    if (written) wrote = write_outputs(*job, *core);

    if (options.json) {
        print(stdout, to_text(describe_as_json(*job, *run, written && wrote), 2) + "\n");
    } else {
        print(stdout, describe_run(*run));
        if (written && wrote)
            for (const Job::Output& output : job->outputs) print(stdout, "wrote         " + output.npy + "\n");
    }
    if (!wrote) return report(wrote.error());
    return run->good() ? good : bad_result;
}

}  // namespace

void add_run(CLI::App& app, Action& action) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("run", "Run a job, write its outputs, report where the cycles went");
    options->job.add_to(*command);
    command->add_flag("--json", options->json, "Report as one JSON object");
    command
        ->add_option("--window", options->window,
                     "Report also where the cycles went from the first to the last issue of an instruction")
        ->type_name("INSTRUCTION");
    command->add_flag("--no-output", options->no_output, "Write no output files");
    command->footer("Example: tessera run examples/add/add.toml --finding hazard.dst=error");
    command->callback([&action, options] { action = [options] { return execute(*options); }; });
}

}  // namespace tessera::cli
