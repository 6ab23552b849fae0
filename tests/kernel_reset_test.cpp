// SPDX-License-Identifier: Apache-2.0
// Kernels whose cores go into reset, and out of it.
#include <gtest/gtest.h>

#include <span>

#include "support/kernel_run.hpp"

namespace tessera::test {
namespace {

using namespace rv;

class KernelReset : public KernelRun {
protected:
    static constexpr std::uint32_t soft_reset = 0xFFB1'21B0;
    /// Puts T0 into reset, when its work has come to the coprocessor. Uses a1, a3, and leaves the register's earlier value in a0.
    static void reset_t0(std::vector<std::uint32_t>& code) {
        spend(code, 300);
        peek(code, a0, soft_reset);
        put(code, a1, 1u << 12);
        code.push_back(r(Op::or_, a3, a0, a1));
        keep(code, a3, soft_reset);
    }
};

// SoftReset: T0 lets T1 go, which begins at its entry with registers of 0; RISC-V B and NC stay where they are.
TEST_P(KernelReset, ACoreInResetIsStartedByAnother) {
    std::vector<std::uint32_t> starter, started;
    peek(starter, a0, soft_reset);
    keep(starter, a0, result);
    put(starter, a1, ~(1u << 13));
    starter.push_back(r(Op::and_, a0, a0, a1));
    keep(starter, a0, soft_reset);
    starter.push_back(halt);
    poke(started, result + 4, 0x1234);
    started.push_back(halt);
    kernel(RiscvCore::t0, starter, 0x5000);
    kernel(RiscvCore::t1, started, 0xB100);
    kernels_.in_reset[static_cast<std::size_t>(RiscvCore::t1)] = true;
    const tessera::Run done = run();
    ASSERT_FALSE(done.fault) << done.fault->describe();
    EXPECT_EQ(word(result) >> 11 & 0x8F, 0x8Du) << "B, T1, T2 and NC are in reset, T0 is not";
    EXPECT_EQ(word(result + 4), 0x1234u);
}

// Loaded again, it waits in reset again.
TEST_P(KernelReset, ACoreInResetIsStartedInEachRun) {
    std::vector<std::uint32_t> starter, started;
    await(starter, result + 8);
    peek(starter, a0, soft_reset);
    put(starter, a1, ~(1u << 12));
    starter.push_back(r(Op::and_, a0, a0, a1));
    keep(starter, a0, soft_reset);
    starter.push_back(halt);
    poke(started, result, 1);
    started.push_back(halt);
    kernel(RiscvCore::b, starter, 0x5000);
    kernel(RiscvCore::t0, started, 0xB100);
    kernels_.in_reset[static_cast<std::size_t>(RiscvCore::t0)] = true;
    kernels_.done = {{result, 1}};
    const std::uint32_t one = 1, zero = 0;
    ASSERT_TRUE(core_.write_l1(result + 8, std::as_bytes(std::span(&one, 1))));
    for (int i = 0; i < 2; ++i) {
        ASSERT_TRUE(core_.write_l1(result, std::as_bytes(std::span(&zero, 1))));
        RunOptions options;
        options.max_cycles = 20'000;
        const tessera::Run done = run(options);
        EXPECT_FALSE(done.fault) << i << ": " << done.fault->describe();
    }
}

// SoftReset: no instruction starts in a core that has put itself into reset.
TEST_P(KernelReset, ACoreThatResetsItselfGoesNoFurther) {
    std::vector<std::uint32_t> code;
    peek(code, a0, soft_reset);
    put(code, a1, 1u << 11);
    code.push_back(r(Op::or_, a0, a0, a1));
    put(code, a2, soft_reset);
    put(code, a3, result);
    code.push_back(store(Op::sw, a0, 0, a2));
    code.push_back(store(Op::sw, a1, 0, a3));
    code.push_back(halt);
    kernel(RiscvCore::b, code, 0);
    for (const Timing timing : {Timing::documented, Timing::silicon, Timing::functional}) {
        RunOptions options;
        options.timing = timing;
        const tessera::Run done = run(options);
        ASSERT_FALSE(done.fault) << done.fault->describe();
        EXPECT_EQ(word(result), 0u);
    }
}

// SoftReset: what lies in front of the MOP expander, and in it, is discarded. T0 hangs at SEMWAIT; of the posts behind
// it none is left when RISC-V B has reset T0 and lets the thread go on.
TEST_P(KernelReset, ResetDropsWhatATCoreHasPushed) {
    std::vector<std::uint32_t> pusher, resetter;
    pusher.push_back(ttinsn(instruction("SEMINIT max_value=15 init_value=0 sem_sel=12")));  // semaphores 2 and 3
    pusher.push_back(ttinsn(instruction("SEMWAIT stall_res=0x1FF sem_sel=4 wait_sem_cond=1")));
    for (unsigned k = 0; k < 9; ++k) pusher.push_back(ttinsn(instruction("SEMPOST sem_sel=8")));
    poke(pusher, 0xFFB8'0000 + 4 * 2, 77);  // a store, which no reset takes back
    poke(pusher, result + 4, 1);
    pusher.push_back(jal(zero, 0));
    await(resetter, result + 4);
    reset_t0(resetter);
    poke(resetter, 0xFFE5'0000, instruction("SEMPOST sem_sel=4"));  // into T1's FIFO
    spend(resetter, 300);
    poke(resetter, result, 1);
    resetter.push_back(halt);
    kernel(RiscvCore::t0, pusher, 0x6000);
    kernel(RiscvCore::b, resetter, 0);
    for (const Timing timing : {Timing::documented, Timing::silicon, Timing::instant, Timing::functional}) {
        core_ = Core(GetParam(), Reset::vendor_sim);
        RunOptions options;
        options.timing = timing;
        const tessera::Run done = run(options);
        ASSERT_FALSE(done.fault) << done.fault->describe() << done.describe_blocked();
        EXPECT_EQ(word(result), 1u);
        EXPECT_EQ(core_.read(**core_.find_section("mop_config"), 2), 77u);
        const auto value = core_.find_section("semaphore_value");
        EXPECT_EQ(core_.read(**value, 2), 1u);
        EXPECT_LE(core_.read(**value, 3), 1u) << "only the instruction at the gate may follow";
    }
}

// What reset has dropped holds nothing up: T0 starts again while its thread still waits at the gate, and stores where
// the dropped instructions would have read (a MOP register) and written (a GPR, which Auto TTSync keeps in order).
TEST_P(KernelReset, NothingIsKeptInOrderWithWhatResetHasDropped) {
    const bool blackhole = GetParam() == Arch::blackhole;
    std::vector<std::uint32_t> first, again, resetter;
    if (blackhole) first.push_back(ttinsn(instruction("SETC16 setc16_reg=56 setc16_value=31")));
    poke(first, 0xFFE8'0004, 0);
    peek(first, a1, 0xFFE8'0004);  // the mode is set
    first.push_back(ttinsn(instruction("SEMINIT max_value=15 init_value=0 sem_sel=4")));
    first.push_back(ttinsn(instruction("SEMWAIT stall_res=0x1FF sem_sel=4 wait_sem_cond=1")));
    first.push_back(ttinsn(instruction("NOP")));
    first.push_back(ttinsn(instruction("ADDDMAREG OpBisConst=1 ResultRegIndex=3 OpBRegIndex=1 OpARegIndex=3")));
    first.push_back(ttinsn(instruction("MOP mop_type=0")));
    poke(first, result + 4, 1);
    first.push_back(jal(zero, 0));
    poke(again, 0xFFB8'0000 + 4 * 2, 5);
    poke(again, 0xFFE0'0000 + 4 * 3, 7);  // GPR 3
    poke(again, result + 8, 1);
    again.push_back(halt);
    std::vector<std::uint32_t> code;
    put(code, a2, result);
    code.push_back(i(Op::lw, a1, a2, 4));
    code.push_back(branch(Op::bne, a1, zero, static_cast<int>(4 * first.size() + 4)));
    code.insert(code.end(), first.begin(), first.end());
    code.insert(code.end(), again.begin(), again.end());

    await(resetter, result + 4);
    reset_t0(resetter);
    keep(resetter, a0, soft_reset);
    await(resetter, result + 8);
    poke(resetter, 0xFFE5'0000, instruction("SEMPOST sem_sel=4"));  // into T1's FIFO
    resetter.push_back(halt);
    kernel(RiscvCore::t0, code, 0x6000);
    kernel(RiscvCore::b, resetter, 0);
    RunOptions options;
    options.max_cycles = 1'000'000;
    const tessera::Run done = run(options);
    ASSERT_FALSE(done.fault) << done.fault->describe() << done.describe_blocked();
    EXPECT_EQ(word(result + 8), 1u);
    for (const Finding& finding : done.findings) EXPECT_NE(finding.code, "hazard.mop-overtaken") << finding.describe();
    EXPECT_EQ(core_.read(**core_.find_section("gpr"), 3), 7u);
}

INSTANTIATE_TEST_SUITE_P(Archs, KernelReset, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& one) { return std::string(name(one.param)); });

}  // namespace
}  // namespace tessera::test
