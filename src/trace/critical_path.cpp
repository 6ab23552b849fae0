// SPDX-License-Identifier: Apache-2.0
#include "trace/critical_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "trace/names.hpp"

namespace tessera::trace {

namespace {

using What = PathStep::What;

/// The current end of the chain: an event at a cycle that is still to be explained.
struct At {
    enum class Kind : std::uint8_t {
        executes,   ///< instruction `number` was in its unit until then
        issued,     ///< it was issued then
        front_end,  ///< thread `thread` became ready then
        core,       ///< core `who` acted then
        begun       ///< the run's begin, cycle 0
    };
    Kind kind{};
    std::int64_t number = -1;
    int thread = -1;
    std::string who{};
};

class Walk {
public:
    Walk(const Timeline& timeline, const Job& job) : timeline_(timeline), job_(job) {
        for (std::size_t i = 0; i < timeline.instructions.size(); ++i) {
            const auto& one = timeline.instructions[i];
            if (one.known && !one.command)
                issues_[static_cast<std::size_t>(one.thread)].push_back(static_cast<std::int64_t>(i));
        }
        // Event numbers are in the order of issue.
    }

    std::vector<PathStep> back_from(Cycle cycles) {
        time_ = cycles;
        At at = last(cycles);
        // Terminates: each step goes to an earlier instruction or uses up a wait.
        while (at.kind != At::Kind::begun && time_ > 0) at = before(at);
        if (time_ > 0) step(What::core, 0, "", "begins", -1);
        std::reverse(path_.begin(), path_.end());
        return std::move(path_);
    }

private:
    const TimedInstruction& instruction(std::int64_t number) const {
        return timeline_.instructions[static_cast<std::size_t>(number)];
    }
    bool known(std::int64_t number) const {
        return number >= 0 && static_cast<std::size_t>(number) < timeline_.instructions.size() &&
               instruction(number).known;
    }

    // The run's last event: the end of an instruction or of a core.
    At last(Cycle cycles) {
        std::int64_t number = -1;
        Cycle end = 0;
        for (std::size_t i = 0; i < timeline_.instructions.size(); ++i)
            if (const auto& one = timeline_.instructions[i]; one.known && one.end >= end) {
                end = one.end;
                number = static_cast<std::int64_t>(i);
            }
        std::string core;
        for (const auto& [who, waits] : timeline_.cores) {
            const TimedWait& wait = waits.back();
            const Cycle acted = wait.over ? cycles : wait.kind == "finished" ? wait.begin : 0;
            if (acted > end) {
                end = acted;
                core = who;
            }
        }
        if (job_.kernels && core.empty() && end < cycles) {
            // The core that stores the awaited words may never have waited.
            core = core_name(-1, 0);
            end = cycles;
        }
        if (job_.kernels)
            step(What::core, end, "cores", "go on without the coprocessor", -1);
        else
            step(What::wait, end, "run", "nothing more happened", -1);
        if (!core.empty()) return {At::Kind::core, -1, -1, core};
        if (number >= 0) return {At::Kind::executes, number, -1, {}};
        return {At::Kind::begun, -1, -1, {}};
    }

    At before(const At& at) {
        switch (at.kind) {
            case At::Kind::executes: return entered(at.number);
            case At::Kind::issued: return gate(at.number);
            case At::Kind::front_end: return front_end(at.thread);
            case At::Kind::core: return core(at.who);
            case At::Kind::begun: break;
        }
        return at;
    }

    At entered(std::int64_t number) {
        const TimedInstruction& one = instruction(number);
        const auto wait = timeline_.units.find(number);
        const bool waited = wait != timeline_.units.end() && wait->second.end == one.start;
        const Cycle from = waited ? one.start : one.issue;
        execution(number, from);
        if (waited && use(wait->second)) return resolve(wait->second, timeline_.texts[one.unit], number, -1);
        execution(number, one.issue);
        return {At::Kind::issued, number, -1, {}};
    }

    At gate(std::int64_t number) {
        const TimedInstruction& one = instruction(number);
        if (one.command) return {At::Kind::core, -1, -1, core_name(one.thread, one.core)};
        return front_end(one.thread);
    }

    At front_end(int thread) {
        const std::string who = fmt::format("T{} front end", thread);
        const auto t = static_cast<std::size_t>(thread);
        const TimedWait* wait = last_unused(timeline_.front_ends[t]);
        const auto& issues = issues_[t];
        const auto behind = std::partition_point(issues.begin(), issues.end(),
                                                 [&](std::int64_t n) { return instruction(n).issue < time_; });
        const std::int64_t previous = behind == issues.begin() ? -1 : *std::prev(behind);
        if (wait && (previous < 0 || wait->end > instruction(previous).issue)) {
            step(What::front_end, wait->end, who, "issues", -1, thread);
            use(*wait);
            return resolve(*wait, who, -1, thread);
        }
        if (previous < 0) {
            step(What::front_end, 0, who, "issues", -1, thread);
            return {At::Kind::begun, -1, -1, {}};
        }
        step(What::front_end, instruction(previous).issue, who, "issues", -1, thread);
        return {At::Kind::front_end, -1, thread, {}};
    }

    At core(const std::string& who) {
        const auto waits = timeline_.cores.find(who);
        const TimedWait* wait = waits == timeline_.cores.end() ? nullptr : last_unused(waits->second);
        step(What::core, wait ? wait->end : 0, who, "runs", -1);
        if (!wait) return {At::Kind::begun, -1, -1, {}};
        use(*wait);
        return resolve(*wait, who, -1, -1);
    }

    // The cause that ended a wait.
    At resolve(const TimedWait& wait, const std::string& who, std::int64_t number, int thread) {
        const Initiator& by = wait.ended_by;
        const bool waits_core = number < 0 && thread < 0;
        if (known(by.number) && by.number != number) {
            const TimedInstruction& one = instruction(by.number);
            const bool at_work = takes_time(wait.kind) && one.start <= wait.end;
            const Cycle done = at_work ? one.start : latest_until(one, wait.end);
            if (at_work)
                execution(by.number, done);
            else
                step(What::wait, done, who, timeline_.texts[wait.reason], by.number, thread);
            if (done == one.issue && done != one.start) return {At::Kind::issued, by.number, -1, {}};
            return {At::Kind::executes, by.number, -1, {}};
        }
        if (by.number < 0 && waits_core && by.thread >= 0 && by.core < 0)
            return {At::Kind::front_end, -1, by.thread, {}};  // a MOP or REPLAY has left the FIFO
        if (by.number < 0 && (by.thread >= 0 || by.core >= 0))
            return {At::Kind::core, -1, -1, core_name(by.thread, by.core)};
        step(What::wait, wait.begin, who, timeline_.texts[wait.reason], -1, thread);
        if (number >= 0) return {At::Kind::issued, number, -1, {}};
        if (thread >= 0) return {At::Kind::front_end, -1, thread, {}};
        return {At::Kind::core, -1, -1, who};
    }

    /// True if the wait ended because the causing instruction had run for its time.
    static bool takes_time(std::string_view kind) {
        return kind == "unit-busy" || kind == "own-scalar" || kind == "dst-block" || kind == "address-phase";
    }

    static Cycle latest_until(const TimedInstruction& one, Cycle time) {
        for (const Cycle moment : {one.end, one.land, one.start})
            if (moment <= time) return moment;
        return one.issue;
    }

    void execution(std::int64_t number, Cycle from) {
        const TimedInstruction& one = instruction(number);
        step(What::unit, from, timeline_.texts[one.unit], timeline_.texts[one.text], number, one.thread);
    }

    /// Adds the piece from `begin` to the chain's current end; neighbours of the same kind merge.
    void step(What what, Cycle begin, const std::string& who, const std::string& text, std::int64_t number,
              int thread = -1) {
        if (begin >= time_) return;
        PathStep* const last = path_.empty() ? nullptr : &path_.back();
        if (last && last->what == what && last->who == who && last->text == text && last->number == number)
            last->begin = begin;
        else
            path_.push_back({what, begin, time_, who, text, thread, number});
        time_ = begin;
    }

    const TimedWait* last_unused(const std::vector<TimedWait>& waits) const {
        auto at =
            std::partition_point(waits.begin(), waits.end(), [&](const TimedWait& wait) { return wait.end <= time_; });
        while (at != waits.begin())
            if (const TimedWait& wait = *--at; wait.over && !used_.contains(&wait)) return &wait;
        return nullptr;
    }
    bool use(const TimedWait& wait) { return used_.insert(&wait).second; }

    const Timeline& timeline_;
    const Job& job_;
    std::array<std::vector<std::int64_t>, 3> issues_;  ///< by thread
    std::set<const TimedWait*> used_;
    Cycle time_ = 0;
    std::vector<PathStep> path_;
};

}  // namespace

std::vector<PathStep> critical_path(const Timeline& timeline, const Job& job, Cycle cycles) {
    return Walk(timeline, job).back_from(cycles);
}

}  // namespace tessera::trace
