// SPDX-License-Identifier: Apache-2.0
// tessera check: runs cases and compares their end states.
#include "tessera/check.hpp"

#include <fmt/format.h>

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "command.hpp"
#include "options/case_list.hpp"
#include "options/host_options.hpp"
#include "options/output_paths.hpp"
#include "options/words.hpp"
#include "reports/json.hpp"
#include "reports/junit.hpp"
#include "reports/table.hpp"
#include "reports/terminal.hpp"
#include "stop.hpp"
#include "tessera/output_file.hpp"

namespace tessera::cli {

namespace {

struct CheckArguments {
    std::vector<std::string> paths;
    std::string not_yet;
    std::string write_not_yet;
    std::string junit;
    std::string timing;
    CheckOptions check;
    HostOptions limits;
    bool table = false;
    bool verbose = false;
    bool json = false;
};

/// Number of cases per Verdict.
using Counts = std::array<std::uint64_t, 3>;

std::uint64_t& of(Counts& counts, Verdict verdict) { return counts[static_cast<unsigned>(verdict)]; }

/// The result of a case. `unexpected`: its contradiction to the list of cases not yet implemented.
struct Outcome {
    std::string id;
    std::string path;
    CheckResult result;
    std::string unexpected;
};

using List = std::optional<std::set<std::string>>;

std::string unexpected(const List& not_yet, const std::string& id, Verdict verdict) {
    if (!not_yet || verdict == Verdict::failed) return {};
    const bool listed = not_yet->contains(id);
    if (listed && verdict == Verdict::passed) return "but is on the list";
    if (!listed && verdict == Verdict::not_implemented) return "but is not on the list";
    return {};
}

std::string spell(Verdict verdict) {
    switch (verdict) {
        case Verdict::passed: return coloured(Colour::green, "passed");
        case Verdict::failed: return coloured(Colour::red, "failed");
        case Verdict::not_implemented: break;
    }
    return coloured(Colour::yellow, "not implemented");
}

std::string describe(const Outcome& outcome) {
    std::string text = fmt::format("{}: {}", outcome.id, spell(outcome.result.verdict));
    if (!outcome.unexpected.empty()) text += fmt::format(", {}", outcome.unexpected);
    if (!outcome.result.difference.empty()) text += fmt::format(": {}", outcome.result.difference);
    return text + "\n";
}

std::string table(const std::vector<Outcome>& outcomes, Counts total) {
    std::map<std::pair<std::string, std::string_view>, Counts> rows;
    for (const Outcome& outcome : outcomes)
        ++of(rows[{outcome.result.category, name(outcome.result.arch)}], outcome.result.verdict);
    Table table{"category", "arch", ">passed", ">not implemented", ">failed", ">all"};
    auto add = [&](const std::string& category, std::string_view arch, Counts& counts) {
        table.add({category, std::string(arch), std::to_string(of(counts, Verdict::passed)),
                   std::to_string(of(counts, Verdict::not_implemented)), std::to_string(of(counts, Verdict::failed)),
                   std::to_string(counts[0] + counts[1] + counts[2])});
    };
    for (auto& [key, counts] : rows) add(key.first, key.second, counts);
    add("all", "", total);
    return table.text();
}

Json outcome_as_json(const Outcome& outcome) {
    const CheckResult& result = outcome.result;
    Json json = {{"id", outcome.id},
                 {"name", result.name},
                 {"category", result.category},
                 {"arch", name(result.arch)},
                 {"path", outcome.path},
                 {"verdict", name(result.verdict)},
                 {"difference", result.difference},
                 {"unexpected", outcome.unexpected}};
    json["run"] = cli::to_json(result.run);
    return json;
}

/// `with_list`: cases that are not implemented are on the list of --not-yet.
TestCase to_test_case(const Outcome& outcome, bool with_list) {
    const CheckResult& result = outcome.result;
    TestCase test{result.category, outcome.id, outcome.path, result.seconds, TestCase::End::passed, result.difference};
    if (result.verdict == Verdict::failed) {
        test.end = TestCase::End::failed;
    } else if (!outcome.unexpected.empty()) {
        test.end = TestCase::End::failed;
        test.reason = fmt::format("{}, {}", name(result.verdict), outcome.unexpected);
    } else if (result.verdict == Verdict::not_implemented) {
        test.end = with_list ? TestCase::End::skipped : TestCase::End::failed;
    }
    return test;
}

/// The results of all named files.
struct Outcomes {
    std::vector<Outcome> cases;
    std::vector<TestCase> tests;  ///< the same, and what could not be read
    std::uint64_t broken = 0;     ///< files that could not be read as cases
};

/// Runs all cases, and prints notable results as they come.
Outcomes run_cases(const std::vector<std::string>& files, const CheckArguments& options, const List& not_yet) {
    Outcomes outcomes;
    Progress progress(files.size());
    check_cases(files, options.check, [&](std::size_t i, Result<CheckResult> result) {
        if (!result) {
            progress.clear();
            report(result.error());
            outcomes.tests.push_back(
                {"unreadable", case_id(files[i]), files[i], 0, TestCase::End::error, result.error().describe()});
            ++outcomes.broken;
            return;
        }
        Outcome outcome{case_id(files[i]), files[i], std::move(*result), {}};
        outcome.unexpected = unexpected(not_yet, outcome.id, outcome.result.verdict);
        const bool report = options.verbose || outcome.result.verdict == Verdict::failed || !outcome.unexpected.empty();
        if (report && !options.json) {
            progress.clear();
            print(stdout, describe(outcome));
        }
        outcomes.tests.push_back(to_test_case(outcome, not_yet.has_value()));
        outcomes.cases.push_back(std::move(outcome));
        progress.show(outcomes.cases.size() + outcomes.broken);
    });
    return outcomes;
}

/// With a list, true if all results match it; without, true if all passed.
bool satisfied(const std::vector<Outcome>& outcomes, Counts counts, const CheckArguments& options) {
    if (of(counts, Verdict::failed) > 0) return false;
    if (options.not_yet.empty()) return !options.write_not_yet.empty() || of(counts, Verdict::not_implemented) == 0;
    for (const Outcome& outcome : outcomes)
        if (!outcome.unexpected.empty()) return false;
    return true;
}

/// Writes all files that were asked for, or none. The list is only right if all cases have ended.
Result<void> write_outputs(const CheckArguments& options, const std::vector<Outcome>& outcomes,
                           const std::vector<TestCase>& tests, bool with_list) {
    std::vector<OutputFile> files;
    const auto add = [&](const std::string& path, const std::string& text, const char* code) {
        return OutputFile::with(path, text, code).map([&](OutputFile file) { files.push_back(std::move(file)); });
    };
    if (!options.write_not_yet.empty() && with_list) {
        std::set<std::string> ids;
        for (const Outcome& outcome : outcomes)
            if (outcome.result.verdict == Verdict::not_implemented) ids.insert(outcome.id);
        if (auto added = add(options.write_not_yet, case_list_text(ids), "cli.list"); !added) return added;
    }
    if (!options.junit.empty())
        if (auto added = add(options.junit, junit("tessera check", tests), "cli.write"); !added) return added;
    return commit(files);
}

int execute(CheckArguments options) {
    if (!options.timing.empty()) {
        const Result<Timing> timing = read_timing(options.timing);
        if (!timing) return report(timing.error());
        options.check.timing = *timing;
    }
    List not_yet;
    if (!options.not_yet.empty()) {
        Result<std::set<std::string>> list = read_case_list(options.not_yet);
        if (!list) return report(list.error());
        not_yet = std::move(*list);
    }
    std::vector<std::string> files;
    for (const std::string& path : options.paths) {
        const Result<std::vector<std::string>> found = find_cases(path);
        if (!found) return report(found.error());
        files.insert(files.end(), found->begin(), found->end());
    }
    std::vector<std::string> inputs = files;
    if (!options.not_yet.empty()) inputs.push_back(options.not_yet);
    if (const auto checked = check_outputs({options.write_not_yet, options.junit}, inputs); !checked)
        return report(checked.error());
    options.check.stop = stop_on_interrupt();
    options.limits.set(options.check);
    const auto [outcomes, tests, broken] = run_cases(files, options, not_yet);
    const bool interrupted = outcomes.size() + broken < files.size();

    Counts counts{};
    for (const Outcome& outcome : outcomes) ++of(counts, outcome.result.verdict);
    const auto wrote = write_outputs(options, outcomes, tests, !interrupted);
    const bool good_end = broken == 0 && !interrupted && satisfied(outcomes, counts, options);
    if (options.json) {
        Json json = {{"good", good_end}, {"interrupted", interrupted}};
        for (Verdict verdict : {Verdict::passed, Verdict::not_implemented, Verdict::failed})
            json[std::string(name(verdict))] = of(counts, verdict);
        json["not_run"] = broken;
        json["cases"] = Json::array();
        for (const Outcome& outcome : outcomes) json["cases"].push_back(outcome_as_json(outcome));
        print(stdout, to_text(json, 2) + "\n");
    } else {
        if (interrupted)
            print(stdout,
                  fmt::format("interrupted: {} of {} cases have ended\n", outcomes.size() + broken, files.size()));
        if (options.table) print(stdout, table(outcomes, counts));
        print(stdout, fmt::format("{} passed, {} not implemented, {} failed\n", of(counts, Verdict::passed),
                                  of(counts, Verdict::not_implemented), of(counts, Verdict::failed)));
    }
    if (!wrote) report_unwritten(wrote.error());
    if (broken > 0 && !interrupted) return not_run;
    if (!wrote) return bad_result;
    return good_end ? good : bad_result;
}

}  // namespace

void add_check(CommandLine& program) {
    auto options = std::make_shared<CheckArguments>();
    const Command command = program.add("check", "Run cases and compare the end states with the expected ones");
    command.option("PATH", options->paths, "Case files, or folders to be searched for *.json").required();
    command.flag("--table", options->table, "Count by category and architecture");
    command.option("--not-yet", options->not_yet, "List of the cases that are known not to be implemented yet")
        .value_name("FILE");
    command.option("--write-not-yet", options->write_not_yet, "Write that list").value_name("FILE");
    command.flag("--reference", options->check.reference,
                 "Execute instructions by the second implementation where it has them");
    command.option("--timing", options->timing, fmt::format("Timing for all cases: {}", timing_choices()))
        .value_name("T");
    command
        .option("-j,--threads", options->check.threads,
                "Cases in parallel; 0, the default: as many as the computer can run")
        .value_name("N")
        .in_range(0, most_host_threads);
    options->limits.add_to(command);
    command.option("--junit", options->junit, "Write the outcome of each case there as JUnit XML, for CI systems")
        .value_name("FILE");
    command.flag("--verbose", options->verbose, "Report every case");
    command.flag("--json", options->json, "Report as one JSON object");
    command.footer(
        "With --not-yet, cases must pass unless they are on the list, and those must not.\n"
        "Example: tessera check --table examples/cases");
    command.action([options] { return execute(*options); });
}

}  // namespace tessera::cli
