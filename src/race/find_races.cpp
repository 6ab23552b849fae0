// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <string>
#include <utility>

#include "diff/state_diff.hpp"
#include "program/job/core_pool.hpp"
#include "race/has_schedules.hpp"
#include "race/hazard_key.hpp"
#include "tessera/race.hpp"
#include "util/host_limits.hpp"
#include "util/in_order.hpp"
#include "util/interrupted.hpp"

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
    std::string fault;
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
        End end{std::move(*core), run->fault ? run->fault->code : std::string()};
        return Schedule{std::move(*run), std::move(end)};
    }

    void forget(End end) { cores_.give_back(std::move(end.core)); }

    bool same(const End& a, const End& b) const { return a.fault == b.fault && difference(a, b).count == 0; }

    /// Differences of B; a count of 0 means none.
    RaceOutcome difference(const End& a, const End& b) const {
        RaceOutcome outcome;
        outcome.end = b.fault;
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

}  // namespace

Result<RaceReport> find_races(const Job& job, const RaceOptions& options) {
    if (auto many = race::has_schedules(job.options, job.file); !many) return tl::make_unexpected(std::move(many.error()));
    auto ranges = compared(job);
    if (!ranges) return tl::make_unexpected(ranges.error());
    RaceReport report;
    report.compared = !ranges->empty() ? "outputs" : job.kernels ? "l1" : "state";
    Schedules schedules(job, std::move(*ranges));
    Hazards hazards(job);
    std::deque<End> ends;
    std::optional<Error> error;
    const auto take_one = [&](std::optional<std::uint64_t> seed, Result<Schedule> schedule) {
        if (!schedule) {
            error = schedule.error();
            return false;
        }
        if (util::interrupted(schedule->run)) {
            report.interrupted = true;
            return false;
        }
        End& end = schedule->end;
        ++report.schedules;
        hazards.add(schedule->run);
        const auto is_end = [&](std::size_t i) { return i == 0 ? schedule->as_first : schedules.same(ends[i], end); };
        std::size_t which = 0;
        while (which < ends.size() && !is_end(which)) ++which;
        if (which == ends.size()) {
            if (ends.size() == std::max(1u, options.most)) {
                ++report.others;
                schedules.forget(std::move(end));
                return true;
            }
            RaceOutcome outcome = schedules.difference(ends.empty() ? end : ends.front(), end);
            if (!ends.empty() && !job.kernels) {
                Case a{job, {}, {}, {}, {}, {}}, b = a;
                a.job.options.seed.reset();
                b.job.options.seed = seed;
                auto difference = diff_runs(a, b);
                report.interrupted = !difference && difference.error().code == "diff.interrupted";
                if (!difference && !report.interrupted) {
                    error = difference.error();
                    return false;
                }
                if (difference) outcome.instruction = std::move(difference->instruction);
                if (difference && difference->state && outcome.state && difference->state->name == outcome.state->name)
                    outcome.state = std::move(difference->state);
            }
            outcome.without_delays = !seed;
            report.outcomes.push_back(std::move(outcome));
            ends.push_back(std::move(end));
        } else {
            schedules.forget(std::move(end));
        }
        if (seed) report.outcomes[which].seeds.push_back(*seed);
        return !report.interrupted;
    };
    const auto& own = job.options;
    // Short runs may end before they check the stop flag.
    util::HostLimits host(own);
    const auto stopped = [&] { return host.reached() != util::HostStop::none; };
    // Observers of a job are not thread-safe.
    const bool watched =
        own.on_event || own.on_write || own.on_wait || own.explain || own.on_explanation || own.interrupt;
    if (take_one({}, schedules.run({}))) {
        const End* first = ends.empty() ? nullptr : &ends.front();
        // Compared in the parallel part: this takes longer than a short run, and most runs end like the first.
        const auto make = [&](std::size_t i) {
            auto schedule = schedules.run(options.seed + i);
            if (schedule && first) schedule->as_first = schedules.same(*first, schedule->end);
            return schedule;
        };
        const auto take = [&](std::size_t i, Result<Schedule> schedule) {
            if (!take_one(options.seed + i, std::move(schedule))) return false;
            report.interrupted = i + 1 < options.runs && stopped();
            return !report.interrupted;
        };
        util::in_order(options.runs, watched ? 1 : options.threads, make, take);
    }
    if (error) return tl::make_unexpected(*error);
    report.findings = hazards.take();
    return report;
}

}  // namespace tessera
