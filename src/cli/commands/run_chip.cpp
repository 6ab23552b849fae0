// SPDX-License-Identifier: Apache-2.0
#include "commands/run_chip.hpp"

#include "command.hpp"
#include "options/output_paths.hpp"
#include "reports/chip_report.hpp"
#include "reports/digest.hpp"
#include "reports/json.hpp"
#include "reports/terminal.hpp"

namespace tessera::cli {

int run_chip(const ChipJob& job, const ChipArguments& arguments) {
    std::vector<std::string> paths;
    if (!arguments.no_output)
        for (const auto& output : job.outputs) paths.push_back(output.what.path);
    if (const auto checked = check_outputs(paths, job.inputs); !checked) return report(checked.error());
    Result<Chip> chip = prepare(job);
    if (!chip) return report(chip.error());
    ChipRunOptions options;
    options.tile = job.options;
    options.threads = arguments.threads;
    const Result<ChipRun> run = chip->run(options);
    if (!run) return report(run.error());

    // As of one tile: outputs of a failed run could be mistaken for good ones.
    const bool written = run->good() && !arguments.no_output;
    Result<void> wrote;
    if (written) wrote = write_outputs(job, *chip);
    const std::string kept = run->good() ? std::string() : kept_lines(paths);
    if (!written || !wrote) paths.clear();
    if (arguments.json) {
        Json json = chip_run_json(job, *chip, *run, paths);
        if (arguments.digest) json["digest"] = digest_text(*chip);
        print(stdout, to_text(json, 2) + "\n");
    } else {
        print(stdout, describe_chip_run(*chip, *run));
        if (arguments.digest) print(stdout, digest_line(*chip));
        for (const std::string& path : paths) print(stdout, "wrote         " + path + "\n");
        print(stdout, kept);
    }
    if (!wrote) return report_unwritten(wrote.error());
    return run->good() ? good : bad_result;
}

}  // namespace tessera::cli
