// SPDX-License-Identifier: Apache-2.0
// tessera race: a job under many schedules.
#include "tessera/race.hpp"

#include <memory>

#include "command.hpp"
#include "options/job_options.hpp"
#include "reports/diff_json.hpp"
#include "reports/terminal.hpp"
#include "tessera/chip_diff.hpp"

namespace tessera::cli {

namespace {

struct RaceArguments {
    JobOptions job;
    RaceOptions race;
    bool json = false;
};

Json json_of(const RaceOutcome& outcome) {
    return {{"without_delays", outcome.without_delays},
            {"seeds", outcome.seeds},
            {"fault", outcome.end},
            {"output", outcome.output},
            {"count", outcome.count},
            {"state", maybe(outcome.state)},
            {"instruction", maybe(outcome.instruction)}};
}

Json json_of(const RaceReport& report) {
    Json outcomes = json_list(report.outcomes, [](const RaceOutcome& one) { return json_of(one); });
    return {{"schedules", report.schedules},         {"compared", report.compared},
            {"interrupted", report.interrupted},     {"same", report.same()},
            {"outcomes", std::move(outcomes)},       {"others", report.others},
            {"findings", json_list(report.findings)}};
}

Json json_of(const ChipRaceReport& report) {
    Json outcomes = Json::array(), findings = Json::array();
    for (const ChipRaceOutcome& one : report.outcomes)
        outcomes.push_back({{"without_delays", one.without_delays},
                            {"seeds", one.seeds},
                            {"fault", one.end},
                            {"output", one.output},
                            {"count", one.count},
                            {"state", maybe(one.state)}});
    for (const TileFinding& one : report.findings) {
        Json finding = {{"tile", {one.column, one.row}}};
        finding.update(to_json(one.finding));
        findings.push_back(std::move(finding));
    }
    return {{"schedules", report.schedules},  {"compared", report.compared},     {"interrupted", report.interrupted},
            {"same", report.same()},          {"outcomes", std::move(outcomes)}, {"others", report.others},
            {"findings", std::move(findings)}};
}

template <class AnyReport>
int show(const Result<AnyReport>& races, bool json) {
    if (!races) return report(races.error());
    print(stdout, json ? to_text(json_of(*races), 2) + "\n" : races->describe());
    return !races->interrupted && races->same() && races->findings.empty() ? good : bad_result;
}

int execute(const RaceArguments& options) {
    JobOptions job_options = options.job;
    job_options.seed.reset();
    const Result<AnyJob> job = job_options.load_any();
    if (!job) return report(job.error());
    RaceOptions race = options.race;
    if (options.job.seed) race.seed = *options.job.seed;
    if (const auto* const of_chip = std::get_if<ChipJob>(&*job)) return show(find_races(*of_chip, race), options.json);
    return show(find_races(std::get<Job>(*job), race), options.json);
}

}  // namespace

void add_race(CommandLine& program) {
    auto options = std::make_shared<RaceArguments>();
    const Command command = program.add("race", "Run a job under many schedules and compare the results");
    options->job.add_to(command, {.with_clock = true});
    command
        .option("-j,--threads", options->race.threads,
                "Schedules in parallel; 0, the default: as many as the computer can run")
        .value_name("N")
        .in_range(0, most_host_threads);
    command.option("--runs", options->race.runs, "Schedules with delays, besides the one without")
        .value_name("N")
        .show_default()
        .check(whole_number(1, RaceOptions::most_runs));
    command.flag("--json", options->json, "Print one JSON object");
    command.footer(
        "--seed is that of the first schedule; the others follow. Exit status 1: outcomes differ, or something is not "
        "ordered.\n"
        "Example: tessera race examples/mistakes/wrong_wait/wrong.toml --runs 50  # exit status 1");
    command.action([options] { return execute(*options); });
}

}  // namespace tessera::cli
