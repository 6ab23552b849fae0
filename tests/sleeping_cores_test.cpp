// SPDX-License-Identifier: Apache-2.0
// A core that polls a device sleeps while nothing changes: unless somebody watches, its rounds are only counted.
#include <gtest/gtest.h>

#include <string>

#include "support/random_kernels.hpp"

namespace {

using namespace tessera;
namespace rv = tessera::test::rv;

constexpr std::uint32_t semaphore = 0xFFE8'0020, config = 0xFFEF'0000, fifo_of_t1 = 0xFFE5'0000,
                        wall_clock = 0xFFB1'21F0;
constexpr std::uint32_t polling_code = 0x6000, kept = 0x3'0000;

class SleepingCores : public test::RandomKernels {
protected:
    /// T0 polls the semaphore, and then keeps the time. `branch_`: the address of the loop's branch.
    void t0_polls(std::uint32_t address) {
        Code code;
        put(code, rv::a0, address);
        const std::size_t begin = code.size();
        code.push_back(rv::i(rv::Op::lw, rv::a4, rv::a0, 0));
        for (int i = 0; i < 2; ++i) code.push_back(rv::i(rv::Op::andi, rv::a4, rv::a4, 15));
        branch_ = polling_code + 4 * static_cast<std::uint32_t>(code.size());
        code.push_back(
            rv::branch(rv::Op::beq, rv::a4, rv::zero, 4 * (static_cast<int>(begin) - static_cast<int>(code.size()))));
        keep(code, rv::a4, kept);
        peek(code, rv::a4, wall_clock);
        keep(code, rv::a4, kept + 4);
        code.push_back(rv::halt);
        kernel(RiscvCore::t0, code, polling_code);
    }
    /// Accesses to L1, between which T0 falls asleep.
    void let_sleep(Code& code) {
        for (std::uint32_t i = 0; i < 3; ++i) {
            spend(code, 40);
            poke(code, 0x3'2000, i);
        }
    }
    void post(Code& code) { poke(code, fifo_of_t1, instruction("SEMPOST sem_sel=1\n")); }
    void b_and_t1(Code code, unsigned then) {
        spend(code, then);
        post(code);
        spend(code, 300);
        code.push_back(rv::halt);
        kernel(RiscvCore::b, code, 0x8000);
        kernel(RiscvCore::t1, {rv::halt}, 0xA000);
    }

    std::uint32_t branch_ = 0;
};

TEST_P(SleepingCores, SeeThatTheHostOverwritesTheirLoop) {
    begin_case(0);
    t0_polls(semaphore);
    HostStep step;
    step.at = 600;
    step.what = HostStep::What::write;
    step.address = branch_;
    const std::uint32_t nop = rv::i(rv::Op::addi, rv::zero, rv::zero, 0);
    for (unsigned i = 0; i < 4; ++i) step.bytes.push_back(static_cast<std::byte>(nop >> 8 * i));
    kernels_.host.push_back(step);
    Code code;
    let_sleep(code);
    b_and_t1(code, 3000);
    ASSERT_NO_FATAL_FAILURE(expect_nobody_sees_it({}));
}

// A store to STATE_RESET_EN (word 4) sets DISABLE_RISC_BP (word 2) to 0: from then on a round takes less time.
TEST_P(SleepingCores, SeeThatTheirPredictorIsSwitchedOn) {
    constexpr std::uint32_t predictors_off = 0x1F << 20;
    for (unsigned then = 100; then < 130; ++then) {
        begin_case(then);
        t0_polls(semaphore);
        Code code;
        poke(code, config + 4 * 2, predictors_off | 1u << 23);
        let_sleep(code);
        spend(code, 200);
        poke(code, config + 4 * 4, 1);
        b_and_t1(code, then);
        ASSERT_NO_FATAL_FAILURE(expect_nobody_sees_it({}));
    }
}

// Without its predictor, each round sends the prefetcher the wrong way; the line behind the loop comes the later for it.
TEST_P(SleepingCores, LeaveTheirLoopAsIfAllRoundsWereExecuted) {
    constexpr std::uint32_t predictors_off = 0x1F << 22;
    for (std::uint32_t rounds = 60; rounds < 100; ++rounds) {
        begin_case(rounds);
        Code polls;
        put(polls, rv::a0, semaphore);
        while (polls.size() % 4) polls.push_back(rv::i(rv::Op::addi, rv::zero, rv::zero, 0));
        polls.push_back(rv::i(rv::Op::lw, rv::a4, rv::a0, 0));
        polls.push_back(rv::branch(rv::Op::beq, rv::a4, rv::zero, -4));
        for (int n = 0; n < 4; ++n) polls.push_back(rv::i(rv::Op::addi, rv::zero, rv::zero, 0));
        peek(polls, rv::a4, wall_clock);
        keep(polls, rv::a4, kept);
        polls.push_back(rv::halt);
        kernel(RiscvCore::t0, polls, polling_code);
        Code code;
        poke(code, config + 4 * 2, predictors_off);
        spend(code, rounds);
        if (below(2)) poke(code, config + 4 * 9, 1);
        b_and_t1(code, 10);
        std::vector<Execution::Snapshot> none;
        run_with_snapshots(1 + rounds % 7, none);
        const std::uint32_t in_steps = word(kept);
        core_ = Core(GetParam(), Reset::vendor_sim);
        run();
        EXPECT_EQ(word(kept), in_steps) << rounds;
    }
}

TEST_P(SleepingCores, CountEachMisalignedLoad) {
    begin_case(0);
    t0_polls(semaphore + 1);
    Code code;
    let_sleep(code);
    b_and_t1(code, 500);
    ASSERT_NO_FATAL_FAILURE(expect_nobody_sees_it({}));
}

INSTANTIATE_TEST_SUITE_P(Archs, SleepingCores, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
