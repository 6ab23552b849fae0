// SPDX-License-Identifier: Apache-2.0
// The timeline of a tile for ui.perfetto.dev; one cycle is shown as a microsecond. A unit has as many tracks as concurrent
// instructions. Each track's slices are written in time order, and only each track's pending data is kept.
#include <fmt/format.h>

#include <array>
#include <map>

#include "tessera/assembly.hpp"
#include "tessera/op_place.hpp"
#include "trace/names.hpp"
#include "trace/observer.hpp"
#include "trace/trace_events.hpp"

namespace tessera::trace {

namespace {

using Json = TraceEvents::Json;
using Cycle = std::uint64_t;

/// A group of tracks in the viewer; the value is its pid. The tracks of a tile of a grid are in one group, in this order.
enum class Group : int { front_ends = 1, cores, units, banks, semaphores, findings };

constexpr std::string_view name(Group group) {
    constexpr std::string_view names[] = {"", "front ends", "RISC-V cores", "units", "source banks", "semaphores", "findings"};
    return names[static_cast<std::size_t>(group)];
}

constexpr Cycle never = ~Cycle{0};
constexpr int tids_of_group = 1000;
constexpr std::array<std::string_view, 2> owners = {"unpackers", "matrix unit"};

class Perfetto final : public Observer {
public:
    Perfetto(const Subject& subject, TraceSink sink)
        : subject_(subject), events_(std::move(sink), [this] { begin(); }) {
        const Core& core = subject_.core;
        bank_owner_ = *core.find_section("bank_owner");
        semaphore_ = *core.find_section("semaphore_value");
        for (std::size_t i = 0; i < banks_.size(); ++i) banks_[i].owner = core.read(*bank_owner_, i);
        for (std::size_t i = 0; i < semaphores_.size(); ++i) semaphores_[i] = core.read(*semaphore_, i);
    }

    bool wants_writes() const override { return true; }

    void event(const Event& event) override {
        Json args = {{"number", event.number}, {"issue", event.issue}, {"land", event.land}};
        args.update(place(event.thread, event.index, event.position, event.core, event.pc));
        for (const std::string_view unit : units_of(event))
            events_.slice(lane(Group::units, std::string(unit), event.start, event.end), one_line(event.instruction),
                          event.start, event.end, args);
    }

    void wait(const Wait& wait) override {
        const std::string who = name_of(wait);
        Json args = {{"for", wait.kind}, {"reason", wait.reason}, {"over", wait.over}};
        if (wait.number >= 0) args["number"] = wait.number;
        args.update(place(wait.thread, wait.index, wait.position, wait.core, wait.pc));
        if (const Initiator& by = wait.ended_by; by != Initiator{}) {
            args["ended by"] =
                by.thread >= 0 ? OpPlace{.thread = by.thread, .index = by.index}.describe() : core_name(-1, by.core);
            if (by.number >= 0) args["ended by instruction"] = by.number;
        }
        const std::string text = "waits for " + wait.reason;
        if (wait.who == Wait::Who::unit) {
            events_.slice(lane(Group::units, who + " queue", wait.begin, wait.end), text, wait.begin, wait.end, args);
        } else if (wait.who == Wait::Who::front_end) {
            Issue& issue = issues_[static_cast<std::size_t>(wait.thread)];
            if (issue.cycle < wait.end) give_issue(issue);
            events_.slice(track(Group::front_ends, who), text, wait.begin, wait.end, args);
        } else {
            Track& of = track(Group::cores, who);
            if (wait.begin > of.end) events_.slice(of, "runs", of.end, wait.begin, Json::object());
            if (wait.kind != "finished") events_.slice(of, text, wait.begin, wait.end, args);
            of.end = wait.over ? wait.end : never;
        }
    }

    void write(const Write& write) override {
        if (write.at_issue) {
            Issue& issue = issues_[static_cast<std::size_t>(write.thread)];
            give_issue(issue);
            issue = {write.cycle, write.thread, write.number, write.word,
                     place(write.thread, write.index, write.position, write.core, write.pc)};
        }
        for (const auto& [section, element, value] : write.elements) {
            if (section == semaphore_->id) count(element, value, write.cycle);
            if (section == bank_owner_->id) own(element, value, write.cycle);
        }
    }

    void finish(const Run& run) override {
        for (const Event& at_work : run.at_work)
            if (at_work.start < at_work.end) event(at_work);
        for (Issue& issue : issues_)
            if (issue.cycle < run.cycles) give_issue(issue);
        for (std::size_t i = 0; i < banks_.size(); ++i) give_bank(i, run.cycles);
        give_cores_that_run(run.cycles);
        if (run.fault)
            events_.instant({.pid = pid_of(Group::front_ends)}, "g", run.fault->code, run.fault->where.cycle,
                            {{"message", run.fault->message}});
        events_.begin();
        if (subject_.tile)
            give_findings(run);
        else
            events_.end();
    }

private:
    /// An issued instruction; written after the waits that ended then.
    struct Issue {
        Cycle cycle = never;
        int thread = 0;
        std::int64_t number = -1;
        std::uint32_t word = 0;
        Json args{};
    };
    struct Bank {
        std::uint64_t owner = 0;
        Cycle since = 0;
    };

    /// Adds cores that are not waiting at the end; with kernels, also those that never waited.
    void give_cores_that_run(Cycle end) {
        if (subject_.job.kernels)
            for (std::size_t core = 0; core < riscv_cores; ++core)
                if (subject_.job.kernels->images[core]) track(Group::cores, core_name(-1, static_cast<int>(core)));
        for (const auto& [which, lanes] : tracks_)
            if (which.first == Group::cores && lanes[0].end < end)
                events_.slice(lanes[0], "runs", lanes[0].end, end, Json::object());
    }

    void give_findings(const Run& run) {
        for (const Finding& finding : run.findings) {
            const Track& on = track(Group::findings, "findings");
            events_.instant(
                on, "t", finding.code, finding.where.cycle,
                {{"level", tessera::name(finding.level)}, {"message", finding.message}, {"count", finding.count}});
        }
    }

    Json place(int thread, std::int64_t index, std::int64_t position, int core, std::uint32_t pc) const {
        Json args = Json::object();
        if (thread >= 0) args["thread"] = thread;
        if (index >= 0) args["op"] = index;
        if (position >= 0) args["position"] = position;
        const CodePlace at = place_of(subject_.job, thread, index, core, pc);
        if (!at.place.empty()) args["place"] = at.frames.size() > 1 ? describe_frames(at.frames) : at.place;
        return args;
    }

    void begin() {
        if (!subject_.tile) begin_file();
        for (std::size_t i = 0; i < semaphores_.size(); ++i) give_semaphore(i, 0);
    }

    void begin_file() {
        const Job& job = subject_.job;
        events_.head({{"format", "tessera-perfetto-1"},
                      {"arch", tessera::name(job.arch)},
                      {"job", job.file},
                      {"unit of ts", "cycle"}});
        for (const Group group : {Group::front_ends, Group::cores, Group::units, Group::banks, Group::semaphores})
            events_.process(static_cast<int>(group), name(group));
    }

    int pid_of(Group group) const { return subject_.tile ? subject_.tile->process : static_cast<int>(group); }

    Track& track(Group group, const std::string& who, std::size_t lane = 0) {
        auto& lanes = tracks_[{group, who}];
        if (lane == lanes.size()) {
            const int order = static_cast<int>(group);
            int tid = ++tids_[static_cast<std::size_t>(order)];
            if (subject_.tile) tid += order * tids_of_group;
            lanes.push_back({pid_of(group), tid, 0});
            events_.thread(lanes.back(), lane ? fmt::format("{} ({})", who, lane + 1) : who);
            if (subject_.tile) events_.sort(lanes.back());
        }
        return lanes[lane];
    }

    /// The first track of `who` that is free at `from`.
    Track& lane(Group group, const std::string& who, Cycle from, Cycle to) {
        std::size_t i = 0;
        while (track(group, who, i).end > from) ++i;
        Track& found = track(group, who, i);
        found.end = to;
        return found;
    }

    void give_issue(Issue& issue) {
        if (issue.cycle == never) return;
        issue.args["number"] = issue.number;
        events_.slice(track(Group::front_ends, fmt::format("T{} front end", issue.thread)),
                      "issues " + one_line(disassemble(issue.word, subject_.job.arch)), issue.cycle, issue.cycle + 1,
                      issue.args);
        issue.cycle = never;
    }

    void count(std::size_t i, std::uint64_t value, Cycle now) {
        if (semaphores_[i] == value) return;
        events_.begin();
        semaphores_[i] = value;
        give_semaphore(i, now);
    }

    void give_semaphore(std::size_t i, Cycle now) {
        events_.give({{"name", fmt::format("semaphore {}", i)},
                      {"ph", "C"},
                      {"pid", pid_of(Group::semaphores)},
                      {"tid", 0},
                      {"ts", now},
                      {"args", {{"value", semaphores_[i]}}}});
    }

    void own(std::size_t i, std::uint64_t owner, Cycle now) {
        if (banks_[i].owner == owner) return;
        give_bank(i, now);
        banks_[i] = {owner, now};
    }

    void give_bank(std::size_t i, Cycle now) {
        const Bank& bank = banks_[i];
        if (now == bank.since) return;
        events_.slice(track(Group::banks, fmt::format("Src{} bank {}", i < 2 ? 'A' : 'B', i % 2)),
                      owners[bank.owner & 1], bank.since, now, Json::object());
    }

    Subject subject_;
    TraceEvents events_;
    const Section* bank_owner_ = nullptr;
    const Section* semaphore_ = nullptr;
    std::map<std::pair<Group, std::string>, std::vector<Track>> tracks_;
    std::array<int, 7> tids_{};
    std::array<Issue, 3> issues_;
    std::array<Bank, 4> banks_;
    std::array<std::uint64_t, 8> semaphores_{};
};

}  // namespace

std::unique_ptr<Observer> make_perfetto(const Subject& subject, TraceSink sink) {
    return std::make_unique<Perfetto>(subject, std::move(sink));
}

}  // namespace tessera::trace
