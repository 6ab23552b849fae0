// SPDX-License-Identifier: Apache-2.0
// Faults and hangs of kernels' cores, and what reports say of them.
#include <gtest/gtest.h>

#include "support/blocked.hpp"
#include "support/kernel_run.hpp"

namespace tessera::test {
namespace {

using namespace rv;

class KernelFaults : public KernelRun {};
class KernelFaultsOnBlackhole : public KernelFaults {};  // with snapshots of a pc

TEST_P(KernelFaults, AnUnmappedAddressIsAFaultWithLineAndRegisters) {
    std::vector<std::uint32_t> code;
    put(code, a0, 0x77);
    peek(code, a1, 0x40'0000);
    code.push_back(halt);
    kernel(RiscvCore::b, code, 0x100);
    const tessera::Run done = run();
    ASSERT_TRUE(done.fault);
    EXPECT_EQ(done.fault->code, "tile.unmapped");
    EXPECT_EQ(done.fault->where.core, "brisc");
    EXPECT_EQ(done.fault->where.pc, 0x110);
    EXPECT_EQ(done.fault->where.place, "kernel.cpp:5");
    EXPECT_EQ(done.fault->where.function, "main+0x10");
    EXPECT_EQ(done.fault->where.instruction, "lw a1,0(a6)");
    const std::string text = done.fault->describe();
    for (const char* part : {"0x400000", "kernel.cpp:5", "a0 0x00000077", "a6 0x00400000"})
        EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
}

// BabyRISCV: ebreak stops the core for a debugger; assertions of the vendor's kernels end in it.
TEST_P(KernelFaults, AnEbreakIsAFaultWithItsPlaceAndRegisters) {
    std::vector<std::uint32_t> code;
    put(code, a0, 0x77);
    code.push_back(ebreak);
    kernel(RiscvCore::t1, code, 0xA000);
    auto& image = *kernels_.images[static_cast<std::size_t>(RiscvCore::t1)];
    image.files.push_back("assert.h");
    image.scopes = {{"kernel_main", 0, 0, -1}, {"check", 1, 7, 0}};
    image.scope_rows = {{0xA000, 1}};
    const tessera::Run done = run();
    ASSERT_TRUE(done.fault);
    EXPECT_FALSE(done.good());
    EXPECT_EQ(done.fault->code, "riscv.ebreak");
    EXPECT_EQ(done.fault->where.core, "trisc1");
    EXPECT_EQ(done.fault->where.pc, 0xA008);
    EXPECT_EQ(done.fault->where.instruction, "ebreak");
    EXPECT_EQ(done.fault->where.frames, (std::vector<Frame>{{"kernel_main", "assert.h:7"}, {"check", "kernel.cpp:3"}}));
    const std::string text = done.fault->describe();
    for (const char* part : {"trisc1 0xa008 main+0x8", "kernel.cpp:3 in check (inlined into assert.h:7 kernel_main)",
                             "a0 0x00000077", "assertion"})
        EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
}

TEST_P(KernelFaults, AnEbreakMayBeAllowedToEndACore) {
    std::vector<std::uint32_t> code;
    poke(code, result, 5);
    code.push_back(ebreak);
    kernel(RiscvCore::t1, code, 0xA000);
    for (const Level level : {Level::off, Level::info, Level::warning}) {
        RunOptions options;
        options.levels["riscv.ebreak"] = level;
        const tessera::Run done = run(options);
        EXPECT_TRUE(done.good()) << done.fault->describe();
        EXPECT_EQ(done.findings.size(), level == Level::off ? 0u : 1u);
        for (const Finding& finding : done.findings) {
            EXPECT_EQ(finding.code, "riscv.ebreak");
            EXPECT_EQ(finding.where.place, "kernel.cpp:6");
        }
        EXPECT_EQ(word(result), 5u);
    }
}

// SyncUnit, RISCV access to semaphores: a store of 1 is like SEMGET.
TEST_P(KernelFaults, AGetOfASemaphoreAt0IsToldAtItsStore) {
    std::vector<std::uint32_t> code;
    poke(code, 0xFFE8'0020 + 4 * 3, 1);
    code.push_back(halt);
    kernel(RiscvCore::t1, code, 0xA000);
    for (const Timing timing : {default_timing, Timing::functional}) {
        RunOptions options;
        options.timing = timing;
        core_ = Core(GetParam(), Reset::vendor_sim);
        const tessera::Run done = run(options);
        ASSERT_EQ(done.findings.size(), 1u) << name(timing);
        EXPECT_EQ(done.findings[0].code, "sync.get-at-0");
        EXPECT_EQ(done.findings[0].message, "a core's get of semaphore 3, which is at 0");
        EXPECT_EQ(done.findings[0].where.core, "trisc1");
        EXPECT_EQ(done.findings[0].where.pc, 0xA010);
    }
}

/// T0 comes to a word that ends its run in cycle 400 or later, T1 stores a word by then.
class KernelEnds : public KernelRun {
protected:
    /// However far T0 is ahead, its fault does not come before the end of the run, if that is T1's word.
    void expect_in_its_cycle(std::uint32_t fatal, const char* code) {
        std::vector<std::uint32_t> early, late;
        for (unsigned k = 0; k < 50; ++k) early.push_back(nop);
        poke(early, result, 1);
        early.push_back(halt);
        put(late, a0, 0xFFE8'0000);  // neither L1 nor instructions
        for (unsigned k = 0; k < 400; ++k) late.push_back(nop);
        late.push_back(fatal);
        kernel(RiscvCore::t0, late, 0x6000);
        kernel(RiscvCore::t1, early, 0xA000);
        kernels_.done = {{result, 1}};
        EXPECT_TRUE(run().good());
        kernels_.done = {{result, 2}};
        const tessera::Run done = run();
        ASSERT_TRUE(done.fault);
        EXPECT_EQ(done.fault->code, code);
        EXPECT_GE(done.fault->where.cycle, 400u);
    }
};

TEST_P(KernelEnds, AnEbreakComesInItsCycle) { expect_in_its_cycle(ebreak, "riscv.ebreak"); }

TEST_P(KernelEnds, AFaultOfAnInstructionComesInItsCycle) {
    const char* const atomic = GetParam() == Arch::blackhole ? "riscv.atomic-address" : "riscv.illegal";
    const struct {
        std::uint32_t word;
        const char* code;
    } rows[] = {{0xFFFF'FFFF, "riscv.illegal"},
                {csr(Op::csrrs, a1, 0x123, zero), "riscv.illegal"},
                {r(Op::amoadd, a1, a0, a1), atomic},
                {i(Op::jalr, zero, a0, 0), "riscv.fetch"}};
    for (const auto& row : rows) {
        SCOPED_TRACE(row.code);
        core_ = Core(GetParam(), Reset::vendor_sim);
        expect_in_its_cycle(row.word, row.code);
    }
}

TEST_P(KernelFaults, WhatIsNotDoneWhenAllHaveStoppedIsAFault) {
    std::vector<std::uint32_t> code;
    poke(code, result, 0xFE);
    code.push_back(halt);
    kernel(RiscvCore::t0, code, 0x6000);
    kernel(RiscvCore::t1, {riscv::row(Op::ecall).match}, 0xA000);
    kernels_.done = {{result, 0xFE}, {result, 0xFF}, {result + 4, 1}};
    const tessera::Run done = run();
    ASSERT_TRUE(done.fault);
    EXPECT_EQ(done.fault->code, "kernel.not-done");
    const std::string text = done.fault->describe() + "\n" + done.describe_blocked();
    for (const char* part : {"0x20000 is 0xFE; the run ends when it is 0xFF", "brisc         in reset\n",
                             "trisc0        finished at jal zero,0x6014 (kernel.cpp:6, main+0x14)\n",
                             "trisc1        finished at ecall (kernel.cpp:1, main)\n"})
        EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
    kernels_.done = {{result, 0xFE}};
    EXPECT_TRUE(run().good());
}

TEST_P(KernelFaults, AnIllegalWordIsAFault) {
    kernel(RiscvCore::t2, {nop, 0xFFFF'FFFF}, 0xE000);
    const tessera::Run done = run();
    ASSERT_TRUE(done.fault);
    EXPECT_EQ(done.fault->code, "riscv.illegal");
    EXPECT_EQ(done.fault->where.pc, 0xE004);
    EXPECT_EQ(done.fault->where.core, "trisc2");
}

TEST_P(KernelFaults, WhoPollsForEverIsToldWithLineAndWord) {
    std::vector<std::uint32_t> code;
    put(code, a0, result);
    code.push_back(fence);
    code.push_back(i(Op::lw, a1, a0, 0));
    code.push_back(branch(Op::beq, a1, zero, -8));
    code.push_back(halt);
    kernel(RiscvCore::t0, code, 0x6000);
    std::vector<std::uint32_t> silent;
    peek(silent, a0, 0xFFEC'1000);  // T0 never sends
    silent.push_back(halt);
    kernel(RiscvCore::t1, silent, 0xA000);
    const tessera::Run done = run();
    ASSERT_TRUE(done.fault);
    EXPECT_EQ(done.fault->code, "no-progress.polling");
    const std::string table = done.describe_blocked();
    for (const char* part : {"trisc0", "0x20000", "kernel.cpp:4", "trisc1", "kernel.cpp:3"})
        EXPECT_NE(table.find(part), std::string::npos) << part << " in\n" << table;
}

// BabyRISCV, debug: the snapshot of T0's pc is the third word. T0 has ended, or polls itself.
TEST_P(KernelFaultsOnBlackhole, WhoPollsAPcThatStaysIsTold) {
    std::vector<std::uint32_t> code, polls;
    put(code, a0, 0xFFB1'3140);
    put(code, a1, 0x1234);
    code.push_back(i(Op::lw, a2, a0, 0));
    code.push_back(branch(Op::bne, a2, a1, -4));
    code.push_back(halt);
    kernel(RiscvCore::b, code, 0x100);
    await(polls, result);
    polls.push_back(halt);
    for (const auto& other : {std::vector<std::uint32_t>{halt}, polls})
        for (const Timing timing : {default_timing, Timing::functional}) {
            SCOPED_TRACE(name(timing));
            core_ = Core(GetParam(), Reset::vendor_sim);
            kernel(RiscvCore::t0, other, 0x6000);
            const tessera::Run done = run({.timing = timing, .max_cycles = 2'000'000});
            ASSERT_TRUE(done.fault);
            EXPECT_EQ(done.fault->code, "no-progress.polling");
            EXPECT_NE(done.describe_blocked().find("pc snapshot + 0x8, which it polls"), std::string::npos) << done.describe_blocked();
        }
}

// T1 only polls, and T0 ends without a store: its pc alone tells B of it.
TEST_P(KernelFaultsOnBlackhole, WhoWaitsForAPcGoesOnWhenItComes) {
    std::vector<std::uint32_t> waits, counts, polls;
    spend(counts, 30'000);
    put(waits, a0, 0xFFB1'3140);
    put(waits, a1, 0x6000 + 4 * static_cast<std::uint32_t>(counts.size()));
    waits.push_back(i(Op::lw, a2, a0, 0));
    waits.push_back(branch(Op::bne, a2, a1, -4));
    poke(waits, result, 7);
    await(polls, result);
    poke(polls, result + 4, 8);
    for (auto* const code : {&waits, &counts, &polls}) code->push_back(halt);
    kernel(RiscvCore::b, waits, 0x100);
    kernel(RiscvCore::t0, counts, 0x6000);
    kernel(RiscvCore::t1, polls, 0xA000);
    for (const Timing timing : {default_timing, Timing::functional}) {
        SCOPED_TRACE(name(timing));
        core_ = Core(GetParam(), Reset::vendor_sim);
        const tessera::Run done = run({.timing = timing});
        EXPECT_FALSE(done.fault) << done.fault->describe() << done.describe_blocked();
        EXPECT_EQ(word(result + 4), 8u);
    }
}

// It has loaded a word, and polls nothing.
TEST_P(KernelFaults, ACoreThatComputesRunsAtItsInstruction) {
    std::vector<std::uint32_t> code;
    peek(code, a1, result);
    put(code, a2, 1'000'000);
    const std::size_t loop = code.size();
    code.push_back(i(Op::addi, a2, a2, -1));
    code.push_back(branch(Op::bne, a2, zero, -4));
    code.push_back(halt);
    kernel(RiscvCore::t0, code, 0x6000);
    const tessera::Run done = run({.max_cycles = 1000});
    ASSERT_TRUE(done.fault);
    EXPECT_EQ(done.fault->code, "no-progress");
    const Blocked& core = blocked(done, "trisc0");
    EXPECT_TRUE(core.runs());
    EXPECT_EQ(core.since, no_cycle);
    const bool counts = core.instruction.starts_with("addi ");
    EXPECT_TRUE(counts || core.instruction.starts_with("bne ")) << core.instruction;
    EXPECT_TRUE(core.place.starts_with("kernel.cpp:" + std::to_string(loop + (counts ? 1 : 2)) + ",")) << core.place;
    EXPECT_NE(done.describe_blocked().find("trisc0        runs\n"), std::string::npos) << done.describe_blocked();
}

// It sleeps until the semaphore changes, while another core counts.
TEST_P(KernelFaults, ACoreThatPollsADeviceIsToldAtALimitOfCycles) {
    std::vector<std::uint32_t> polls, counts;
    put(polls, a0, 0xFFE8'0000);
    polls.push_back(i(Op::lw, a1, a0, 36));  // semaphore 1
    polls.push_back(branch(Op::beq, a1, zero, -4));
    polls.push_back(halt);
    kernel(RiscvCore::t0, polls, 0x6000);
    counts.push_back(i(Op::addi, a2, a2, 1));
    counts.push_back(branch(Op::beq, zero, zero, -4));
    kernel(RiscvCore::t1, counts, 0xA000);
    const tessera::Run done = run({.max_cycles = 60'000});
    ASSERT_TRUE(done.fault);
    EXPECT_EQ(done.fault->code, "no-progress");
    const Blocked& core = blocked(done, "trisc0");
    EXPECT_EQ(core.waits_for, "semaphore 1, which it polls, to change from 0x0");
    EXPECT_TRUE(core.instruction.starts_with("lw ")) << core.instruction;
    EXPECT_TRUE(core.place.starts_with("kernel.cpp:3,")) << core.place;
    EXPECT_EQ(core.since, no_cycle);
    EXPECT_FALSE(core.runs());
    EXPECT_TRUE(blocked(done, "trisc1").runs());
}

// What it polls has been changed, but not to what it waits for. Of L1, only what none but cores have written is known.
TEST_P(KernelFaults, TheLastChangeOfWhatACorePollsIsTold) {
    constexpr std::uint32_t flag = 0x3'0000, semaphore_1 = 0xFFE8'0024;
    const bool blackhole = GetParam() == Arch::blackhole;
    const std::uint32_t start = 0xFFB4'5000 + 4 * (blackhole ? 8 : 3), size = 0xFFB4'5000 + 4 * (blackhole ? 10 : 4);
    const auto last_change = [&](std::uint32_t polled, bool host_writes = false) {
        std::vector<std::uint32_t> polls, changes;
        spend(polls, 200);
        put(polls, a0, polled);
        polls.push_back(i(Op::lw, a1, a0, 0));
        polls.push_back(branch(Op::beq, a1, zero, -4));
        polls.push_back(halt);
        kernel(RiscvCore::t0, polls, 0x6000);
        poke(changes, flag, 0);
        poke(changes, size, 0x10000);
        poke(changes, size, 0);
        changes.push_back(ttinsn(instruction("SEMINIT max_value=2 init_value=0 sem_sel=1<<1")));
        changes.push_back(halt);
        kernel(RiscvCore::t1, changes, 0xA000);
        kernels_.host.clear();
        if (host_writes) {
            HostStep& write = kernels_.host.emplace_back();
            write.at = 500;
            write.what = HostStep::What::write;
            write.address = flag;
            write.bytes.resize(4);
        }
        const tessera::Run done = run({.max_cycles = 60'000});
        EXPECT_TRUE(done.fault) << polled;
        return blocked(done, "trisc0").last_touched;
    };
    const std::string store = last_change(flag);
    EXPECT_TRUE(store.starts_with("the store at 0xA0") && store.find(" of trisc1 (kernel.cpp:") != store.npos) << store;
    EXPECT_EQ(last_change(flag + 4), "");
    EXPECT_EQ(last_change(flag, true), "");
    // T1 changes another register of the stream that T0 polls, or that one.
    EXPECT_EQ(last_change(start), "nobody yet");
    const std::string changed = last_change(size);
    EXPECT_TRUE(changed.starts_with("0xA0") && changed.find(" of trisc1 (kernel.cpp:") != changed.npos) << changed;
    const std::string seminit = last_change(semaphore_1);
    EXPECT_TRUE(seminit.starts_with("T1, from 0xA0") && seminit.ends_with("; ends with a SEMPOST of it; it was never posted")) << seminit;
}

// Any of them may be what the loop waits for.
TEST_P(KernelFaults, EachPlaceThatALoopPollsIsNamed) {
    constexpr std::uint32_t flag = 0x3'0000, semaphores = 0xFFE8'0020;
    std::vector<std::uint32_t> polls, changes;
    spend(polls, 200);
    put(polls, a0, semaphores);
    put(polls, a2, flag);
    polls.insert(polls.end(), {i(Op::lw, a1, a0, 4), i(Op::lw, a3, a2, 0), r(Op::or_, a1, a1, a3),
                               branch(Op::beq, a1, zero, -12), halt});
    kernel(RiscvCore::t0, polls, 0x6000);
    poke(changes, flag, 0);
    changes.push_back(halt);
    kernel(RiscvCore::t1, changes, 0xA000);
    tessera::Run done = run();
    EXPECT_EQ(done.fault.value().code, "no-progress.polling");
    EXPECT_EQ(blocked(done, "trisc0").waits_for,
              "one of the places that it polls to change: semaphore 1 from 0x0, L1 0x30000 from 0x0");
    const std::string changed = blocked(done, "trisc0").last_touched;
    for (const char* part :
         {"nobody yet; ends with a SEMPOST of it", " (semaphore 1); and by the store at 0xA0", ") (L1 0x30000)"})
        EXPECT_NE(changed.find(part), std::string::npos) << part << " in\n" << changed;

    polls.resize(polls.size() - 5);
    for (int semaphore = 0; semaphore < 5; ++semaphore) polls.push_back(i(Op::lw, a1, a0, 4 * semaphore));
    polls.insert(polls.end(), {branch(Op::beq, a1, zero, -20), halt});
    core_ = Core(GetParam(), Reset::vendor_sim);
    kernels_.images = {};
    kernel(RiscvCore::t0, polls, 0x6000);
    done = run();
    EXPECT_EQ(
        blocked(done, "trisc0").waits_for,
        "one of the places that it polls to change: semaphore 0 from 0x0, semaphore 1 from 0x0, semaphore 2 from 0x0, "
        "semaphore 3 from 0x0, and others");
}

// The last load is another instruction.
TEST_P(KernelFaults, ACoreThatAStoreHoldsUpIsThere) {
    std::vector<std::uint32_t> code;
    peek(code, a0, 0x2'0000);
    for (unsigned i = 0; i < 5; ++i) poke(code, 0xFFEC'2000, i);  // to T1, which reads none
    code.push_back(halt);
    kernel(RiscvCore::t0, code, 0x6000);
    const tessera::Run done = run();
    ASSERT_TRUE(done.fault);
    const std::string table = done.describe_blocked();
    for (const char* part : {"trisc0", "room in its mailboxes, which trisc1 has to read", "sw a7,0(a6)", "kernel.cpp:28"})
        EXPECT_NE(table.find(part), std::string::npos) << part << " in\n" << table;
}

// Mailboxes, PCBufs: more values "sit in shared buffers"; no page says how many.
TEST_P(KernelFaults, AChipBuffersMoreThanAFullFifo) {
    std::vector<std::uint32_t> code;
    for (unsigned i = 0; i < 17; ++i) poke(code, 0xFFE8'0000, i);
    code.push_back(halt);
    kernel(RiscvCore::b, code, 0x100);
    tessera::Run done = run();
    ASSERT_TRUE(done.fault);
    EXPECT_EQ(blocked(done, "brisc").waits_for,
              "room in the PCBuf to trisc0, which reads it (a chip buffers some more words; how many, no document says)");
    core_ = Core(GetParam(), Reset::vendor_sim);
    code.clear();
    for (unsigned i = 0; i < 5; ++i) poke(code, 0xFFEC'1000, i);
    code.push_back(halt);
    kernel(RiscvCore::b, code, 0x100);
    done = run();
    ASSERT_TRUE(done.fault);
    EXPECT_EQ(blocked(done, "brisc").waits_for,
              "room in its mailboxes, which trisc0 has to read (a chip buffers some more words; how many, no document says)");
}

// MemoryOrdering, "Mailbox read from the future": the store behind the load ends its wait, since the retire queue holds eight.
TEST_P(KernelFaults, ALoadOfACoresOwnMailboxMayEndOnAChip) {
    for (const std::uint32_t sender : {0u, 1u}) {
        core_ = Core(GetParam(), Reset::vendor_sim);
        std::vector<std::uint32_t> code;
        put(code, a7, 123);
        peek(code, a0, 0xFFEC'0000 + sender * 0x1000);
        code.push_back(store(Op::sw, a7, 0, a6));
        code.push_back(halt);
        kernel(RiscvCore::b, code, 0x100);
        const tessera::Run done = run();
        ASSERT_TRUE(done.fault);
        EXPECT_EQ(blocked(done, "brisc").waits_for,
                  sender ? "a value in the mailbox from trisc0"
                         : "a value in the mailbox from brisc (on a chip up to seven more instructions enter, and may store there)");
    }
}

// PCBufs, TTSync: an access that never ends says what would end it.
TEST_P(KernelFaults, AnEndlessWaitOfACoreIsToldInWords) {
    constexpr std::uint32_t pc_buf = 0xFFE8'0000, mop_registers = 0xFFB8'0000, gprs = 0xFFE0'0000;
    using Code = std::vector<std::uint32_t>;
    const auto waits_for = [&](RiscvCore core, Code code) {
        code.push_back(halt);
        kernels_.images = {};
        kernel(core, code, core == RiscvCore::b ? 0x100 : 0x6000);
        core_ = Core(GetParam(), Reset::vendor_sim);
        const tessera::Run done = run();
        if (!done.fault) return std::string("no fault");
        EXPECT_EQ(done.fault->code, "deadlock");
        return blocked(done, core == RiscvCore::b ? "brisc" : "trisc2").waits_for;
    };
    const auto load_now = [](Code& code, std::uint32_t address) {
        peek(code, a4, address);
        code.push_back(i(Op::andi, a4, a4, 7));
    };
    const auto push = [&](Code& code, const char* text) { code.push_back(ttinsn(instruction(text))); };
    const char* const for_ever = "SEMWAIT stall_res=0x1FF sem_sel=2 wait_sem_cond=1";
    Code value, emptied, idle, expanded, in_order;
    load_now(value, pc_buf);
    EXPECT_EQ(waits_for(RiscvCore::t2, value), "a value in its PCBuf, which brisc writes");
    load_now(emptied, pc_buf + 0x1'0000);
    EXPECT_EQ(waits_for(RiscvCore::b, emptied), "trisc1 to empty its PCBuf and wait for more, and T1 to be idle");
    push(idle, for_ever);
    push(idle, "NOP");
    load_now(idle, pc_buf + 4);
    EXPECT_EQ(waits_for(RiscvCore::t2, idle), "all instructions of T2 to be executed");
    for (std::uint32_t item = 0; item < 9; ++item) poke(expanded, mop_registers + 4 * item, item < 2 ? 4 : instruction("NOP"));
    push(expanded, for_ever);
    for (unsigned times = 0; times < 3; ++times) push(expanded, "MOP mop_type=1");
    load_now(expanded, pc_buf + 8);
    EXPECT_EQ(waits_for(RiscvCore::t2, expanded), "the MOPs of T2 to be expanded");
    if (GetParam() == Arch::wormhole) return;  // it has no Auto TTSync
    push(in_order, "SETC16 setc16_reg=56 setc16_value=20");  // TrackGPR and TrackTensixInstructions
    load_now(in_order, pc_buf + 4);
    push(in_order, for_ever);
    push(in_order, "ADDDMAREG OpBisConst=1 ResultRegIndex=6 OpBRegIndex=2 OpARegIndex=5");
    poke(in_order, gprs + 4 * 5, 90);
    EXPECT_EQ(waits_for(RiscvCore::t2, in_order), "its earlier instructions to pass the wait gate (Auto TTSync)");
}

// CSRs: "STREAM_CURR_PHASE_REG_INDEX of some NoC Overlay stream".
TEST_P(KernelFaults, ATCoreThatReadsTheCsrOfAStreamHasAFault) {
    kernel(RiscvCore::t0, {csr(Op::csrrs, a0, 0xBC2, zero), halt}, 0x6000);
    const tessera::Run done = run();
    ASSERT_TRUE(done.fault);
    EXPECT_EQ(done.fault->code, GetParam() == Arch::blackhole ? "tile.not-modelled" : "riscv.illegal");
    EXPECT_EQ(done.fault->where.core, "trisc0");
    EXPECT_EQ(done.fault->where.pc, 0x6000);
}

TEST_P(KernelFaults, AFindingNamesTheInstructionThatPushed) {
    std::vector<std::uint32_t> code;
    code.push_back(ttinsn(instruction("SEMWAIT stall_res=0x1FF sem_sel=1 wait_sem_cond=0")));
    code.push_back(halt);
    kernel(RiscvCore::t0, code, 0x6000);
    const tessera::Run done = run();
    ASSERT_FALSE(done.findings.empty());
    EXPECT_EQ(done.findings[0].code, "sync.semwait-no-condition");
    EXPECT_EQ(done.findings[0].where.core, "trisc0");
    EXPECT_EQ(done.findings[0].where.place, "kernel.cpp:1");
}

INSTANTIATE_TEST_SUITE_P(Archs, KernelFaults, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& arch) { return std::string(name(arch.param)); });
INSTANTIATE_TEST_SUITE_P(Blackhole, KernelFaultsOnBlackhole, testing::Values(Arch::blackhole),
                         [](const auto& arch) { return std::string(name(arch.param)); });
INSTANTIATE_TEST_SUITE_P(Archs, KernelEnds, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera::test
