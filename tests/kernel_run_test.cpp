// SPDX-License-Identifier: Apache-2.0
// Kernels of a few instructions on a whole tile: cores, devices, engine and coprocessor together. Expected values are
// from the documents that each test names.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "registers/field.hpp"
#include "support/kernel_run.hpp"
#include "tessera/execution.hpp"

namespace tessera::test {
namespace {

using namespace rv;

constexpr unsigned t1_ = 6;  // a register, not a core

// PushTensixInstruction; TTSync; ScalarUnit, GPRs: three ways to the coprocessor and back.
TEST_P(KernelRun, PushesInstructionsAndReadsWhatTheyLeave) {
    const std::uint32_t add = instruction("ADDDMAREG OpBisConst=1 ResultRegIndex=3 OpBRegIndex=7 OpARegIndex=2");
    std::vector<std::uint32_t> code;
    poke(code, 0xFFE0'0000 + 4 * 2, 100);  // GPR 2
    peek(code, a0, 0xFFE0'0000 + 4 * 2);   // behind the store: it has been processed then
    code.push_back(ttinsn(add));
    poke(code, 0xFFE8'0004, 0);
    peek(code, a1, 0xFFE8'0004);
    code.push_back(i(Op::andi, a1, a1, 0));
    peek(code, a2, 0xFFE0'0000 + 4 * 3);  // GPR 3
    keep(code, a2, result);
    code.push_back(halt);
    kernel(RiscvCore::t1, code, 0xA000);
    const tessera::Run done = run();
    ASSERT_FALSE(done.fault) << done.fault->describe();
    EXPECT_EQ(word(result), 107u);
    EXPECT_EQ(done.instructions[1], 1u);
}

// InstructionRAM: only NC executes from it, and no core loads from it.
TEST_P(KernelRun, NcExecutesFromInstructionRam) {
    constexpr std::uint32_t iram = 0xFFC0'0000;
    std::vector<std::uint32_t> code, inside;
    put(code, t0, iram + 0xFF8);
    code.push_back(i(Op::jalr, zero, t0, 0));
    kernel(RiscvCore::nc, code, 0x12000);
    put(inside, a0, 77);
    keep(inside, a0, result);  // across a page of 4 KiB
    inside.push_back(halt);
    const auto section = core_.find_section("riscv_iram");
    EXPECT_EQ(section.has_value(), GetParam() == Arch::wormhole);
    if (section)
        for (std::size_t at = 0; at < 4 * inside.size(); ++at)
            core_.write(**section, 0xFF8 + at, inside[at / 4] >> at % 4 * 8 & 0xFF);
    const tessera::Run done = run();
    if (GetParam() == Arch::blackhole) {
        ASSERT_TRUE(done.fault);
        EXPECT_EQ(done.fault->code, "riscv.fetch");
        return;
    }
    ASSERT_FALSE(done.fault) << done.fault->describe();
    EXPECT_EQ(word(result), 77u);
    code.clear();
    peek(code, a0, iram);
    kernel(RiscvCore::nc, code, 0x12000);
    const tessera::Run loads = run();
    ASSERT_TRUE(loads.fault);
    EXPECT_EQ(loads.fault->code, "tile.no-access");
}

// AutoTTSync: a load waits for instructions that its core has pushed, and comes behind what they change.
TEST_P(KernelRun, AutoTtSyncKeepsALoadBehindInstructions) {
    if (GetParam() == Arch::wormhole) {
        EXPECT_FALSE(registers::field("TENSIX_TRISC_SYNC_TrackGPR")[GetParam()].present());
        return;
    }
    const std::uint32_t add = instruction("ADDDMAREG OpBisConst=1 ResultRegIndex=3 OpBRegIndex=1 OpARegIndex=3");
    for (const bool tracked : {false, true}) {
        core_ = Core(GetParam(), Reset::vendor_sim);
        std::vector<std::uint32_t> code;
        code.push_back(ttinsn(instruction(tracked ? "SETC16 setc16_reg=56 setc16_value=31" : "NOP")));
        peek(code, a1, 0xFFE8'0004);
        code.push_back(i(Op::andi, a1, a1, 0));
        for (unsigned k = 0; k < 8; ++k) code.push_back(ttinsn(add));
        peek(code, a2, 0xFFE0'0000 + 4 * 3);
        keep(code, a2, result);
        code.push_back(halt);
        kernel(RiscvCore::t1, code, 0xA000);
        const tessera::Run done = run();
        ASSERT_FALSE(done.fault) << done.fault->describe();
        if (tracked)
            EXPECT_EQ(word(result), 8u);
        else
            EXPECT_LT(word(result), 8u);
    }
}

// Mailboxes: what T0 sends comes in order, a read waits for it; the fifth value waits for room.
TEST_P(KernelRun, MailboxesGoFromCoreToCore) {
    std::vector<std::uint32_t> sender, receiver;
    for (unsigned k = 1; k <= 6; ++k) poke(sender, 0xFFEC'2000, 11 * k);  // T0 to T1
    sender.push_back(halt);
    spend(receiver, 200);
    for (unsigned k = 0; k < 6; ++k) {
        peek(receiver, a0, 0xFFEC'1000);  // T0 to T1
        keep(receiver, a0, result + 4 * k);
    }
    receiver.push_back(halt);
    kernel(RiscvCore::t0, sender, 0x6000);
    kernel(RiscvCore::t1, receiver, 0xA000);
    const tessera::Run done = run();
    ASSERT_FALSE(done.fault) << done.fault->describe();
    for (unsigned k = 0; k < 6; ++k) EXPECT_EQ(word(result + 4 * k), 11 * (k + 1)) << k;
}

// SyncUnit, semaphores: a core posts what a thread waits for.
TEST_P(KernelRun, SemaphoresGoBetweenCoresAndThreads) {
    std::vector<std::uint32_t> poster, waiter;
    spend(poster, 100);
    poke(poster, 0xFFE8'0020 + 4 * 2, 0);
    poster.push_back(halt);
    waiter.push_back(ttinsn(instruction("SEMINIT max_value=4 init_value=0 sem_sel=4")));
    waiter.push_back(ttinsn(instruction("SEMWAIT stall_res=0x1FF sem_sel=4 wait_sem_cond=1")));
    waiter.push_back(ttinsn(instruction("SEMGET sem_sel=4")));
    poke(waiter, 0xFFE8'0004, 0);
    peek(waiter, a1, 0xFFE8'0004);
    waiter.push_back(i(Op::andi, a1, a1, 0));
    peek(waiter, a2, 0xFFE8'0020 + 4 * 2);
    keep(waiter, a2, result);
    waiter.push_back(halt);
    core_.write_l1(result, std::vector<std::byte>(4, std::byte{0xFF}));
    kernel(RiscvCore::t0, poster, 0x6000);
    kernel(RiscvCore::t2, waiter, 0xE000);
    const tessera::Run done = run();
    ASSERT_FALSE(done.fault) << done.fault->describe() << done.describe_blocked();
    EXPECT_EQ(word(result), 0u);
    EXPECT_GT(done.cycles, 100u);
}

TEST_P(KernelRun, DoneWordsEndARunWhoseCoresGoOn) {
    std::vector<std::uint32_t> code;
    poke(code, result, 0xFF);
    code.push_back(i(Op::addi, t1_, t1_, 1));
    code.push_back(jal(zero, -4));
    kernel(RiscvCore::nc, code, 0x1'2000);
    kernels_.done = {{result, 0xFF}};
    const tessera::Run done = run();
    EXPECT_FALSE(done.fault);
    EXPECT_LT(done.cycles, 100u);
}

// Values left in L1 by an earlier run must not count as done by this run.
TEST_P(KernelRun, WhatIsDoneBeforeAnythingHasRunIsTold) {
    std::vector<std::uint32_t> code;
    poke(code, result, 0xFF);
    code.push_back(halt);
    kernel(RiscvCore::t0, code, 0x6000);
    kernels_.done = {{result, 0xFF}};
    EXPECT_TRUE(run().findings.empty());
    const tessera::Run again = run();
    ASSERT_EQ(again.findings.size(), 1u);
    EXPECT_EQ(again.findings[0].code, "kernel.done-before");
    EXPECT_EQ(again.findings[0].level, Level::warning);
    EXPECT_EQ(again.cycles, 0u);
}

TEST_P(KernelRun, AnUnmappedAddressIsAFaultWithLineAndRegisters) {
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
TEST_P(KernelRun, AnEbreakIsAFaultWithItsPlaceAndRegisters) {
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

TEST_P(KernelRun, AnEbreakMayBeAllowedToEndACore) {
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

// Another core's ebreak in a later cycle does not come before the end of the run, however far the core is ahead.
TEST_P(KernelRun, AnEbreakComesInItsCycle) {
    std::vector<std::uint32_t> early, late;
    for (unsigned k = 0; k < 50; ++k) early.push_back(nop);
    poke(early, result, 1);
    early.push_back(halt);
    for (unsigned k = 0; k < 400; ++k) late.push_back(nop);
    late.push_back(ebreak);
    kernel(RiscvCore::t0, late, 0x6000);
    kernel(RiscvCore::t1, early, 0xA000);
    kernels_.done = {{result, 1}};
    EXPECT_TRUE(run().good());
    kernels_.done = {{result, 2}};
    const tessera::Run done = run();
    ASSERT_TRUE(done.fault);
    EXPECT_EQ(done.fault->code, "riscv.ebreak");
    EXPECT_GE(done.fault->where.cycle, 400u);
}

// As AnEbreakComesInItsCycle.
TEST_P(KernelRun, AFaultOfAnInstructionComesInItsCycle) {
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
        std::vector<std::uint32_t> early, late;
        for (unsigned k = 0; k < 50; ++k) early.push_back(nop);
        poke(early, result, 1);
        early.push_back(halt);
        put(late, a0, 0xFFE8'0000);  // neither L1 nor instructions
        for (unsigned k = 0; k < 400; ++k) late.push_back(nop);
        late.push_back(row.word);
        kernel(RiscvCore::t0, late, 0x6000);
        kernel(RiscvCore::t1, early, 0xA000);
        kernels_.done = {{result, 1}};
        EXPECT_TRUE(run().good());
        kernels_.done = {{result, 2}};
        const tessera::Run done = run();
        ASSERT_TRUE(done.fault);
        EXPECT_EQ(done.fault->code, row.code);
        EXPECT_GE(done.fault->where.cycle, 400u);
    }
}

TEST_P(KernelRun, WhatIsNotDoneWhenAllHaveStoppedIsAFault) {
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

TEST_P(KernelRun, AnIllegalWordIsAFault) {
    kernel(RiscvCore::t2, {nop, 0xFFFF'FFFF}, 0xE000);
    const tessera::Run done = run();
    ASSERT_TRUE(done.fault);
    EXPECT_EQ(done.fault->code, "riscv.illegal");
    EXPECT_EQ(done.fault->where.pc, 0xE004);
    EXPECT_EQ(done.fault->where.core, "trisc2");
}

TEST_P(KernelRun, WhoPollsForEverIsToldWithLineAndWord) {
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
TEST_P(KernelRun, WhoPollsAPcThatStaysIsTold) {
    if (GetParam() == Arch::wormhole) return;  // it has no snapshots
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
TEST_P(KernelRun, WhoWaitsForAPcGoesOnWhenItComes) {
    if (GetParam() == Arch::wormhole) return;
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

// TDMA-RISC, StatusBits(): bit 0 is the mover's.
TEST_P(KernelRun, TheMoverCanBeAwaitedByItsStatus) {
    constexpr std::uint32_t tdma = 0xFFB1'1000, from = 0x3'0000, to = 0x3'1000, l1_to_l1 = 3, move = 0x40;
    std::vector<std::uint32_t> code;
    poke(code, from, 0x1234'5678);
    poke(code, tdma + 0x00, from / 16);
    poke(code, tdma + 0x04, to / 16);
    poke(code, tdma + 0x08, 1);
    poke(code, tdma + 0x0C, l1_to_l1);
    poke(code, tdma + 0x10, move);
    put(code, a2, tdma);
    code.push_back(i(Op::lw, a3, a2, 0x14));
    code.push_back(i(Op::andi, a3, a3, 1));
    code.push_back(branch(Op::bne, a3, zero, -8));
    peek(code, a1, to);
    keep(code, a1, result);
    code.push_back(halt);
    kernel(RiscvCore::b, code, 0x100);
    for (const Timing timing : {default_timing, Timing::functional}) {
        SCOPED_TRACE(name(timing));
        core_ = Core(GetParam(), Reset::vendor_sim);
        const tessera::Run done = run({.timing = timing});
        EXPECT_FALSE(done.fault) << done.fault->describe();
        EXPECT_EQ(word(result), 0x1234'5678u);
    }
}

const Blocked& blocked(const tessera::Run& run, std::string_view who) {
    return *std::find_if(run.blocked.begin(), run.blocked.end(), [&](const Blocked& one) { return one.who == who; });
}

// It has loaded a word, and polls nothing.
TEST_P(KernelRun, ACoreThatComputesRunsAtItsInstruction) {
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
TEST_P(KernelRun, ACoreThatPollsADeviceIsToldAtALimitOfCycles) {
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

// The last load is another instruction.
TEST_P(KernelRun, ACoreThatAStoreHoldsUpIsThere) {
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

TEST_P(KernelRun, AFindingNamesTheInstructionThatPushed) {
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

// The same seed gives the same run; without one, too.
// B's load of a PCBuf ends when T0 waits for a value there: a snapshot has that T0 does.
TEST_P(KernelRun, SnapshotsHaveWhatACoreWaitsFor) {
    constexpr std::uint32_t pc_buf = 0xFFE8'0000;
    std::vector<std::uint32_t> b, t0;
    peek(t0, a1, pc_buf);
    keep(t0, a1, result);
    t0.push_back(halt);
    for (unsigned i = 0; i < 100; ++i) b.push_back(nop);
    peek(b, a1, pc_buf);
    poke(b, pc_buf, 7);
    b.push_back(halt);
    kernel(RiscvCore::b, b, 0x100);
    kernel(RiscvCore::t0, t0, 0x6000);
    ASSERT_TRUE(core_.load(kernels_));
    auto execution = Execution::begin(core_, kernels_);
    ASSERT_TRUE(execution);
    std::vector<Execution::Snapshot> snapshots;
    while (!execution->ended()) {
        snapshots.push_back(execution->snapshot());
        execution->step_cycles(10);
    }
    const tessera::Run whole = execution->run();
    EXPECT_TRUE(whole.good());
    for (const Execution::Snapshot& each : snapshots) {
        Core other(GetParam());
        auto again = Execution::begin(other, each);
        ASSERT_TRUE(again);
        again->finish();
        EXPECT_FALSE(again->run().fault);
        EXPECT_EQ(again->run().cycles, whole.cycles);
        std::uint32_t received;
        std::memcpy(&received, other.l1().data() + result, 4);
        EXPECT_EQ(received, 7u);
    }
    // Back on the same core, which has gone on since.
    ASSERT_TRUE(execution->restore(snapshots[snapshots.size() / 2]));
    execution->finish();
    EXPECT_FALSE(execution->run().fault);
    EXPECT_EQ(execution->run().cycles, whole.cycles);
}

TEST_P(KernelRun, RunsAreDeterministic) {
    std::vector<std::uint32_t> a, b;
    for (unsigned k = 0; k < 20; ++k) {
        peek(a, a0, result);
        a.push_back(i(Op::addi, a0, a0, 1));
        keep(a, a0, result);
        peek(b, a0, result);
        b.push_back(i(Op::addi, a0, a0, 3));
        keep(b, a0, result);
    }
    a.push_back(halt);
    b.push_back(halt);
    kernel(RiscvCore::t0, a, 0x6000);
    kernel(RiscvCore::b, b, 0x100);
    const Core before = core_;
    const tessera::Run first = run();
    const std::uint32_t value = word(result);
    EXPECT_NE(value, 0u);
    core_ = before;
    const tessera::Run second = run();
    EXPECT_EQ(word(result), value);
    EXPECT_EQ(first.cycles, second.cycles);
}

/// Two cores increment a word a hundred times each, and nothing orders them.
class Increments : public KernelRun {
protected:
    void SetUp() override {
        std::vector<std::uint32_t> code;
        put(code, a0, result);
        put(code, t0, 100);
        code.insert(code.end(), {fence, i(Op::lw, a1, a0, 0), i(Op::addi, a1, a1, 1), store(Op::sw, a1, 0, a0),
                                 i(Op::addi, t0, t0, -1), branch(Op::bne, t0, zero, -20), halt});
        kernel(RiscvCore::t0, code, 0x6000);
        kernel(RiscvCore::b, code, 0x100);
    }
    /// The word, and the cycles of the run.
    std::pair<std::uint32_t, std::uint64_t> end(const RunOptions& options) {
        core_ = Core(GetParam(), Reset::vendor_sim);
        const tessera::Run done = run(options);
        EXPECT_FALSE(done.fault) << done.fault->describe();
        return {word(result), done.cycles};
    }
};

// Even seeds: odd ones take the slower speed of a chip.
TEST_P(Increments, DependOnTheSeed) {
    std::set<std::uint32_t> words;
    for (std::uint64_t seed = 2; seed <= 40; seed += 2) {
        const auto first = end({.seed = seed});
        EXPECT_EQ(end({.seed = seed}), first);
        EXPECT_GE(first.first, 100u);
        EXPECT_LE(first.first, 200u);
        words.insert(first.first);
    }
    EXPECT_GT(words.size(), 1u);
}

TEST_P(Increments, OfASeedAreTheSameObservedAndInSteps) {
    for (const std::uint64_t seed : {4u, 6u}) {
        RunOptions options{.seed = seed};
        const auto whole = end(options);
        unsigned writes = 0;
        options.on_write = [&](const Write&) { ++writes; };
        EXPECT_EQ(end(options), whole);
        EXPECT_GT(writes, 0u);
        core_ = Core(GetParam(), Reset::vendor_sim);
        ASSERT_TRUE(core_.load(kernels_));
        auto execution = Execution::begin(core_, kernels_, {.seed = seed});
        ASSERT_TRUE(execution);
        execution->step_cycles(whole.second / 2);
        const Execution::Snapshot half = execution->snapshot();
        while (!execution->ended()) execution->step_cycles(7);
        EXPECT_EQ(std::pair(word(result), execution->run().cycles), whole);
        ASSERT_TRUE(execution->restore(half));
        execution->finish();
        EXPECT_EQ(std::pair(word(result), execution->run().cycles), whole);
    }
}

TEST_P(KernelRun, WhatAFlagOrdersIsTheSameUnderAllSeeds) {
    std::vector<std::uint32_t> sends, receives;
    poke(sends, result + 16, 5);
    poke(sends, result + 32, 1);
    sends.push_back(halt);
    await(receives, result + 32);
    peek(receives, a1, result + 16);
    keep(receives, a1, result);
    receives.push_back(halt);
    kernel(RiscvCore::t0, sends, 0x6000);
    kernel(RiscvCore::b, receives, 0x100);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        core_ = Core(GetParam(), Reset::vendor_sim);
        const tessera::Run done = run({.seed = seed});
        EXPECT_FALSE(done.fault) << done.fault->describe();
        EXPECT_EQ(word(result), 5u);
    }
}

// CSRs: cfg0 is 16 << 13 after reset (StMergeTimer). A core that the run starts has come out of reset like any other.
TEST_P(KernelRun, ACoreThatTheRunStartsHasItsResetValues) {
    if (GetParam() == Arch::wormhole) return;  // it has no CSRs
    std::vector<std::uint32_t> code = {csr(Op::csrrs, a2, 0x7C0, zero)};
    keep(code, a2, result);
    code.push_back(halt);
    kernel(RiscvCore::t1, code, 0xA000);
    const tessera::Run done = run();
    ASSERT_FALSE(done.fault) << done.fault->describe();
    EXPECT_EQ(word(result), 16u << 13);
}

// Run::cycles: to the last act, although a core that nobody else sees runs ahead of the others.
TEST_P(KernelRun, TheRunEndsWithTheCoresLastAct) {
    for (const unsigned rounds : {10u, 3'000u, 40'000u}) {
        std::vector<std::uint32_t> code;
        put(code, a0, rounds);
        code.push_back(i(Op::addi, a0, a0, -1));
        code.push_back(branch(Op::bne, a0, zero, -4));
        poke(code, result, 7);
        code.push_back(halt);
        kernel(RiscvCore::b, code, 0x100);
        std::uint64_t stored = 0;
        EXPECT_FALSE(run({.on_write = [&](const Write& write) { stored = write.cycle; }}).fault);
        const tessera::Run done = run();
        EXPECT_FALSE(done.fault);
        EXPECT_GE(stored, rounds);
        EXPECT_GT(done.cycles, stored);
        EXPECT_LE(done.cycles, stored + 8) << "the jump behind the store";
        const tessera::Run limited = run({.max_cycles = stored});
        ASSERT_TRUE(limited.fault);
        EXPECT_EQ(limited.fault->code, "no-progress");
    }
}

INSTANTIATE_TEST_SUITE_P(Archs, KernelRun, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& arch) { return std::string(name(arch.param)); });
INSTANTIATE_TEST_SUITE_P(Archs, Increments, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera::test
