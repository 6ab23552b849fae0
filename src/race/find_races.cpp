// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <deque>
#include <map>
#include <string>
#include <utility>

#include "diff/state_diff.hpp"
#include "program/job/core_pool.hpp"
#include "race/end_code.hpp"
#include "race/has_schedules.hpp"
#include "race/hazard_key.hpp"
#include "tessera/race.hpp"
#include "util/host_limits.hpp"
#include "util/in_order.hpp"

namespace tessera {

namespace {

/// A compared range of L1, and its output file.
struct Compared {
    std::uint64_t address = 0, length = 0;
    std::string path;
};

Result<std::vector<Compared>> compared(const Job& job) {
    std::vector<Compared> ranges;
    for (const auto& output : job.outputs) {
        const auto bytes = output_bytes(output);
        if (!bytes) return tl::make_unexpected(bytes.error());
        ranges.push_back({output.address, *bytes, output.path});
    }
    return ranges;
}

/// The end of a run, for comparison.
struct End {
    Core core;
    std::string code;  ///< race::end_code()
};

struct Schedule {
    Run run;
    End end;
    bool as_first = false;  ///< equal to the first schedule's end
};

class Schedules {
public:
    Schedules(const Job& job, std::vector<Compared> ranges) : job_(job), ranges_(std::move(ranges)) {}

    Result<Schedule> run(std::optional<std::uint64_t> seed) {
        auto core = cores_.prepare(job_);
        if (!core) return tl::make_unexpected(core.error());
        RunOptions options = job_.options;
        options.seed = seed;
        auto run = run_job(job_, *core, options);
        if (!run) return tl::make_unexpected(run.error());
        diff::forget_remains(*core);
        End end{std::move(*core), race::end_code(*run)};
        return Schedule{std::move(*run), std::move(end)};
    }

    void forget(End end) { cores_.give_back(std::move(end.core)); }

    bool same(const End& a, const End& b) const { return a.code == b.code && difference(a, b).count == 0; }

    /// Differences of B; a count of 0 means none.
    RaceOutcome difference(const End& a, const End& b) const {
        RaceOutcome outcome;
        outcome.end = b.code;
        const auto elements = ranges_.empty() && !job_.kernels ? diff::differing(a.core, b.core) : in_l1(a, b, outcome);
        outcome.count = elements.count;
        if (elements.section)
            outcome.state = diff::describe_element(*elements.section, elements.element,
                                                   a.core.read(*elements.section, elements.element),
                                                   b.core.read(*elements.section, elements.element), job_.arch);
        return outcome;
    }

private:
    diff::Elements in_l1(const End& a, const End& b, RaceOutcome& outcome) const {
        diff::Elements elements;
        const Section& l1 = *a.core.find_section("l1").value();
        const auto view = [&](std::uint64_t first, std::uint64_t length, const std::string& path) {
            const auto in_a = a.core.read_l1(first, length), in_b = b.core.read_l1(first, length);
            if (!in_a || !in_b) return;
            for (std::size_t i = 0; i < length; ++i) {
                if ((*in_a)[i] == (*in_b)[i] || elements.count++) continue;
                elements.section = &l1;
                elements.element = first + i;
                outcome.output = path;
            }
        };
        for (const Compared& range : ranges_) view(range.address, range.length, range.path);
        if (ranges_.empty()) view(0, a.core.l1_size(), {});
        return elements;
    }

    const Job& job_;
    std::vector<Compared> ranges_;
    program::CorePool cores_;
};

/// Collects findings, once per pair of places, with the count over all schedules.
class Hazards {
public:
    explicit Hazards(const Job& job) : job_(job) {}

    void add(const Run& run) {
        for (const Finding& finding : run.findings) {
            if (!race::is_about_order(finding)) continue;
            const auto [known, fresh] = seen_.try_emplace(race::key_of(finding, job_), found_.size());
            if (fresh)
                found_.push_back(finding);
            else
                found_[known->second].count += finding.count;
        }
    }
    std::vector<Finding> take() { return std::move(found_); }

private:
    const Job& job_;
    std::map<std::string, std::size_t> seen_;  ///< index into found_
    std::vector<Finding> found_;
};

/// Runs a job's schedules, and sorts their ends into the outcomes of a report.
class Search {
public:
    Search(const Job& job, const RaceOptions& options, std::vector<Compared> ranges)
        : job_(job), options_(options), schedules_(job, std::move(ranges)), hazards_(job), host_(job.options) {}

    Result<RaceReport> run() {
        if (take_one({}, schedules_.run({}))) run_seeds();
        if (error_) return tl::make_unexpected(std::move(*error_));
        report_.findings = hazards_.take();
        return std::move(report_);
    }

private:
    void run_seeds() {
        const auto& own = job_.options;
        // Observers of a job are not thread-safe.
        const bool watched = own.on_event || own.on_write || own.on_wait || own.explain || own.on_explanation || own.interrupt;
        const End& first = ends_.front();
        // Compared in the parallel part: this takes longer than a short run, and most runs end like the first.
        const auto make = [&](std::size_t i) {
            auto schedule = schedules_.run(options_.seed + i);
            if (schedule) schedule->as_first = schedules_.same(first, schedule->end);
            return schedule;
        };
        const auto take = [&](std::size_t i, Result<Schedule> schedule) {
            if (!take_one(options_.seed + i, std::move(schedule))) return false;
            // Short runs may end before they check the stop flag.
            report_.interrupted = i + 1 < options_.runs && host_.reached() != util::HostStop::none;
            return !report_.interrupted;
        };
        util::in_order(options_.runs, watched ? 1 : options_.threads, make, take);
    }

    /// Without a seed: the schedule without delays, which is the first. Returns whether another one may follow.
    bool take_one(std::optional<std::uint64_t> seed, Result<Schedule> schedule) {
        if (!schedule) {
            error_ = std::move(schedule.error());
            return false;
        }
        if (schedule->run.cut_short()) {
            report_.interrupted = true;
            return false;
        }
        ++report_.schedules;
        hazards_.add(schedule->run);
        const std::size_t which = outcome_of(*schedule);
        if (which < ends_.size()) {
            schedules_.forget(std::move(schedule->end));
        } else if (which == std::max(1u, options_.most)) {
            ++report_.others;
            schedules_.forget(std::move(schedule->end));
            return true;
        } else if (!add_outcome(seed, std::move(schedule->end))) {
            return false;
        }
        if (seed) report_.outcomes[which].seeds.push_back(*seed);
        return !report_.interrupted;
    }

    /// The number of outcomes: none of them is the schedule's.
    std::size_t outcome_of(const Schedule& schedule) const {
        const auto is_end = [&](std::size_t i) { return i == 0 ? schedule.as_first : schedules_.same(ends_[i], schedule.end); };
        std::size_t which = 0;
        while (which < ends_.size() && !is_end(which)) ++which;
        return which;
    }

    bool add_outcome(std::optional<std::uint64_t> seed, End end) {
        RaceOutcome outcome = schedules_.difference(ends_.empty() ? end : ends_.front(), end);
        if (!ends_.empty() && !job_.kernels && !find_instruction(seed, outcome)) return false;
        outcome.without_delays = !seed;
        report_.outcomes.push_back(std::move(outcome));
        ends_.push_back(std::move(end));
        return true;
    }

    /// An outcome may lack its instruction if the comparison was interrupted. False: an error.
    bool find_instruction(std::optional<std::uint64_t> seed, RaceOutcome& outcome) {
        Case a{job_, {}, {}, {}, {}, {}}, b = a;
        a.job.options.seed.reset();
        b.job.options.seed = seed;
        auto difference = diff_runs(a, b);
        if (!difference) {
            report_.interrupted = difference.error().code == "diff.interrupted";
            if (!report_.interrupted) error_ = std::move(difference.error());
            return report_.interrupted;
        }
        outcome.instruction = std::move(difference->instruction);
        if (difference->state && outcome.state && difference->state->name == outcome.state->name)
            outcome.state = std::move(difference->state);
        return true;
    }

    const Job& job_;
    const RaceOptions& options_;
    Schedules schedules_;
    Hazards hazards_;
    util::HostLimits host_;
    std::deque<End> ends_;  ///< of the report's outcomes; threads read the first one while others are added
    RaceReport report_;
    std::optional<Error> error_;
};

}  // namespace

Result<RaceReport> find_races(const Job& job, const RaceOptions& options) {
    if (auto many = race::has_schedules(job.options, options, job.file); !many)
        return tl::make_unexpected(std::move(many.error()));
    auto ranges = compared(job);
    if (!ranges) return tl::make_unexpected(ranges.error());
    const std::string_view what = !ranges->empty() ? "outputs" : job.kernels ? "l1" : "state";
    auto report = Search(job, options, std::move(*ranges)).run();
    if (report) report->compared = what;
    return report;
}

}  // namespace tessera
