// SPDX-License-Identifier: Apache-2.0
// Kernels of a few instructions on a whole tile. Expected values are from the documents that each test names.
#include <gtest/gtest.h>

#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "registers/field.hpp"
#include "support/kernel_run.hpp"
#include "tessera/execution.hpp"

namespace tessera::test {
namespace {

using namespace rv;

class KernelRunOnBlackhole : public KernelRun {};  // with CSRs and snapshots of a pc

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

// Also without time: what the thread does by then is there.
TEST_P(KernelRun, ALoadFarBehindAnInstructionReadsWhatItWrote) {
    constexpr std::uint32_t config_69 = 0xFFEF'0000 + 4 * 69;
    for (const Timing timing : {Timing::silicon, Timing::functional}) {
        core_ = Core(GetParam(), Reset::vendor_sim);
        std::vector<std::uint32_t> code;
        code.push_back(ttinsn(instruction("RMWCIB0 CfgRegAddr=69 Data=0x5A Mask=255")));
        spend(code, 200);
        std::vector<std::uint32_t> by_debug_registers = code;
        peek(code, a2, config_69);
        keep(code, a2, result);
        code.push_back(halt);
        kernel(RiscvCore::t2, code, 0xE000);
        ASSERT_TRUE(run({.timing = timing}).good());
        EXPECT_EQ(word(result), 0x5Au);

        core_ = Core(GetParam(), Reset::vendor_sim);
        poke(by_debug_registers, 0xFFB1'2058, 69);  // CFGREG_RD_CNTL
        peek(by_debug_registers, a2, 0xFFB1'2078);
        keep(by_debug_registers, a2, result);
        by_debug_registers.push_back(halt);
        kernel(RiscvCore::t2, by_debug_registers, 0xE000);
        ASSERT_TRUE(run({.timing = timing}).good());
        EXPECT_EQ(word(result), 0x5Au);
    }
    if (GetParam() == Arch::wormhole) return;  // whose cores do not reach Dst
    for (const Timing timing : {Timing::silicon, Timing::functional}) {
        core_ = Core(GetParam(), Reset::vendor_sim);
        std::vector<std::uint32_t> code;
        code.push_back(ttinsn(instruction("SFPSTORE lreg_ind=10 instr_mod0=3")));  // 1.0 as FP32
        spend(code, 200);
        peek(code, a2, 0xFFBD'8000);
        keep(code, a2, result);
        code.push_back(halt);
        kernel(RiscvCore::t2, code, 0xE000);
        const tessera::Run done = run({.timing = timing});
        ASSERT_TRUE(done.good()) << done.fault->describe();
        EXPECT_EQ(word(result), 0x3F80'0000u);
    }
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

TEST_P(KernelRun, KernelsThatAreNotLoadedAreRefused) {
    kernel(RiscvCore::b, {halt}, 0x100);
    for (const Timing timing : {default_timing, Timing::functional})
        EXPECT_EQ(core_.run(kernels_, {.timing = timing}).error().code, "kernels.not-loaded");
    const auto steps = Execution::begin(core_, kernels_);
    ASSERT_FALSE(steps);
    EXPECT_EQ(steps.error().code, "kernels.not-loaded");
    EXPECT_NE(steps.error().message.find("brisc"), std::string::npos);
    // A core that the host starts later is in reset, loaded or not.
    ASSERT_TRUE(core_.load(kernels_));
    kernel(RiscvCore::t0, {halt}, 0x6000);
    kernels_.in_reset[static_cast<std::size_t>(RiscvCore::t0)] = true;
    EXPECT_TRUE(core_.run(kernels_));
}

// A host may reset a core before its first instruction, and start it in a later run.
TEST_P(KernelRun, ACoreThatWasResetBeforeItsFirstInstructionIsLoaded) {
    std::vector<std::uint32_t> code;
    poke(code, result, 7);
    code.push_back(halt);
    kernel(RiscvCore::t1, code, 0x8000);
    HostStep step;
    step.at = 0;
    step.what = HostStep::What::reset;
    step.cores[static_cast<std::size_t>(RiscvCore::t1)] = true;
    kernels_.host = {step};
    run();
    ASSERT_EQ(word(result), 0u);
    kernels_.host.clear();
    EXPECT_TRUE(Execution::begin(core_, kernels_));
    step.what = HostStep::What::start;
    kernels_.host = {step};
    const auto done = core_.run(kernels_);
    ASSERT_TRUE(done) << done.error().describe();
    EXPECT_EQ(word(result), 7u);
}

// SoftReset: without another address T1 starts at 0xA000. The host has written its code there.
TEST_P(KernelRun, ACoreThatTheHostStartsNeedsNoLoad) {
    std::vector<std::uint32_t> code;
    poke(code, result, 7);
    code.push_back(halt);
    kernel(RiscvCore::t1, code, 0xA000);
    HostStep step;
    step.what = HostStep::What::start;
    step.cores[static_cast<std::size_t>(RiscvCore::t1)] = true;
    kernels_.host = {step};
    for (const Timing timing : {default_timing, Timing::functional}) {
        core_ = Core(GetParam(), Reset::vendor_sim);
        ASSERT_TRUE(core_.write_l1(0xA000, std::as_bytes(std::span(code))));
        const auto done = core_.run(kernels_, {.timing = timing});
        ASSERT_TRUE(done) << done.error().describe();
        EXPECT_EQ(word(result), 7u);
    }
}

// BabyRISCV: a core ends by ecall, or in a jump to itself. Nothing but a reset brings it on.
TEST_P(KernelRun, CoresAtTheirEndAreLoadedAgain) {
    constexpr std::uint32_t ecall = 0x73;
    for (const std::uint32_t end : {halt, ecall}) {
        std::vector<std::uint32_t> code;
        peek(code, a1, result);
        code.push_back(i(Op::addi, a1, a1, 1));
        keep(code, a1, result);
        code.push_back(end);
        kernel(RiscvCore::b, code, 0x100);
        for (const Timing timing : {default_timing, Timing::functional}) {
            core_ = Core(GetParam(), Reset::vendor_sim);
            run({.timing = timing});
            EXPECT_EQ(word(result), 1u);
            EXPECT_EQ(core_.run(kernels_, {.timing = timing}).error().code, "kernels.not-loaded");
            EXPECT_TRUE(Execution::begin(core_, kernels_)) << "a host may reset and start the core";
            run({.timing = timing});
            EXPECT_EQ(word(result), 2u);
        }
    }
}

// Kernels that wait for commands are loaded once: each run gives them one.
TEST_P(KernelRun, CoresThatWaitForCommandsGoOn) {
    constexpr std::uint32_t command = result + 0x100;
    std::vector<std::uint32_t> code;
    await(code, command);
    poke(code, command, 0);
    keep(code, a1, result);
    code.push_back(jal(zero, -4 * static_cast<int>(code.size())));
    kernel(RiscvCore::b, code, 0x100);
    ASSERT_TRUE(core_.load(kernels_));
    for (const std::uint32_t value : {5u, 6u}) {
        kernels_.done = {{result, value}};
        ASSERT_TRUE(core_.write_l1(command, std::as_bytes(std::span(&value, 1))));
        const auto done = core_.run(kernels_);
        ASSERT_TRUE(done) << done.error().describe();
        EXPECT_TRUE(done->good()) << value;
        EXPECT_EQ(word(result), value);
    }
}

// TDMA-RISC, StatusBits(): bit 0 is the mover's.
TEST_P(KernelRun, TheMoverCanBeAwaitedByItsStatus) {
    constexpr std::uint32_t from = 0x3'0000, to = 0x3'1000;
    std::vector<std::uint32_t> code;
    poke(code, from, 0x1234'5678);
    give_command(code, {from / 16, to / 16, 1, l1_to_l1}, move_command);
    await_mover(code);
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
    std::vector<Execution::Snapshot> snapshots;
    Execution execution = run_with_snapshots(10, snapshots);
    const tessera::Run whole = execution.run();
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
    ASSERT_TRUE(execution.restore(snapshots[snapshots.size() / 2]));
    execution.finish();
    EXPECT_FALSE(execution.run().fault);
    EXPECT_EQ(execution.run().cycles, whole.cycles);
}

// Without time: T1 has 30 x 30 x 2 NOPs executed by its load of TTSync; T2 has the turn after that.
TEST_P(KernelRun, ClocksCountWhatTheCoprocessorExecutesInACoresTurn) {
    constexpr std::uint32_t pc_buf = 0xFFE8'0000, mop_registers = 0xFFB8'0000, wall_clock = 0xFFB1'21F0, turns = 30;
    std::vector<std::uint32_t> expands, looks;
    for (std::uint32_t item = 0; item < 9; ++item)
        poke(expands, mop_registers + 4 * item, item < 2 ? turns : instruction("NOP"));
    expands.push_back(ttinsn(instruction("MOP mop_type=1")));
    peek(expands, a1, pc_buf + 4);
    expands.push_back(i(Op::andi, a1, a1, 0));
    expands.push_back(halt);
    peek(looks, a2, wall_clock);
    keep(looks, a2, result);
    looks.push_back(halt);
    kernel(RiscvCore::t1, expands, 0xA000);
    kernel(RiscvCore::t2, looks, 0xE000);
    const tessera::Run done = run({.timing = Timing::functional});
    ASSERT_FALSE(done.fault) << done.fault->describe();
    EXPECT_GE(done.instructions[1], turns * turns);
    EXPECT_GE(word(result), done.instructions[1]);
}

// The first time it comes to jalr, ra holds the address of auipc.
TEST_P(KernelRun, AJumpToItselfThatChangesItsOwnBaseGoesOn) {
    std::vector<std::uint32_t> code = {riscv::row(Op::auipc).match | ra << 7, i(Op::jalr, ra, ra, 4), halt};
    code.push_back(li(a2, 7));
    keep(code, a2, result);
    code.push_back(halt);
    kernel(RiscvCore::t1, code, 0xA000);
    const tessera::Run done = run();
    ASSERT_FALSE(done.fault) << done.fault->describe();
    EXPECT_EQ(word(result), 7u);
}

// CSRs, tt_cfg_bstatus: once its instructions are over, nothing of them waits or executes, with and without time.
TEST_P(KernelRunOnBlackhole, StatusIsThatOfIdleThreadsOnceTheirInstructionsAreOver) {
    for (const Timing timing : {Timing::silicon, Timing::functional}) {
        core_ = Core(GetParam(), Reset::vendor_sim);
        std::vector<std::uint32_t> code;
        for (const char* text :
             {"SFPNOP", "ADDDMAREG OpBisConst=1 ResultRegIndex=3 OpBRegIndex=7 OpARegIndex=2", "NOP"})
            code.push_back(ttinsn(instruction(text)));
        spend(code, 300);
        code.push_back(csr(Op::csrrs, a2, 0xBC1, zero));
        keep(code, a2, result);
        code.push_back(halt);
        kernels_.images = {};
        kernel(RiscvCore::t1, code, 0xA000);
        ASSERT_TRUE(run({.timing = timing}).good());
        EXPECT_EQ(word(result), 0u) << name(timing);
    }
}

// InstructionRAM: NC of Wormhole has one, nobody else.
TEST_P(KernelRun, AKernelOfNcMayLieInItsInstructionRam) {
    std::vector<std::uint32_t> code;
    poke(code, result, 7);
    code.push_back(halt);
    constexpr std::uint32_t instruction_ram = 0xFFC0'0000;
    for (const RiscvCore core : {RiscvCore::nc, RiscvCore::b}) {
        core_ = Core(GetParam(), Reset::vendor_sim);
        kernels_.images = {};
        kernel(core, code, instruction_ram);
        const auto loaded = core_.load(kernels_);
        ASSERT_EQ(loaded.has_value(), GetParam() == Arch::wormhole && core == RiscvCore::nc);
        if (!loaded) {
            EXPECT_EQ(loaded.error().code, "kernels.range");
            continue;
        }
        const tessera::Run done = run();
        ASSERT_FALSE(done.fault) << done.fault->describe();
        EXPECT_EQ(word(result), 7u);
    }
}

// CSRs: cfg0 is 16 << 13 after reset (StMergeTimer). A core that the run starts has come out of reset like any other.
TEST_P(KernelRunOnBlackhole, ACoreThatTheRunStartsHasItsResetValues) {
    std::vector<std::uint32_t> code = {csr(Op::csrrs, a2, 0x7C0, zero)};
    keep(code, a2, result);
    code.push_back(halt);
    kernel(RiscvCore::t1, code, 0xA000);
    const tessera::Run done = run();
    ASSERT_FALSE(done.fault) << done.fault->describe();
    EXPECT_EQ(word(result), 16u << 13);
}

// RISCV_PC_SNAPSHOT of B. Its turns begin anywhere.
TEST_P(KernelRunOnBlackhole, ACoreThatReadsItsOwnPcSeesItsLoad) {
    std::vector<std::uint32_t> code, loads;
    for (std::uint32_t i = 0; i < 8; ++i) {
        spend(code, 1 + 20 * i);
        peek(code, a2, 0xFFB1'3138);
        loads.push_back(0x100 + 4 * static_cast<std::uint32_t>(code.size() - 1));
        keep(code, a2, result + 4 * i);
    }
    code.push_back(halt);
    kernel(RiscvCore::b, code, 0x100);
    const tessera::Run done = run();
    ASSERT_FALSE(done.fault) << done.fault->describe();
    for (std::uint32_t i = 0; i < 8; ++i) EXPECT_EQ(word(result + 4 * i), loads[i]) << i;
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
INSTANTIATE_TEST_SUITE_P(Blackhole, KernelRunOnBlackhole, testing::Values(Arch::blackhole),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera::test
