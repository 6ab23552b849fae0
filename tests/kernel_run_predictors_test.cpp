// SPDX-License-Identifier: Apache-2.0
// Branch predictors of kernels' cores, and the bits of configuration that switch them off.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "support/kernel_run.hpp"
#include "tessera/execution.hpp"

namespace tessera::test {
namespace {

using namespace rv;

/// Loops under documented timing. BackendConfiguration: Config[0].DISABLE_RISC_BP, bits 22 (B), 23 to 25 (T0 to T2), 26 (NC) of word 2.
class Predictors : public KernelRun {
protected:
    static constexpr std::uint32_t word_2 = 0xFFEF'0000 + 4 * 2, b_off = 1 << 22, t0_off = 1 << 23, nc_off = 1 << 26;
    static constexpr std::uint32_t rounds = 1000;

    /// All branches of spend() but the last are taken, and `halt` jumps. With a predictor the last branch is mispredicted; without it the
    /// other branches and the jump are.
    std::uint64_t lost() const { return (rounds - 1) * (GetParam() == Arch::blackhole ? 4 : 2); }
    std::uint64_t cycles(std::function<void(const Write&)> on_write = {}) {
        core_ = Core(GetParam(), Reset::vendor_sim);
        RunOptions options{.timing = Timing::documented};
        options.on_write = std::move(on_write);
        const tessera::Run done = run(options);
        EXPECT_FALSE(done.fault) << done.fault->describe();
        return done.cycles;
    }
    /// Of a run in which B stores this word, and loops at once.
    std::uint64_t b_stores(std::uint32_t address, std::uint32_t value) {
        std::vector<std::uint32_t> code;
        poke(code, address, value);
        spend(code, rounds);
        keep(code, t0, result);
        code.push_back(halt);
        kernel(RiscvCore::b, code, 0x100);
        return cycles();
    }
};

TEST_P(Predictors, AreSwitchedOffByTheirBitOfBankZero) {
    const std::uint64_t with = b_stores(word_2, 0);
    EXPECT_EQ(b_stores(word_2, b_off), with + lost());
    EXPECT_EQ(b_stores(word_2, t0_off), with);
    const std::uint32_t bank = 4 * (GetParam() == Arch::blackhole ? 224 : 188);
    EXPECT_EQ(b_stores(word_2 + bank, b_off), with) << "bank 1";
    if (GetParam() == Arch::blackhole) {
        EXPECT_EQ(b_stores(word_2 + 2 * bank, b_off), with + lost()) << "both banks";
    }
}

// T0 may be a few rounds further when B's store is done.
TEST_P(Predictors, OfOtherCoresAreSwitchedOff) {
    const auto time = [&](std::uint32_t value) {
        std::vector<std::uint32_t> b, thread;
        poke(b, word_2, value);
        peek(b, a0, word_2);
        b.push_back(i(Op::andi, a0, a0, 0));
        poke(b, result, 1);
        b.push_back(halt);
        await(thread, result);
        spend(thread, rounds);
        keep(thread, t0, result + 16);
        thread.push_back(halt);
        kernel(RiscvCore::b, b, 0x100);
        kernel(RiscvCore::t0, thread, 0x6000);
        return static_cast<double>(cycles());
    };
    EXPECT_NEAR(time(t0_off), time(b_off) + static_cast<double>(lost()), 40);
}

// B's store comes before T0's, or behind it in the same turn of T0: the word says which.
TEST_P(Predictors, FollowTheLastOfTwoStoresThatMeet) {
    constexpr std::uint32_t nop = 0x13;
    const auto time = [&](std::uint32_t own, std::uint32_t others, unsigned before) {
        std::vector<std::uint32_t> b, thread;
        b.insert(b.end(), before, nop);
        poke(b, word_2, others);
        b.push_back(halt);
        thread.insert(thread.end(), 30, nop);
        poke(thread, word_2, own);
        spend(thread, 20 * rounds);
        thread.push_back(halt);
        kernel(RiscvCore::b, b, 0x100);
        kernel(RiscvCore::t0, thread, 0x6000);
        return static_cast<double>(cycles());
    };
    const double on = time(nc_off, 0, 0), off = time(t0_off, t0_off, 0);
    EXPECT_GT(off, on + 19 * static_cast<double>(lost()));
    unsigned were_off = 0;
    for (unsigned before = 0; before < 40; ++before) {
        SCOPED_TRACE(before);
        const double all = time(t0_off, 0, before);
        const bool is_off = core_.read(*core_.find_section("config").value(), 2) & t0_off;
        // At its next turn T0 is 2,048 rounds further, at most.
        EXPECT_NEAR(all, is_off ? off : on, is_off ? 0 : 3 * static_cast<double>(lost()));
        were_off += is_off;
    }
    EXPECT_GT(were_off, 0u);
    EXPECT_LT(were_off, 40u);
}

// It sleeps while it polls, unless writes are observed. T1 stores the word in the middle, and posts the semaphore long after.
TEST_P(Predictors, OfACoreThatPollsAreSwitchedOff) {
    constexpr std::uint32_t semaphore = 0xFFE8'0020 + 4 * 2;
    const auto instructions_of_t0 = [&](std::uint32_t value, std::function<void(const Write&)> on_write = {}) {
        std::vector<std::uint32_t> polls, posts;
        put(polls, a2, semaphore);
        polls.push_back(i(Op::lw, a1, a2, 0));
        polls.push_back(branch(Op::beq, a1, zero, -4));
        polls.push_back(halt);
        spend(posts, 5000);
        poke(posts, word_2, value);
        spend(posts, 20000);
        poke(posts, semaphore, 0);
        posts.push_back(halt);
        kernel(RiscvCore::t0, polls, 0x6000);
        kernel(RiscvCore::t1, posts, 0x9000);
        const std::uint64_t all = cycles(std::move(on_write));
        constexpr unsigned retired_of_t0 = 4 + 2;
        return std::pair(all, core_.read(*core_.find_section("riscv_count").value(), retired_of_t0));
    };
    const auto slow = instructions_of_t0(t0_off), fast = instructions_of_t0(b_off);
    EXPECT_EQ(slow, instructions_of_t0(t0_off, [](const Write&) {}));
    EXPECT_EQ(fast, instructions_of_t0(b_off, [](const Write&) {}));
    // In 10,000 of 50,000 cycles as fast as ever.
    EXPECT_LT(slow.second, fast.second);
    EXPECT_GT(slow.second, fast.second / 5);
}

TEST_P(Predictors, AreSwitchedOffByInstructions) {
    const auto time = [&](std::uint32_t value) {
        std::vector<std::uint32_t> code;
        poke(code, 0xFFE0'0000 + 4 * 4, value);
        peek(code, a0, 0xFFE0'0000 + 4 * 4);
        code.push_back(i(Op::andi, a0, a0, 0));
        code.push_back(ttinsn(instruction("WRCFG GprAddress=4 CfgReg=2")));
        peek(code, a1, 0xFFE8'0004);  // until it is done
        code.push_back(i(Op::andi, a1, a1, 0));
        spend(code, rounds);
        keep(code, t0, result);
        code.push_back(halt);
        kernel(RiscvCore::t0, code, 0x6000);
        return cycles();
    };
    EXPECT_EQ(time(t0_off), time(b_off) + lost());
}

TEST_P(Predictors, AreInSnapshots) {
    std::vector<std::uint32_t> code;
    for (const std::uint32_t value : {0u, b_off, 0u}) {
        poke(code, word_2, value);
        spend(code, rounds);
        keep(code, t0, result);
    }
    code.push_back(halt);
    kernel(RiscvCore::b, code, 0x100);
    const std::uint64_t whole = cycles();
    std::vector<Execution::Snapshot> snapshots;
    EXPECT_EQ(run_with_snapshots(500, snapshots, {.timing = Timing::documented}).run().cycles, whole);
    for (const Execution::Snapshot& each : snapshots) {
        Core other(GetParam());
        auto again = Execution::begin(other, each);
        ASSERT_TRUE(again);
        again->finish();
        EXPECT_EQ(again->run().cycles, whole);
        for (const Execution::Snapshot& back : {snapshots[1], each}) {
            ASSERT_TRUE(again->restore(back));
            again->finish();
            EXPECT_EQ(again->run().cycles, whole);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Archs, Predictors, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera::test
