// SPDX-License-Identifier: Apache-2.0
// tessera record: writes a job with its end state as a case.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <sstream>

#include "command.hpp"
#include "options/job_options.hpp"
#include "options/output_paths.hpp"
#include "reports/chip_report.hpp"
#include "reports/run_report.hpp"
#include "reports/terminal.hpp"
#include "tessera/case.hpp"
#include "tessera/chip_case.hpp"
#include "tessera/number.hpp"
#include "tessera/output_file.hpp"

namespace tessera::cli {

namespace {

struct RecordArguments {
    JobOptions job;
    std::string output, name, note;
    std::vector<std::string> dump;
};

/// "ADDR:LEN"; `all` is what is named in an error.
Result<L1Range> read_range(const std::string& all, std::string_view text, const char* form) {
    const std::size_t colon = text.find(':');
    const auto address = parse_number(text.substr(0, colon));
    const auto length = parse_number(colon == text.npos ? "" : text.substr(colon + 1));
    if (!address || !length || *length == 0)
        return fail("cli.dump", fmt::format("'{}' is not {}: bytes, decimal or with 0x", all, form));
    return L1Range{*address, *length};
}

/// "tile 1 0:ADDR:LEN", "dram 2:ADDR:LEN"
Result<ChipRange> read_chip_range(const std::string& text) {
    constexpr const char* form = "'tile COLUMN ROW:ADDR:LEN' or 'dram CHANNEL:ADDR:LEN'";
    const std::size_t colon = std::min(text.find(':'), text.size());
    std::istringstream place(text.substr(0, colon));
    std::vector<unsigned> numbers;
    std::string kind, word;
    place >> kind;
    while (place >> word) {
        const auto number = parse_number(word);
        if (!number || *number > UINT8_MAX) return fail("cli.dump", fmt::format("'{}' is not {}", text, form));
        numbers.push_back(static_cast<unsigned>(*number));
    }
    ChipRange range;
    if (kind == "tile" && numbers.size() == 2) {
        range.column = numbers[0];
        range.row = numbers[1];
    } else if (kind == "dram" && numbers.size() == 1) {
        range.channel = numbers[0];
    } else {
        return fail("cli.dump", fmt::format("'{}' is not {}", text, form));
    }
    return read_range(text, std::string_view(text).substr(std::min(colon + 1, text.size())), form).map([&](const L1Range& bytes) {
        range.address = bytes.address;
        range.length = bytes.length;
        return range;
    });
}

template <class Range, class Read>
Result<std::vector<Range>> read_dump(const std::vector<std::string>& texts, Read read) {
    std::vector<Range> dump;
    for (const std::string& text : texts) {
        const Result<Range> range = read(text);
        if (!range) return tl::make_unexpected(range.error());
        dump.push_back(*range);
    }
    return dump;
}

std::string format(const Case& what) { return format_case(what); }
std::string format(const ChipCase& what) { return format_chip_case(what); }
std::string describe_failure(const Recording& recording) { return describe_diagnoses(recording.run); }
std::string describe_failure(const ChipRecording& recording) { return describe_chip_diagnoses(recording.run); }

template <class CaseOfKind, class Range>
int record_any(const RecordArguments& options, CaseOfKind what, const Result<std::vector<Range>>& dump) {
    if (!dump) return report(dump.error());
    if (const auto checked = check_outputs({options.output}, what.job.inputs); !checked)
        return report(checked.error());
    if (options.output.ends_with(".toml"))
        return refuse("record.name", "a case is JSON: give it a name that does not end in .toml", options.output);
    if (!options.name.empty()) what.name = options.name;
    if (!options.note.empty()) what.note = options.note;
    const auto recording = record(what, *dump);
    if (!recording) return report(recording.error());
    if (!recording->recorded) {
        print(stderr, describe_failure(*recording));
        return bad_result;
    }
    const std::string text = format(*recording->recorded);
    if (options.output.empty()) {
        print(stdout, text);
        return good;
    }
    if (const Result<void> wrote = write_file(options.output, text, "case.write"); !wrote) return report_unwritten(wrote.error());
    return good;
}

int execute(const RecordArguments& options) {
    if (options.job.reference)
        return refuse("record.reference", "--reference: a case records the engine's results only; leave it out");
    if (!options.job.host.empty())
        return refuse("cli.host", "--host is for kernels of one tile, which record does not take: leave it out");
    Result<AnyCase> what = options.job.load_any_case();
    if (!what) return report(what.error());
    if (auto* const of_chip = std::get_if<ChipCase>(&*what))
        return record_any(options, std::move(*of_chip), read_dump<ChipRange>(options.dump, read_chip_range));
    const auto read = [](const std::string& text) { return read_range(text, text, "ADDR:LEN"); };
    return record_any(options, std::get<Case>(std::move(*what)), read_dump<L1Range>(options.dump, read));
}

}  // namespace

void add_record(CommandLine& program) {
    auto options = std::make_shared<RecordArguments>();
    const Command command = program.add("record", "Run a job and write it with its end state as a case");
    options->job.add_to(command, {.reference = nullptr, .host = false});
    command.option("-o,--output", options->output, "Write to this file instead of standard output")
        .value_name("CASE.json");
    command
        .option("--dump", options->dump,
                "Bytes of L1 that are expected (may be repeated); without it the outputs and all that is written. Of a grid: "
                "'tile 1 0:ADDR:LEN' or 'dram 2:ADDR:LEN'")
        .value_name("[PLACE:]ADDR:LEN")
        .one_at_a_time();
    command.option("--name", options->name, "Name of the case; without it that of the file").value_name("NAME");
    command.option("--note", options->note, "Purpose of the case").value_name("TEXT");
    command.footer(
        "A JOB that is a case gets a new expected state. A run with a fault is not recorded.\n"
        "Example: tessera record examples/add/add.toml -o add.json && tessera check add.json");
    command.action([options] { return execute(*options); });
}

}  // namespace tessera::cli
