// SPDX-License-Identifier: Apache-2.0
// The cycles of a run by unit, by thread, on the critical path and along the data's way.
#include <algorithm>
#include <map>

#include "trace/critical_path.hpp"
#include "trace/names.hpp"
#include "trace/passages.hpp"

namespace tessera::trace {

namespace {

struct Interval {
    Cycle begin = 0, end = 0;
};

/// Length of the union of intervals.
Cycle covered(std::vector<Interval> intervals) {
    std::sort(intervals.begin(), intervals.end(),
              [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
    Cycle cycles = 0, until = 0;
    for (const auto& [begin, end] : intervals) {
        if (end <= until) continue;
        cycles += end - std::max(begin, until);
        until = end;
    }
    return cycles;
}

/// Activity of a unit, before it is summed up.
struct UnitLog {
    std::vector<Interval> busy, wanted;  ///< wanted: an instruction for it is in it, in its queue or at a gate
    Cycle first = ~Cycle{0}, last = 0, documented = 0, measured = 0, assumed = 0;
    std::map<std::pair<std::string, std::uint64_t>, std::uint64_t> counts;  ///< by name and occupancy
};

class Report final : public Observer {
public:
    Report(const Subject& subject, TraceReport& report) : subject_(subject), report_(report), passages_(subject.core) {
        report_ = {};
    }

    void event(const Event& event) override {
        add(event, event.occupancy);
        timeline_.add(event);
        passages_.add(event);
    }

    void wait(const Wait& wait) override { timeline_.add(wait); }

    void finish(const Run& run) override {
        report_.cycles = run.cycles;
        for (const Event& event : run.at_work) {
            add(event, std::min(event.occupancy, event.end - event.start));
            if (event.start < event.end) timeline_.add(event);
        }
        for (const Event& event : run.in_front) add_in_front(event);
        for (const auto& [unit, log] : units_) report_.units.push_back(sum_up(unit, log));
        for (int thread = 0; thread < 3; ++thread) add_thread(thread);
        report_.path = critical_path(timeline_, subject_.job, run.cycles);
        report_.passages = passages_.take();
    }

private:
    /// `documented`: cycles of its occupancy that the run has.
    void add(const Event& event, Cycle documented) {
        for (const std::string_view unit : units_of(event)) log(units_[std::string(unit)], event, documented);
        if (!event.command) issued(event);
    }

    void add_in_front(const Event& event) {
        for (const std::string_view unit : units_of(event)) units_[std::string(unit)].wanted.push_back({event.gate, event.end});
        if (event.number >= 0) issued(event);
    }

    void issued(const Event& event) {
        Cycle& until = issued_until_[static_cast<std::size_t>(event.thread)];
        until = std::max(until, event.issue + 1);
    }

    static void log(UnitLog& log, const Event& event, Cycle documented) {
        log.busy.push_back({event.start, event.end});
        log.wanted.push_back({std::min(event.gate, event.start), event.end});
        log.first = std::min(log.first, event.start);
        log.last = std::max(log.last, event.start + documented);
        log.documented += documented;
        if (event.basis == CostBasis::measured) log.measured += documented;
        if (event.basis == CostBasis::assumed) log.assumed += documented;
        const std::string text = one_line(event.instruction);
        ++log.counts[{text.substr(0, text.find(' ')), event.occupancy}];
    }

    UnitReport sum_up(const std::string& unit, const UnitLog& log) const {
        UnitReport reported;
        reported.unit = unit;
        reported.instructions = log.busy.size();
        reported.busy = covered(log.busy);
        reported.waiting = covered(log.wanted) - reported.busy;
        reported.idle = report_.cycles - reported.busy - reported.waiting;
        reported.first = log.busy.empty() ? 0 : log.first;
        reported.last = log.last;
        reported.documented = log.documented;
        reported.measured = log.measured;
        reported.assumed = log.assumed;
        std::uint64_t most = 0;
        for (const auto& [what, count] : log.counts)
            if (count > most) {
                most = count;
                reported.instruction = what.first;
                reported.occupancy = what.second;
            }
        return reported;
    }

    void add_thread(int thread) {
        const auto t = static_cast<std::size_t>(thread);
        const auto& waits = timeline_.front_ends[t];
        ThreadReport reported;
        reported.thread = thread;
        Cycle active = issued_until_[t], waited = 0;
        std::map<std::pair<std::string_view, std::uint32_t>, ThreadReport::Cause> causes;
        for (const TimedWait& wait : waits) {
            // A delay is known when it begins, and may reach beyond the end of a run that was stopped.
            const Cycle end = std::min(wait.end, report_.cycles);
            if (end <= wait.begin) continue;
            active = std::max(active, end);
            waited += end - wait.begin;
            auto& cause = causes[{wait.kind, wait.reason}];
            cause.kind = wait.kind;
            cause.reason = timeline_.texts[wait.reason];
            ++cause.count;
            cause.cycles += end - wait.begin;
        }
        if (active == 0) return;
        active = std::min(active, report_.cycles);
        reported.issuing = active - waited;
        reported.idle = report_.cycles - active;
        for (auto& [key, cause] : causes) reported.waits.push_back(std::move(cause));
        std::stable_sort(reported.waits.begin(), reported.waits.end(),
                         [](const auto& a, const auto& b) { return a.cycles > b.cycles; });
        report_.threads.push_back(std::move(reported));
    }

    Subject subject_;
    TraceReport& report_;
    Timeline timeline_;
    Passages passages_;
    std::map<std::string, UnitLog> units_;
    std::array<Cycle, 3> issued_until_{};
};

}  // namespace

std::unique_ptr<Observer> make_report(const Subject& subject, TraceReport& report) {
    return std::make_unique<Report>(subject, report);
}

}  // namespace tessera::trace
