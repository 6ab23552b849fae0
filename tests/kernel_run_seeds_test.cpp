// SPDX-License-Identifier: Apache-2.0
// Runs of kernels under seeds: the same seed gives the same run, and seeds change only what nothing orders.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "support/kernel_run.hpp"
#include "tessera/execution.hpp"

namespace tessera::test {
namespace {

using namespace rv;

// The same seed gives the same run; without one, too.
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

INSTANTIATE_TEST_SUITE_P(Archs, Increments, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera::test
