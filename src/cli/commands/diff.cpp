// SPDX-License-Identifier: Apache-2.0
// tessera diff: the first difference of two runs, two recorded states or two traces.
#include "tessera/diff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "command.hpp"
#include "options/job_options.hpp"
#include "options/standard_input.hpp"
#include "options/words.hpp"
#include "reports/diff_json.hpp"
#include "reports/terminal.hpp"
#include "stop.hpp"
#include "tessera/chip_diff.hpp"

namespace tessera::cli {

namespace {

struct DiffArguments {
    JobOptions a, b;
    std::vector<std::string> levels;
    ChangeOptions changes;
    std::optional<std::uint64_t> max_cycles;
    HostOptions limits;
    bool expected = false;
    bool json = false;
};

int print_difference(const DiffArguments& options, const Json& json, const std::string& text, bool same) {
    print(stdout, options.json ? to_text(json, 2) + "\n" : text);
    return same ? good : bad_result;
}

/// An option that says how jobs run, if one is given.
std::optional<std::string> option_of_runs(const DiffArguments& options) {
    const JobOptions &a = options.a, &b = options.b;
    const std::pair<const char*, bool> all[] = {{"--a-seed", a.seed.has_value()},
                                                {"--b-seed", b.seed.has_value()},
                                                {"--a-timing", a.timing.has_value()},
                                                {"--b-timing", b.timing.has_value()},
                                                {"--a-reference", a.reference},
                                                {"--b-reference", b.reference},
                                                {"--max-cycles", options.max_cycles.has_value()},
                                                {"--timeout", options.limits.timeout.has_value()},
                                                {"--max-memory", options.limits.max_memory.has_value()},
                                                {"--finding", !options.levels.empty()}};
    const auto given = std::ranges::find_if(all, [](const auto& one) { return one.second; });
    if (given != std::end(all)) return given->first;
    const std::string change = options.changes.given();
    return change.empty() ? std::nullopt : std::optional(change);
}

/// Refuses options that would have no effect.
Result<void> check_options(const DiffArguments& options, bool traces) {
    if (!traces && !options.expected) return {};
    if (traces && options.expected) return fail("cli.usage", "--expected is for cases, and a trace is none: leave it out");
    if (traces && (options.a.path == standard_input || options.b.path == standard_input))
        return fail("cli.usage", "standard input is for jobs, and the other file is a trace: name a file");
    if (const auto name = option_of_runs(options))
        return fail("cli.usage", fmt::format("{} is for runs, and {}: leave it out", *name,
                                             traces ? "traces are not run" : "--expected runs nothing"));
    return {};
}

int compare_traces(const DiffArguments& options) {
    const auto difference = diff_traces(options.a.path, options.b.path, stop_on_interrupt());
    if (!difference) return report(difference.error());
    return print_difference(options, to_json(*difference), difference->describe(), difference->same());
}

int compare_expected(const DiffArguments& options, const Case& a, const Case& b) {
    const auto difference = diff_expected(a, b);
    if (!difference) return report(difference.error());
    std::string text = fmt::format("{} elements compared, {} different\n", difference->compared, difference->count);
    if (const auto& first = difference->state)
        text += fmt::format("first:\n  {}\n    A: {}\n    B: {}\n", first->name, first->a_text, first->b_text);
    return print_difference(options, to_json(*difference), text, difference->count == 0);
}

int compare_runs(const DiffArguments& options, const Case& a, const Case& b) {
    const auto difference = diff_runs(a, b);
    if (!difference) return report(difference.error());
    return print_difference(options, to_json(*difference), difference->describe(), difference->same());
}

/// The options of a side, with those of both.
JobOptions options_of(const DiffArguments& options, const JobOptions& side, const JobOptions& other) {
    JobOptions job = side;
    job.levels = options.levels;
    job.changes = options.changes;
    job.max_cycles = options.max_cycles;
    job.limits = options.limits;
    // The reference has no other timing, so a run with one would differ for that reason alone.
    if (other.reference && !job.timing && !job.seed) job.timing = "instant";
    return job;
}

int compare_chips(const DiffArguments& options, const ChipCase& a, const ChipCase& b) {
    if (options.expected) return refuse("job.chip", "--expected is for cases of one tile", options.a.path);
    const auto difference = diff_runs(a.job, b.job);
    if (!difference) return report(difference.error());
    return print_difference(options, to_json(*difference), difference->describe(), difference->same());
}

int execute(const DiffArguments& options) {
    if (options.a.path == standard_input && options.b.path == standard_input)
        return refuse("cli.usage", "only one of A and B can be standard input");
    // One trace is enough: the other file is then what is wrong.
    const bool traces = is_trace(options.a.path) || is_trace(options.b.path);
    if (const auto checked = check_options(options, traces); !checked) return report(checked.error());
    if (traces) return compare_traces(options);
    const Result<AnyCase> a = options_of(options, options.a, options.b).load_any_case();
    if (!a) return report(a.error());
    const Result<AnyCase> b = options_of(options, options.b, options.a).load_any_case();
    if (!b) return report(b.error());
    if (a->index() != b->index())
        return refuse("job.chip", "a job with a grid and a job of one tile cannot be compared", options.b.path);
    if (const auto* const of_chip = std::get_if<ChipCase>(&*a)) return compare_chips(options, *of_chip, std::get<ChipCase>(*b));
    const Case &first = std::get<Case>(*a), &second = std::get<Case>(*b);
    return options.expected ? compare_expected(options, first, second) : compare_runs(options, first, second);
}

void add_side(const Command& command, JobOptions& side, const std::string& name) {
    side.with_clock = true;
    const std::string prefix = "--" + std::string(1, static_cast<char>(name[0] - 'A' + 'a'));
    command.option(prefix + "-seed", side.seed, "Run " + name + " with that seed")
        .value_name("N")
        .check(whole_number());
    command.option(prefix + "-timing", side.timing, "Run " + name + " with that timing: " + timing_choices(true))
        .value_name("T");
    command.flag(prefix + "-reference", side.reference, "Run " + name + " by the second implementation");
}

}  // namespace

void add_diff(CommandLine& program) {
    auto options = std::make_shared<DiffArguments>();
    const Command command = program.add("diff", "Show where two runs, recorded states or traces begin to differ");
    command.option("A", options->a.path, "Job, case, or output of tessera trace; - for a job on standard input")
        .required();
    command.option("B", options->b.path, "The second job, case or trace; may be the same file").required();
    add_side(command, options->a, "A");
    add_side(command, options->b, "B");
    command.flag("--expected", options->expected, "Run nothing: compare the states that two cases expect");
    command.option("--max-cycles", options->max_cycles, "End a run after this many cycles")
        .value_name("N")
        .check(whole_number(1));
    options->limits.add_to(command);
    add_levels(command, options->levels);
    options->changes.add_to(command);
    command.flag("--json", options->json, "Print one JSON object");
    command.footer(
        "With --a-reference or --b-reference the other run has instant timing too, unless its own is given. --symbol, "
        "--register\n"
        "and --set change both jobs.\n"
        "Example: tessera diff examples/add/add.toml examples/add/add.toml --b-seed 7");
    command.action([options] { return execute(*options); });
}

}  // namespace tessera::cli
