// SPDX-License-Identifier: Apache-2.0
// tessera trace: one JSON line per instruction that has ended.
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
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
    std::string output;
};

struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

int execute(const Options& options) {
    Result<Job> job = options.job.load();
    if (!job) return report(job.error());
    Result<Core> core = prepare(*job);
    if (!core) return report(core.error());
    // Before the file is opened: what cannot run leaves no file behind.
    if (const Result<void> valid = validate(job->program); !valid) return report(valid.error());

    File file;
    std::FILE* out = stdout;
    if (!options.output.empty()) {
        file.reset(std::fopen(options.output.c_str(), "w"));
        if (!file) return report({"cli.write", std::strerror(errno), options.output, 0, 0});
        out = file.get();
    }
    auto line = [&](const Json& json) { print(out, to_text(json, -1) + "\n"); };

    line({{"format", "tessera-trace-1"},
          {"arch", name(job->arch)},
          {"job", job->file},
          {"timing", name(job->options.timing)},
          {"seed", job->options.seed ? Json(*job->options.seed) : Json(nullptr)}});
    job->options.on_event = [&](const Event& event) { line(to_json(event)); };
    const Result<Run> run = run_job(*job, *core, job->options);
    if (!run) return report(run.error());

    if (file && (std::fflush(out) != 0 || std::ferror(out)))
        return report({"cli.write", "could not write the whole trace", options.output, 0, 0});
    if (!run->good()) print(stderr, describe_diagnoses(*run));
    return run->good() ? good : bad_result;
}

}  // namespace

void add_trace(CLI::App& app, Action& action) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("trace", "Run a job and tell when each instruction was where (JSON lines)");
    options->job.add_to(*command);
    command->add_option("-o,--output", options->output, "Write there instead of to standard output")->type_name("FILE");
    command->footer(
        "The first line is a header, the others are one instruction each, in the order of their ends.\n"
        "Example: tessera trace examples/add/add.toml -o add.jsonl");
    command->callback([&action, options] { action = [options] { return execute(*options); }; });
}

}  // namespace tessera::cli
