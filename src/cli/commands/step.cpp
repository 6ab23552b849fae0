// SPDX-License-Identifier: Apache-2.0
// tessera step: a job instruction by instruction, forwards and back.
#include <fmt/format.h>

#include <memory>

#include "command.hpp"
#include "options/job_options.hpp"
#include "options/standard_input.hpp"
#include "options/words.hpp"
#include "reports/terminal.hpp"
#include "step/line_reader.hpp"
#include "step/session.hpp"
#include "stop.hpp"

namespace tessera::cli {

namespace {

struct StepArguments {
    JobOptions job;
    std::vector<std::string> commands;
    std::string tile;  ///< COLUMN,ROW
};

Result<Execution> begin(const Job& job, Core& core) {
    if (job.kernels) return Execution::begin(core, *job.kernels, job.options);
    return Execution::begin(core, job.program, job.options);
}

/// Obeys all commands. Returns the exit status: `steps` is the execution that they move.
template <class Steps>
int obey_all(StepSession& session, const StepArguments& options, const Steps& steps) {
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
    // A signal at the prompt leaves the run as it is.
    return steps.run().good() && !stop_signal() ? good : bad_result;
}

int step_tile(const Job& job, const StepArguments& options) {
    Result<Core> core = prepare(job);
    if (!core) return report(core.error());
    Result<Execution> execution = begin(job, *core);
    if (!execution) return report(execution.error());
    execution->remember();
    StepSession session(*execution, job, options.job.run_text());
    return obey_all(session, options, *execution);
}

struct TileName {
    unsigned column = 0, row = 0;
};

/// "COLUMN,ROW". Empty: the first tile that has kernels.
Result<TileName> first_tile(const ChipJob& job, const std::string& text) {
    if (!text.empty()) {
        if (const auto tile = parse_pair<unsigned>(text, ',')) return TileName{tile->first, tile->second};
        return fail("cli.usage", fmt::format("--tile takes COLUMN,ROW, not '{}'", text));
    }
    std::optional<TileName> first;
    for (const ChipJob::Tiles& tiles : job.tiles)
        if (tiles.kernels && (!first || std::pair(tiles.first_row, tiles.first_column) < std::pair(first->row, first->column)))
            first = TileName{tiles.first_column, tiles.first_row};
    if (!first) return fail("chip.tile", "no tile has kernels");
    return *first;
}

int step_chip(const ChipJob& job, const StepArguments& options) {
    const auto first = first_tile(job, options.tile);
    if (!first) return report(first.error());
    Result<Chip> chip = prepare(job);
    if (!chip) return report(chip.error());
    Result<ChipExecution> tiles = ChipExecution::begin(*chip, first->column, first->row, {.tile = job.options});
    if (!tiles) return report(tiles.error());
    Job of_tile;
    of_tile.file = job.file;
    of_tile.arch = job.arch;
    of_tile.options = job.options;
    of_tile.kernels.emplace();
    StepSession session(*chip, *tiles, of_tile);
    return obey_all(session, options, *tiles);
}

int execute(const StepArguments& options) {
    if (options.job.path == standard_input && options.commands.empty())
        return refuse("cli.usage", "commands come from standard input: give the job as a file, or commands with -c");
    Result<AnyJob> job = options.job.load_any();
    if (!job) return report(job.error());
    if (const auto* const of_chip = std::get_if<ChipJob>(&*job)) return step_chip(*of_chip, options);
    if (!options.tile.empty()) return refuse("cli.usage", "--tile is for jobs with a grid of tiles");
    return step_tile(std::get<Job>(*job), options);
}

}  // namespace

void add_step(CommandLine& program) {
    auto options = std::make_shared<StepArguments>();
    const Command command = program.add("step", "Step through a job, forwards and back");
    options->job.add_to(command, {.with_clock = true});
    command
        .option("-c,--command", options->commands,
                "Execute this command, then end; may be repeated (default: read standard input)")
        .value_name("LINE")
        .one_at_a_time()
        .may_be_empty();  // repeats the last one, as at the prompt
    command.option("--tile", options->tile, "Of a job with a grid: the tile to look at first (default: the first one that has kernels)")
        .value_name("COLUMN,ROW");
    command.footer("Commands:\n" + StepSession::help() +
                   "\nExample: tessera step examples/seeds/5.2-tilize.toml -c 'step 3' -c explain -c 'print rwc 0'");
    command.action([options] { return execute(*options); });
}

}  // namespace tessera::cli
