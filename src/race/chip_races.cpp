// SPDX-License-Identifier: Apache-2.0
// A grid under many schedules.
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>

#include "diff/chip_memory.hpp"
#include "race/end_code.hpp"
#include "race/has_schedules.hpp"
#include "race/hazard_key.hpp"
#include "tessera/chip_diff.hpp"
#include "trace/tile_jobs.hpp"
#include "util/host_limits.hpp"
#include "util/in_order.hpp"

namespace tessera {

namespace {

struct ChipSchedule {
    ChipRun run;
    Chip chip;
};

/// The end of a schedule that others are compared with.
struct ChipEnd {
    std::string code;  ///< race::end_code()
    Chip chip;
};

Result<ChipSchedule> run_schedule(const ChipJob& job, std::optional<std::uint64_t> seed) {
    auto chip = prepare(job);
    if (!chip) return tl::make_unexpected(chip.error());
    RunOptions options = job.options;
    options.seed = seed;
    auto run = chip->run({.tile = std::move(options)});
    if (!run) return tl::make_unexpected(run.error());
    return ChipSchedule{std::move(*run), std::move(*chip)};
}

/// Differences of B; a count of 0: none.
ChipRaceOutcome chip_difference(const ChipJob& job, ChipEnd& a, ChipEnd& b) {
    ChipRaceOutcome outcome;
    outcome.end = b.code;
    const auto note = [&](PlaceDifference place, const std::string& path) {
        if (place.count && !outcome.state) {
            outcome.state = place;
            outcome.output = path;
        }
        outcome.count += place.count;
    };
    const auto in_l1 = [&](unsigned column, unsigned row, std::uint64_t address, std::uint64_t length, const std::string& path) {
        PlaceDifference place;
        place.place = diff::tile_name(column, row);
        const auto in_a = (*a.chip.tile(column, row))->read_l1(address, length), in_b = (*b.chip.tile(column, row))->read_l1(address, length);
        if (in_a && in_b) diff::compare_bytes("l1 byte", address, *in_a, *in_b, place);
        note(std::move(place), path);
    };
    for (const auto& output : job.outputs) {
        const std::uint64_t length = output_bytes(output.what).value_or(0);
        if (!output.channel) {
            in_l1(output.column, output.row, output.what.address, length, output.what.path);
            continue;
        }
        PlaceDifference place;
        place.place = diff::channel_name(*output.channel);
        const auto in_a = a.chip.read_dram(*output.channel, output.what.address, length);
        const auto in_b = b.chip.read_dram(*output.channel, output.what.address, length);
        if (in_a && in_b) diff::compare_bytes("byte", output.what.address, *in_a, *in_b, place);
        note(std::move(place), output.what.path);
    }
    if (!job.outputs.empty()) return outcome;
    for (unsigned row = 0; row < a.chip.rows(); ++row)
        for (unsigned column = 0; column < a.chip.columns(); ++column)
            in_l1(column, row, 0, (*a.chip.tile(column, row))->l1_size(), {});
    for (unsigned channel = 0; channel < a.chip.dram_channels(); ++channel) note(diff::compare_dram(a.chip, b.chip, channel), {});
    return outcome;
}

bool is_same_end(const ChipJob& job, ChipEnd& a, ChipEnd& b) { return a.code == b.code && chip_difference(job, a, b).count == 0; }

/// Findings about order of all tiles and schedules, each pair of places once.
class TileHazards {
public:
    explicit TileHazards(const ChipJob& job) : jobs_(job) {}

    void add(const ChipRun& run) {
        for (const TileRun& tile : run.tiles)
            for (const Finding& finding : tile.run.findings) {
                if (!race::is_about_order(finding)) continue;
                const auto [known, fresh] = seen_.try_emplace(race::key_of(finding, jobs_.of(tile.column, tile.row)), found_.size());
                if (fresh)
                    found_.push_back({tile.column, tile.row, finding});
                else
                    found_[known->second].finding.count += finding.count;
            }
    }
    std::vector<TileFinding> take() { return std::move(found_); }

private:
    const trace::TileJobs jobs_;
    std::map<std::string, std::size_t> seen_;  ///< index into found_
    std::vector<TileFinding> found_;
};

std::string seeds_of(const ChipRaceOutcome& outcome) {
    constexpr std::size_t most = 8;
    std::string text = outcome.without_delays ? "without delays" : "";
    for (std::size_t i = 0; i < std::min(most, outcome.seeds.size()); ++i)
        text += fmt::format("{} {}", i ? "" : text.empty() ? "seeds" : ", seeds", outcome.seeds[i]);
    if (outcome.seeds.size() > most) text += fmt::format(" and {} more", outcome.seeds.size() - most);
    return text;
}

}  // namespace

Result<ChipRaceReport> find_races(const ChipJob& job, const RaceOptions& options) {
    if (auto many = race::has_schedules(job.options, options, job.file); !many)
        return tl::make_unexpected(std::move(many.error()));
    ChipRaceReport report;
    report.compared = job.outputs.empty() ? "memory" : "outputs";
    TileHazards hazards(job);
    std::deque<ChipEnd> ends;
    std::optional<Error> error;
    const auto take = [&](std::optional<std::uint64_t> seed, Result<ChipSchedule> schedule) {
        if (!schedule) {
            error = schedule.error();
            return false;
        }
        if (schedule->run.cut_short()) {
            report.interrupted = true;
            return false;
        }
        ++report.schedules;
        hazards.add(schedule->run);
        ChipEnd end{race::end_code(schedule->run), std::move(schedule->chip)};
        std::size_t which = 0;
        while (which < ends.size() && !is_same_end(job, ends[which], end)) ++which;
        if (which == ends.size()) {
            if (ends.size() == std::max(1u, options.most)) {
                ++report.others;
                return true;
            }
            ChipRaceOutcome outcome = chip_difference(job, ends.empty() ? end : ends.front(), end);
            outcome.without_delays = !seed;
            report.outcomes.push_back(std::move(outcome));
            ends.push_back(std::move(end));
        }
        if (seed) report.outcomes[which].seeds.push_back(*seed);
        return true;
    };
    const auto& own = job.options;
    // Observers of a job are not thread-safe.
    const bool watched = own.on_event || own.on_write || own.on_wait || own.explain || own.on_explanation || own.interrupt;
    // Short runs may end before they check the stop flag.
    util::HostLimits host(own);
    const auto stopped = [&] { return host.reached() != util::HostStop::none; };
    if (take({}, run_schedule(job, {})))
        util::in_order(
            options.runs, watched ? 1 : options.threads, [&](std::size_t i) { return run_schedule(job, options.seed + i); },
            [&](std::size_t i, Result<ChipSchedule> schedule) {
                if (!take(options.seed + i, std::move(schedule))) return false;
                report.interrupted = i + 1 < options.runs && stopped();
                return !report.interrupted;
            });
    if (error) return tl::make_unexpected(*error);
    report.findings = hazards.take();
    return report;
}

std::string ChipRaceReport::describe() const {
    std::string text;
    if (interrupted) text = fmt::format("interrupted after {} schedules\n", schedules);
    if (interrupted && schedules == 0) return text;
    if (same())
        text += fmt::format("{} schedules, 1 outcome: same {} in all{}\n", schedules, compared, race::end_of_all(outcomes));
    else
        text += fmt::format("{} schedules, {}{} outcomes\n", schedules, others ? "more than " : "", outcomes.size());
    for (std::size_t i = 0; i < outcomes.size() && !same(); ++i) {
        const ChipRaceOutcome& one = outcomes[i];
        const std::size_t count = one.seeds.size() + one.without_delays;
        text += fmt::format("outcome {}: {} schedule{}, {}\n  schedules  {}\n", i + 1, count, count == 1 ? "" : "s",
                            one.end.empty() ? "ends well" : one.end, seeds_of(one));
        if (one.state)
            text += fmt::format("  differs    {}, {}{}, {} in all\n    first    {}\n    here     {}\n", one.state->place, one.state->first.name,
                                one.output.empty() ? "" : " of " + one.output, one.count, one.state->first.a_text, one.state->first.b_text);
    }
    if (others) text += fmt::format("{} with yet other outcomes\n", others);
    if (findings.empty() && !same()) text += "no finding about the order of accesses in a tile\n";
    for (const TileFinding& one : findings) text += fmt::format("tile ({}, {}): {}\n", one.column, one.row, one.finding.describe());
    return text;
}

}  // namespace tessera
