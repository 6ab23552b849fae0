// SPDX-License-Identifier: Apache-2.0
// RunOptions::on_wait, and fields of Event and Write other than times.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "support/case_of_text.hpp"
#include "support/kernel_run.hpp"
#include "support/timeline.hpp"
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

std::uint32_t word_of(const std::string& instruction) { return assemble(instruction, Arch::blackhole)->threads[0].at(0).value; }

// The second MVMUL waits for Dst behind the first: once in the expansion of op 5, then in op 6.
TEST(OnWait, NamesTheInstructionThatWaitsAndItsPlaceInTheExpansion) {
    const Told reported = run(".thread math\nSETDVALID setvalid=3\n.drain\nREPLAY load_mode=1 len=2\nMVMUL\nMVMUL\nREPLAY len=2\nMVMUL\n");
    const auto waits = reported.of(Who::front_end, 1, "dst-block");
    ASSERT_EQ(waits.size(), 2u);
    for (const Wait& wait : waits) EXPECT_EQ(wait.word, word_of("MVMUL"));
    EXPECT_EQ(waits[0].index, 5);
    EXPECT_EQ(waits[0].position, 1);
    EXPECT_EQ(waits[1].index, 6);
    EXPECT_EQ(waits[1].position, -1);
}

TEST(OnWait, NamesTheInstructionThatWaitsInAUnit) {
    const std::string flush = "FLUSHDMA FlushSpec=1", pair = "ATINCGET DataRegIndex=8\n" + flush + "\n";
    const auto waits_of = [](const Told& reported) { return reported.of(Who::unit, 1, "condition"); };
    const Told plain = run(".thread math\n" + pair), expanded = run(".thread math\nREPLAY load_mode=1 len=2\n" + pair + "REPLAY len=2\n");
    for (const Told* reported : {&plain, &expanded}) {
        ASSERT_EQ(waits_of(*reported).size(), 1u);
        const Wait wait = waits_of(*reported)[0];
        EXPECT_EQ(wait.unit, "scalar");
        EXPECT_EQ(wait.word, word_of(flush));
        EXPECT_EQ(wait.number, reported->event(1, "ttflushdma").number);
        EXPECT_EQ(wait.core, -1);
    }
    EXPECT_EQ(waits_of(plain)[0].index, 1);
    EXPECT_EQ(waits_of(plain)[0].position, -1);
    EXPECT_EQ(waits_of(expanded)[0].index, 3);
    EXPECT_EQ(waits_of(expanded)[0].position, 1);
}

// They never end: nobody stores the word, nobody gives the bank back.
TEST(OnWait, TellsWhetherAUnitWaitsForL1OrForABank) {
    const std::string others = ".thread pack\n.repeat 200\nNOP\n.end\n";
    const std::string settle = "STALLWAIT stall_res=0x1FF wait_res=1<<10\n";
    const Told l1 = run(".gpr 1 = 0x600\n" + settle + "ATCAS SwapVal=9 CmpVal=5 AddrRegIndex=1\nNOP\n" + others);
    const auto memory = l1.of(Who::unit, 0, "memory");
    ASSERT_EQ(memory.size(), 1u);
    EXPECT_EQ(memory[0].reason, "L1 0x6000 to be 5: it is 0");
    EXPECT_EQ(memory[0].word, word_of("ATCAS SwapVal=9 CmpVal=5 AddrRegIndex=1"));
    EXPECT_FALSE(memory[0].over);
    EXPECT_EQ(memory[0].ended_by, Initiator{});
    EXPECT_EQ(memory[0].end, l1.run.cycles);
    const Told src = run(".gpr 1 = 20\n.gpr 2 = 0\n" + settle + "SETDVALID setvalid=2\nSETDVALID setvalid=2\n.drain\n"
                         "STOREIND.src StoreToSrcB=1 OffsetHalfReg=4 DataReg=8 AddrReg=1\nNOP\n" + others);
    const auto bank = src.of(Who::unit, 0, "bank");
    ASSERT_EQ(bank.size(), 1u);
    EXPECT_EQ(bank[0].reason, "SrcB bank 0 to be handed to the unpackers");
}

// A program has no RISC-V cores. Its cores wait with the word that they push, or at an op that is no instruction.
TEST(OnWait, CoresOfProgramsHaveAnOpAndNoAddress) {
    const std::string add = "ADDDMAREG OpBisConst=1 OpBRegIndex=1";
    const Told reported = run(".repeat 60\n" + add + "\n.end\n.drain\n");
    for (const Wait& wait : reported.waits) {
        EXPECT_EQ(wait.core, -1) << wait.reason;
        EXPECT_EQ(wait.pc, 0u) << wait.reason;
    }
    const auto full = reported.of(Who::core, 0, "fifo-full"), drain = reported.of(Who::core, 0, "drain");
    ASSERT_FALSE(full.empty() || drain.empty());
    EXPECT_EQ(full[0].word, word_of(add));
    EXPECT_EQ(drain[0].index, 60);
    EXPECT_EQ(drain[0].word, 0u);
}

TEST(OnWait, OfKernelsOnlyCoresHaveACore) {
    Job job = test::kernel_job(Arch::blackhole);
    const Told reported = run(job, job.options);
    for (const Wait& wait : reported.waits) EXPECT_EQ(wait.core >= 0, wait.who == Who::core) << wait.reason;
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

// Without delays and rivals an instruction takes what the table says of it, and the table says what that rests on.
TEST(OnEvent, CostsAreThoseOfTheTable) {
    const std::string text = ".thread math\nSETDVALID setvalid=3\n.drain\nMVMUL\nMULDMAREG OpBisConst=1 OpBRegIndex=1\nSFPNOP\n"
                             "SETADCXX\nXMOV\n.drain\nSETRWC\n";
    std::set<std::uint64_t> latencies;
    std::set<CostBasis> bases;
    for (const Event& event : run(text).events) {
        EXPECT_EQ(event.end, event.start + event.latency) << event.instruction;
        latencies.insert(event.latency);
        bases.insert(event.basis);
    }
    EXPECT_THAT(latencies, testing::IsSupersetOf({1u, 3u, 5u})) << "SETRWC, MULDMAREG, MVMUL";
    EXPECT_THAT(bases, testing::IsSupersetOf({CostBasis::document, CostBasis::assumed})) << "XMOV's is assumed";
}

// The data decide where compressed output ends.
TEST(OnEvent, WhatAPackerWritesIsABoundIfItCompresses) {
    for (const bool compressed : {false, true}) {
        const std::string text = fmt::format(R"(
.cfg ALU_FORMAT_SPEC_REG2_Dstacc = Float16_b
.cfg THCON_SEC0_REG1_In_data_format = Float16_b
.cfg THCON_SEC0_REG1_Out_data_format = Float16_b
.cfg THCON_SEC0_REG1_Row_start_section_size = 1
.cfg THCON_SEC0_REG1_Disable_zero_compress = {}
.cfg THCON_SEC0_REG1_L1_Dest_addr = 0x10000 / 16
.cfg THCON_SEC0_REG9_Pack_0_2_limit_address = 0xFFFF
.cfg PACK_COUNTERS_SEC0_pack_reads_per_xy_plane = 16
SETADCXX CntSetMask=4 x_start=0 x_end2=15
STALLWAIT stall_res=0x1FF wait_res=1<<13
PACR ZeroWrite=1 Last=1
)",
                                             compressed ? 0 : 1);
        const Case what = case_of_text(text, Arch::wormhole);
        const Told reported = run(what.job, what.job.options);
        EXPECT_EQ(reported.event(0, "ttpacr").exact, !compressed);
        EXPECT_TRUE(reported.event(0, "ttstallwait").exact);
    }
}

// Event of an instruction in its unit, in a queue or at a gate when a run is stopped: what has happened by then is as in the whole run.
TEST(OnEvent, OfWhatHasNotEndedTimesThatHaveComeAreItsOwn) {
    std::string text = test::unpack_bf16;
    for (int n = 0; n < 6; ++n) text += "UNPACR Unpack_block_selection=0\n";
    text += ".thread math\n.repeat 30\nNOP\n.end\nMULDMAREG OpBisConst=1 OpBRegIndex=1\nSTALLWAIT block=cfg wait=unpack0\nRMWCIB0\n";
    const Job job = case_of_text(text).job;
    std::map<std::pair<int, std::int64_t>, Event> whole;
    for (const Event& event : run(job, job.options).events) whole[{event.thread, event.index}] = event;
    std::size_t at_work = 0, in_queues = 0, at_gates = 0;
    for (std::uint64_t cycles = 20; cycles < 120; cycles += 3) {
        SCOPED_TRACE(cycles);
        RunOptions options = job.options;
        options.max_cycles = cycles;
        const tessera::Run stopped = run(job, options).run;
        const auto expect_part = [&](const Event& part) {
            const Event& full = whole.at({part.thread, part.index});
            SCOPED_TRACE(full.instruction);
            for (const auto time : {&Event::pushed, &Event::gate, &Event::issue, &Event::start})
                EXPECT_EQ(part.*time, std::min(full.*time, stopped.cycles));
            EXPECT_EQ(part.end, stopped.cycles);
            EXPECT_EQ(part.instruction, full.instruction);
            EXPECT_EQ(part.word, full.word);
            EXPECT_EQ(part.unit, full.unit);
            return full.number;
        };
        EXPECT_TRUE(std::is_sorted(stopped.at_work.begin(), stopped.at_work.end(),
                                   [](const Event& a, const Event& b) { return a.number < b.number; }));
        for (const Event& part : stopped.at_work) EXPECT_EQ(part.number, expect_part(part));
        at_work = std::max(at_work, stopped.at_work.size());
        for (const Event& part : stopped.in_front) {
            const std::int64_t number = expect_part(part);
            const bool at_gate = part.number == -1;
            if (!at_gate) {
                EXPECT_EQ(part.number, number);
            }
            ++(at_gate ? at_gates : in_queues);
        }
    }
    EXPECT_GT(at_work, 1u) << "at once";
    EXPECT_GT(in_queues, 0u);
    EXPECT_GT(at_gates, 0u);
}

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

// Write::elements.
TEST(OnWrite, ElementsComeInOrderAndOnce) {
    for (const auto& [name, job] : traced_jobs()) {
        if (name == "add" || name == "matmul") continue;  // hundreds of thousands of writes like others'
        SCOPED_TRACE(name);
        Core core = prepare(job).value();
        std::size_t out_of_order = 0;
        RunOptions options = job.options;
        options.on_write = [&](const Write& write) {
            const auto place = [](const StateElement& each) { return std::pair(each.section, each.element); };
            for (std::size_t i = 1; i < write.elements.size(); ++i)
                out_of_order += place(write.elements[i - 1]) >= place(write.elements[i]);
        };
        ASSERT_TRUE(run_job(job, core, options));
        EXPECT_EQ(out_of_order, 0u);
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
