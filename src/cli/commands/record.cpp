// SPDX-License-Identifier: Apache-2.0
// tessera record: writes a job with its end state as a case.
#include <fmt/format.h>

#include <memory>

#include "command.hpp"
#include "options/job_options.hpp"
#include "options/output_paths.hpp"
#include "reports/run_report.hpp"
#include "reports/terminal.hpp"
#include "tessera/case.hpp"
#include "tessera/number.hpp"

namespace tessera::cli {

namespace {

struct RecordArguments {
    JobOptions job;
    std::string output, name, note;
    std::vector<std::string> dump;
};

/// "ADDR:LEN"
Result<L1Range> read_range(const std::string& text) {
    const std::size_t colon = text.find(':');
    const std::string_view all = text;
    const auto address = parse_number(all.substr(0, colon));
    const auto length = parse_number(colon == text.npos ? "" : all.substr(colon + 1));
    if (!address || !length || *length == 0)
        return fail("cli.dump", fmt::format("'{}' is not ADDR:LEN: bytes, decimal or with 0x", text));
    return L1Range{*address, *length};
}

int execute(const RecordArguments& options) {
    std::vector<L1Range> dump;
    for (const std::string& text : options.dump) {
        const Result<L1Range> range = read_range(text);
        if (!range) return report(range.error());
        dump.push_back(*range);
    }
    Result<Case> what = options.job.load_job_or_case();
    if (!what) return report(what.error());
    if (const auto checked = check_outputs({options.output}, what->job.inputs); !checked)
        return report(checked.error());
    if (!options.name.empty()) what->name = options.name;
    if (!options.note.empty()) what->note = options.note;
    const Result<Recording> recording = record(*what, dump);
    if (!recording) return report(recording.error());
    if (!recording->recorded) {
        print(stderr, describe_diagnoses(recording->run));
        return bad_result;
    }
    if (options.output.empty()) {
        print(stdout, format_case(*recording->recorded));
        return good;
    }
    if (const Result<void> wrote = write_case(*recording->recorded, options.output); !wrote)
        return report(wrote.error());
    return good;
}

}  // namespace

void add_record(CommandLine& program) {
    auto options = std::make_shared<RecordArguments>();
    const Command command = program.add("record", "Run a job and write it with its end state as a case");
    options->job.add_to(command);
    command.option("-o,--output", options->output, "Write to this file instead of standard output")
        .value_name("CASE.json");
    command
        .option("--dump", options->dump,
                "Bytes of L1 that are expected (may be repeated); without it the outputs and all that is written")
        .value_name("ADDR:LEN")
        .one_at_a_time();
    command.option("--name", options->name, "Name of the case; without it that of the file").value_name("NAME");
    command.option("--note", options->note, "Purpose of the case").value_name("TEXT");
    command.footer(
        "A JOB that is a case gets a new expected state. A run with a fault is not recorded.\n"
        "Example: tessera record examples/add/add.toml -o add.json && tessera check add.json");
    command.action([options] { return execute(*options); });
}

}  // namespace tessera::cli
