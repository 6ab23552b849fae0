// SPDX-License-Identifier: Apache-2.0
// RunOptions::on_wait, and fields of Event and Write other than times.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>

#include "support/case_of_text.hpp"
#include "support/kernel_run.hpp"
#include "support/traced_jobs.hpp"
#include "tessera/execution.hpp"

namespace tessera {
namespace {

using test::case_of_text;
using test::traced_jobs;
using testing::Contains;
using testing::IsEmpty;
using Who = Wait::Who;

struct Told {
    Run run;
    std::vector<Event> events;
    std::vector<Wait> waits;

    const Event& event(int thread, std::string_view name) const {
        for (const Event& event : events)
            if (event.thread == thread && event.instruction.starts_with(name)) return event;
        throw std::runtime_error("no " + std::string(name));
    }
    std::vector<Wait> of(Who who, int thread, std::string_view kind) const {
        std::vector<Wait> found;
        for (const Wait& wait : waits)
            if (wait.who == who && wait.thread == thread && wait.kind == kind) found.push_back(wait);
        return found;
    }
};

Told run(const Job& job, RunOptions options) {
    Core core = prepare(job).value();
    Told reported;
    options.on_event = [&](const Event& event) { reported.events.push_back(event); };
    options.on_wait = [&](const Wait& wait) { reported.waits.push_back(wait); };
    reported.run = run_job(job, core, options).value();
    return reported;
}

Told run(std::string_view text) {
    const Case what = case_of_text(text);
    return run(what.job, what.job.options);
}

TEST(OnWait, FrontEndsWaitsAddUpToTheRuns) {
    for (const auto& [name, job] : traced_jobs())
        for (const std::optional<std::uint64_t> seed :
             {std::optional<std::uint64_t>(), std::optional<std::uint64_t>(7)}) {
            SCOPED_TRACE(name);
            RunOptions options = job.options;
            options.seed = seed;
            const Told reported = run(job, options);
            std::map<std::pair<int, std::string>, std::uint64_t> sums, expected;
            std::array<std::uint64_t, 3> until{};
            for (const Wait& wait : reported.waits) {
                EXPECT_LT(wait.begin, wait.end);
                EXPECT_THAT(wait_kinds(), Contains(wait.kind));
                if (wait.who != Who::front_end) continue;
                auto& last = until.at(static_cast<std::size_t>(wait.thread));
                EXPECT_LE(last, wait.begin) << wait.reason;
                last = wait.end;
                sums[{wait.thread, wait.reason}] += wait.end - wait.begin;
            }
            for (const WaitUse& use : reported.run.waits) expected[{use.thread, use.reason}] = use.cycles;
            EXPECT_EQ(sums, expected);
        }
}

TEST(OnWait, NumbersNameInstructionsInTheOrderOfIssue) {
    for (const auto& [name, job] : traced_jobs()) {
        SCOPED_TRACE(name);
        const Told reported = run(job, job.options);
        std::map<std::int64_t, const Event*> by_number;
        for (const Event& event : reported.events) {
            EXPECT_TRUE(by_number.emplace(event.number, &event).second) << event.number;
            EXPECT_LE(event.pushed, event.gate);
            EXPECT_LE(event.gate, event.issue);
            EXPECT_LE(event.issue, event.ready);
            EXPECT_LE(event.ready, event.start);
        }
        std::uint64_t issue = 0;
        for (const auto& [number, event] : by_number) {
            EXPECT_LE(issue, event->issue);
            issue = event->issue;
        }
        for (const Wait& wait : reported.waits) {
            if (wait.ended_by.number >= 0 && by_number.contains(wait.ended_by.number)) {
                EXPECT_LE(by_number[wait.ended_by.number]->issue, wait.end) << wait.reason;
                EXPECT_EQ(by_number[wait.ended_by.number]->index, wait.ended_by.index);
            }
            if (wait.who == Who::unit && wait.over && by_number.contains(wait.number)) {
                const Event& event = *by_number[wait.number];
                EXPECT_LE(event.ready, wait.begin);
                EXPECT_LE(wait.end, event.end);
            }
        }
    }
}

const Event* with_number(const std::vector<Event>& events, std::int64_t number) {
    const auto found = std::find_if(events.begin(), events.end(), [&](const Event& event) { return event.number == number; });
    return found == events.end() ? nullptr : &*found;
}

// Both threads are at their gates from the same cycle on, and take turns: each instruction but the first waits for the one before it.
TEST(OnWait, AUnitThatARivalTakesFirstIsFreeWhenTheRivalHasLeftIt) {
    for (const std::string instruction : {"ZEROACC clear_mode=0", "SEMINIT sem_sel=1", "RMWCIB0"}) {
        SCOPED_TRACE(instruction);
        const std::string four = ".repeat 4\n" + instruction + "\n.end\n";
        const Told reported = run(four + ".thread math\n" + four);
        std::set<std::int64_t> causes;
        for (const Wait& wait : reported.waits) {
            if (wait.kind != "unit-busy") continue;
            const Event* by = with_number(reported.events, wait.ended_by.number);
            ASSERT_TRUE(by);
            EXPECT_NE(by->thread, wait.thread);
            EXPECT_EQ(wait.reason, by->unit + " to be free");
            EXPECT_EQ(by->start + by->occupancy, wait.end);
            causes.insert(by->number);
        }
        EXPECT_THAT(causes, testing::ElementsAre(0, 1, 2, 3, 4, 5, 6));
    }
}

TEST(OnWait, TheInstructionThatAUnitWasWaitedForWasInItUntilThen) {
    std::size_t waits = 0;
    for (const auto& [name, job] : traced_jobs())
        for (const std::optional<std::uint64_t> seed : {std::optional<std::uint64_t>(), std::optional<std::uint64_t>(3)}) {
            SCOPED_TRACE(name);
            RunOptions options = job.options;
            options.seed = seed;
            const Told reported = run(job, options);
            std::map<std::int64_t, const Event*> by_number;
            for (const Event& event : reported.events) by_number.emplace(event.number, &event);
            for (const Wait& wait : reported.waits) {
                if (wait.who != Who::front_end || wait.kind != "unit-busy" || !wait.over) continue;
                const auto by = by_number.find(wait.ended_by.number);
                if (by == by_number.end()) continue;  // it has not ended
                const Event& event = *by->second;
                EXPECT_EQ(wait.reason, event.unit + " to be free");
                EXPECT_LT(event.start, wait.end) << event.number;
                EXPECT_LE(wait.end, std::max(event.start + event.occupancy, event.end)) << event.number;
                ++waits;
            }
        }
    EXPECT_GT(waits, 0u);
}

// A transfer gives the bank that the matrix unit waits for (UNPACR: ownership passes at the end of a transfer).
TEST(OnWait, ABankIsGivenByItsTransfer) {
    const auto jobs = traced_jobs();
    const auto found = std::find_if(jobs.begin(), jobs.end(),
                                    [](const auto& one) { return one.name.ends_with("9.5-double-buffer.toml"); });
    ASSERT_NE(found, jobs.end());
    RunOptions options = found->job.options;
    options.timing = Timing::documented;  // with measured costs the unpacker is never early
    const Told reported = run(found->job, options);
    const auto waits = reported.of(Who::front_end, 1, "bank");
    ASSERT_FALSE(waits.empty());
    for (const Wait& wait : waits) {
        const auto by = std::find_if(reported.events.begin(), reported.events.end(),
                                     [&](const Event& event) { return event.number == wait.ended_by.number; });
        ASSERT_NE(by, reported.events.end());
        EXPECT_THAT(by->instruction, testing::StartsWith("ttunpacr"));
        EXPECT_EQ(by->end, wait.end);
        EXPECT_EQ(wait.ended_by.thread, 0);
    }
    // Both banks are full before the matrix unit has given one back: the next transfer waits in its unpacker.
    const auto in_unit = reported.of(Who::unit, 0, "bank");
    ASSERT_FALSE(in_unit.empty());
    EXPECT_EQ(in_unit[0].reason, "SrcA bank 0 to be handed to the unpackers");
    EXPECT_EQ(in_unit[0].unit, "unpacker 0");
    EXPECT_EQ(in_unit[0].ended_by.thread, 1);
    EXPECT_EQ(in_unit[0].ended_by.number, reported.event(1, "ttcleardvalid").number);
}

TEST(OnWait, ASemaphoreIsPostedByAnInstructionOrACore) {
    constexpr std::string_view wait =
        "SEMINIT max_value=1 init_value=0 sem_sel=1\n.thread math\n.repeat 9\nNOP\n.end\n"
        "SEMWAIT stall_res=2 sem_sel=1 wait_sem_cond=1\nSEMGET sem_sel=1\n.thread unpack\n.repeat 40\nNOP\n.end\n";
    const Told by_instruction = run(std::string(wait) + "SEMPOST sem_sel=1\n");
    const auto first = by_instruction.of(Who::front_end, 1, "latched-wait");
    ASSERT_EQ(first.size(), 1u);
    EXPECT_EQ(first[0].ended_by.number, by_instruction.event(0, "ttsempost").number);
    EXPECT_EQ(first[0].ended_by.index, 41);
    EXPECT_EQ(first[0].index, 10);

    const Told by_core = run(std::string(wait) + ".sem_post 0\n");
    const auto second = by_core.of(Who::front_end, 1, "latched-wait");
    ASSERT_EQ(second.size(), 1u);
    EXPECT_EQ(second[0].ended_by.number, -1);
    EXPECT_EQ(second[0].ended_by.thread, 0);
    EXPECT_EQ(second[0].ended_by.index, 41);
}

// A latched wait whose conditions are met at issue costs a cycle of lag, which has no other cause.
TEST(OnWait, ConditionsThatWereMetAreTheWaitsOwn) {
    const Told reported =
        run("NOP\nSTALLWAIT stall_res=2 wait_res=64\nSEMGET sem_sel=1\n.thread math\n.repeat 30\nNOP\n.end\n");
    const auto waits = reported.of(Who::front_end, 0, "latched-wait");
    ASSERT_EQ(waits.size(), 1u);
    EXPECT_EQ(waits[0].ended_by.number, reported.event(0, "ttstallwait").number);
}

TEST(OnWait, WhatIsNotOverWhenTheRunEndsIsTold) {
    const Told reported =
        run("SEMINIT max_value=1 init_value=0 sem_sel=1\nSEMWAIT stall_res=2 sem_sel=1 wait_sem_cond=1\nSEMGET "
            "sem_sel=1\n");
    ASSERT_TRUE(reported.run.fault);
    EXPECT_EQ(reported.run.fault->code, "deadlock");
    for (const Wait& wait : reported.of(Who::front_end, 0, "latched-wait")) {
        EXPECT_FALSE(wait.over);
        EXPECT_EQ(wait.ended_by, Initiator{});
    }
}

TEST(OnWait, CoresOfKernelsWaitAndEnd) {
    Job job = test::kernel_job(Arch::blackhole);
    job.options.timing = Timing::documented;  // with measured fetches its FIFO is never full
    const Told reported = run(job, job.options);
    EXPECT_TRUE(reported.run.good());
    std::set<std::string_view> t0;
    for (const Wait& wait : reported.waits)
        if (wait.who == Who::core && wait.core == static_cast<int>(RiscvCore::t0)) t0.insert(wait.kind);
    EXPECT_THAT(t0, Contains("tile"));      // for room in the FIFO
    EXPECT_THAT(t0, Contains("finished"));  // after its jump to itself
    const auto semaphore = reported.of(Who::front_end, 1, "latched-wait");
    ASSERT_EQ(semaphore.size(), 1u);
    EXPECT_EQ(semaphore[0].ended_by.thread, 0);
    EXPECT_EQ(semaphore[0].ended_by.core, static_cast<int>(RiscvCore::t0));
    EXPECT_EQ(semaphore[0].ended_by.pc, 0x6000u + 4 * 60);
}

class KernelWaits : public test::KernelRun {
protected:
    static constexpr auto b = static_cast<int>(RiscvCore::b), t1 = static_cast<int>(RiscvCore::t1);

    /// T1 twice makes room in B's mailboxes, and ends last.
    KernelWaits() {
        using namespace test::rv;
        namespace rv = test::rv;
        using Code = std::vector<std::uint32_t>;
        const std::uint32_t nop_pushed = ttinsn(instruction("NOP"));
        kernel(RiscvCore::t0, {nop_pushed, li(a0, 1), nop_pushed, halt}, 0x2000);
        Code filling;
        put(filling, a6, 0xFFEC'2000);  // the mailbox to T1, with room for four words
        filling.insert(filling.end(), 6, store(rv::Op::sw, a6, 0, a6));
        filling.push_back(halt);
        kernel(RiscvCore::b, filling, 0x4000);
        Code reading;
        put(reading, a5, 0xFFE8'0000);
        put(reading, a6, 0xFFEC'0000);
        spend(reading, 60);
        const auto next = [&] { return entry + static_cast<std::uint32_t>(4 * reading.size()); };
        // The turn begins with an access that changes nothing: MOPExpanderDoneCheck.
        const auto begin_turn = [&] {
            reading.push_back(i(rv::Op::lw, a1, a5, 4));
            reading.insert(reading.end(), 3, nop);
        };
        for (std::uint32_t& load : loads) {
            begin_turn();
            load = next();
            reading.push_back(i(rv::Op::lw, a2, a6, 0));
            reading.insert(reading.end(), 20, nop);
        }
        begin_turn();
        end = next();
        reading.push_back(halt);
        kernel(RiscvCore::t1, reading, entry);
    }

    /// The waits that are over, of a run that `step` takes on.
    std::vector<Wait> waits(const std::function<void(Execution&)>& step) {
        core_ = Core(GetParam(), Reset::vendor_sim);
        EXPECT_TRUE(core_.load(kernels_));
        std::vector<Wait> over;
        RunOptions options;
        options.on_wait = [&](const Wait& wait) {
            if (wait.over) over.push_back(wait);
        };
        Execution execution = Execution::begin(core_, kernels_, options).value();
        while (!execution.ended()) step(execution);
        EXPECT_TRUE(execution.run().good());
        return over;
    }
    std::vector<Wait> waits() {
        return waits([](Execution& execution) { execution.finish(); });
    }
    static std::vector<std::string> lines(const std::vector<Wait>& waits) {
        std::vector<std::string> lines;
        for (const Wait& wait : waits) {
            const Initiator& by = wait.ended_by;
            lines.push_back(fmt::format("thread {} core {} at 0x{:X}: {}, {}-{}, ended by thread {} op {} core {} at 0x{:X}", wait.thread, wait.core,
                                        wait.pc, wait.reason, wait.begin, wait.end, by.thread, by.index, by.core, by.pc));
        }
        return lines;
    }

    static constexpr std::uint32_t entry = 0x6000;
    std::array<std::uint32_t, 2> loads{};
    std::uint32_t end = 0;
};

TEST_P(KernelWaits, AreEndedByTheAccess) {
    std::vector<std::uint32_t> pcs;
    for (const Wait& wait : waits()) {
        if (wait.core != b || wait.kind != "tile") continue;
        EXPECT_EQ(wait.ended_by.core, t1);
        EXPECT_EQ(wait.ended_by.thread, 1);
        pcs.push_back(wait.ended_by.pc);
    }
    EXPECT_THAT(pcs, testing::ElementsAreArray(loads));
}

TEST_P(KernelWaits, OfFrontEndsAreEndedByTheLastCoresEnd) {
    std::map<int, Initiator> last;
    for (const Wait& wait : waits())
        if (wait.who == Who::front_end && wait.kind == "fifo-empty") last[wait.thread] = wait.ended_by;
    ASSERT_EQ(last.size(), 3u);
    for (const auto& [thread, by] : last) {
        EXPECT_EQ(by.core, t1) << thread;
        EXPECT_EQ(by.pc, end) << thread;
    }
}

TEST_P(KernelWaits, AreTheSameInSteps) {
    const auto whole = lines(waits());
    EXPECT_EQ(lines(waits([](Execution& execution) { execution.step(); })), whole);
    EXPECT_EQ(lines(waits([](Execution& execution) { execution.step_cycles(3); })), whole);
}

INSTANTIATE_TEST_SUITE_P(Archs, KernelWaits, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& arch) { return std::string(name(arch.param)); });

// An instruction's reported writes lie within its announced writes.
TEST(OnEvent, WritesAreWhatIsWritten) {
    for (const auto& [name, job] : traced_jobs()) {
        SCOPED_TRACE(name);
        Core core = prepare(job).value();
        std::map<std::int64_t, std::set<std::pair<std::uint32_t, std::uint32_t>>> written;
        RunOptions options = job.options;
        options.on_write = [&](const Write& write) {
            EXPECT_EQ(write.by_core, write.number < 0);
            if (write.number < 0) return;
            for (const StateElement& element : write.elements)
                written[write.number].insert({element.section, element.element});
        };
        options.on_event = [&](const Event& event) {
            auto& left = written[event.number];
            for (const ElementRange& range : event.writes) {
                ASSERT_LT(range.section, core.sections().size());
                ASSERT_LE(range.first + range.count, core.sections()[range.section].size);
                for (std::uint32_t i = 0; i < range.count; ++i)
                    EXPECT_TRUE(left.erase({range.section, range.first + i}) || !event.exact) << event.instruction;
            }
            EXPECT_THAT(left, IsEmpty()) << event.instruction;
            written.erase(event.number);
        };
        ASSERT_TRUE(run_job(job, core, options));
    }
}

// Stores of cores to L1 are reported, from any device, and nothing else changes there.
TEST(OnWrite, StoresOfKernelsAreTold) {
    for (const Arch arch : {Arch::blackhole, Arch::wormhole}) {
        const Job job = test::kernel_job(arch);
        Core core = prepare(job).value(), reported = core;
        RunOptions options = job.options;
        std::vector<std::uint32_t> pcs;
        options.on_write = [&](const Write& write) {
            for (const auto& [section, element, value] : write.elements)
                reported.write(reported.sections()[section], element, value);
            if (write.core == static_cast<int>(RiscvCore::b)) pcs.push_back(write.pc);
        };
        ASSERT_TRUE(run_job(job, core, options));
        EXPECT_TRUE(std::equal(core.l1().begin(), core.l1().end(), reported.l1().begin()));
        EXPECT_EQ(core.l1()[0x20004], 77);
        EXPECT_EQ(core.l1()[0x20009], 77);
        EXPECT_THAT(pcs, testing::IsSupersetOf({0x8008u, 0x800Cu, 0x8010u, 0x8020u}));
    }
}

}  // namespace
}  // namespace tessera
