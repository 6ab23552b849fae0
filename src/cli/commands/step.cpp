// SPDX-License-Identifier: Apache-2.0
// tessera step: a job instruction by instruction, forwards and back.
#include <fmt/format.h>

#include <memory>

#include "command.hpp"
#include "options/job_options.hpp"
#include "options/standard_input.hpp"
#include "reports/terminal.hpp"
#include "step/line_reader.hpp"
#include "step/session.hpp"
#include "stop.hpp"

namespace tessera::cli {

namespace {

struct StepArguments {
    JobOptions job;
    std::vector<std::string> commands;
};

Result<Execution> begin(const Job& job, Core& core) {
    if (job.kernels) return Execution::begin(core, *job.kernels, job.options);
    return Execution::begin(core, job.program, job.options);
}

int execute(const StepArguments& options) {
    if (options.job.path == standard_input && options.commands.empty())
        return report(
            {"cli.usage", "commands come from standard input: give the job as a file, or commands with -c", {}, 0, 0});
    Result<Job> job = options.job.load();
    if (!job) return report(job.error());
    Result<Core> core = prepare(*job);
    if (!core) return report(core.error());
    Result<Execution> execution = begin(*job, *core);
    if (!execution) return report(execution.error());
    execution->remember();
    StepSession session(*execution, *job);

    bool refused = false;
    auto obey = [&](const std::string& line) {
        const StepSession::Reply reply = session.obey(line);
        refused = refused || reply.error;
        print(reply.error ? stderr : stdout, reply.text);
        return !reply.quit;
    };
    if (!options.commands.empty()) {
        for (const std::string& line : options.commands)
            if (!obey(line)) break;
    } else {
        while (const auto line = read_line("(tessera) "))
            if (!obey(*line)) break;
    }
    if (refused) return not_run;
    return execution->run().good() ? good : bad_result;
}

}  // namespace

void add_step(CommandLine& program) {
    auto options = std::make_shared<StepArguments>();
    const Command command = program.add("step", "Step through a job, forwards and back");
    options->job.add_to(command);
    command
        .option("-c,--command", options->commands,
                "Execute this command, then end; may be repeated (default: read standard input)")
        .value_name("LINE")
        .one_at_a_time();
    command.footer("Commands:\n" + StepSession::help() +
                   "\nExample: tessera step examples/seeds/5.2-tilize.toml -c 'step 3' -c explain -c 'print rwc 0'");
    command.action([options] { return execute(*options); });
}

}  // namespace tessera::cli
