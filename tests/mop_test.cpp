// SPDX-License-Identifier: Apache-2.0
// MOP and MOP_CFG (MOPExpander, Functional model, Configuration and Performance).
#include <gtest/gtest.h>

#include <random>

#include "support/expansion_model.hpp"
#include "support/expansion_run.hpp"
#include "tessera/assembly.hpp"

namespace tessera {
namespace {

using namespace test;
using Words = std::vector<std::uint32_t>;

class Mop : public testing::TestWithParam<Arch> {
protected:
    Expanded run(std::vector<Op> ops, const RunOptions& options = {}) {
        return run_ops(GetParam(), std::move(ops), options);
    }
};

// Registers 2 to 8, and before them the counts.
std::vector<Op> registers(std::uint32_t outer, std::uint32_t inner, const std::vector<std::uint32_t>& words) {
    std::vector<Op> ops{mop_register(0, outer), mop_register(1, inner)};
    for (unsigned i = 0; i < words.size(); ++i) ops.push_back(mop_register(2 + i, words[i]));
    return ops;
}

std::vector<Op> operator+(std::vector<Op> a, const std::vector<Op>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

TEST_P(Mop, BothTemplatesAsThePageSays) {
    std::mt19937 random(7);
    const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
    std::size_t most = 0;
    for (int round = 0; round < 400; ++round) {
        std::vector<Op> ops;
        for (int mops = 0; mops < 3; ++mops) {
            // Enormous expansions are rare: of both counts at most one is large.
            const unsigned large = below(8);
            for (const unsigned i : {0u, 1u})
                ops.push_back(mop_register(i, large == i ? static_cast<std::uint32_t>(random()) : below(5)));
            for (unsigned i = 2; i < 9; ++i)
                ops.push_back(mop_register(i, below(3) ? mark(below(0x10000)) : nop | below(0x1000000)));
            for (int i = 0; i < 3; ++i) {
                if (below(2)) ops.push_back(ins(mop_cfg(below(0x10000))));
                ops.push_back(ins(below(2) ? mop1 : mop0(below(128), below(0x10000))));
                if (below(2)) ops.push_back(ins(mark(below(0x10000))));
            }
            ops.push_back(drain());
        }
        const Expanded result = run(ops, {.timing = round % 2 ? Timing::instant : Timing::documented});
        ASSERT_FALSE(result.run.fault) << result.run.fault->describe();
        const Words expected = expand(GetParam(), ops);
        ASSERT_EQ(result.words(), expected) << "round " << round;
        EXPECT_FALSE(result.finding("hazard.mop-overtaken"));
        most = std::max(most, expected.size());
    }
    EXPECT_GT(most, 5000u);
}

TEST_P(Mop, OneOuterLoopOfNothingButEndsRuns129Times) {
    const auto ops = registers(1, 0, {nop, mark(1), mark(2), nop, nop, nop, nop}) + std::vector{ins(mop1)};
    const Expanded result = run(ops);
    ASSERT_EQ(result.events.size(), 258u);
    EXPECT_EQ(result.words()[256], mark(1));
    EXPECT_EQ(result.words()[257], mark(2));
    EXPECT_TRUE(result.finding("frontend.mop-outer-erratum"));
    // Not with a StartOp, an inner loop, or two outer loops.
    for (const auto& other : {registers(1, 0, {mark(3), mark(1), mark(2), nop, nop, nop, nop}),
                              registers(1, 1, {nop, mark(1), mark(2), nop, nop, mark(3), nop}),
                              registers(2, 0, {nop, mark(1), mark(2), nop, nop, nop, nop})}) {
        const Expanded plain = run(other + std::vector{ins(mop1)});
        EXPECT_LE(plain.events.size(), 4u);
        EXPECT_FALSE(plain.finding("frontend.mop-outer-erratum"));
    }
}

TEST_P(Mop, TheHighHalfOfTheMaskStaysAndTheMaskEndsAfter32Bits) {
    const auto ops = registers(0, 0, {nop, mark(1), nop, nop, nop, mark(2), nop}) +
                     std::vector{ins(mop_cfg(0x8000)), ins(mop0(33)), ins(mop0(31))};
    const Words words = run(ops).words();
    ASSERT_EQ(words.size(), 34u + 32u);
    for (std::size_t i = 0; i < words.size(); ++i)
        EXPECT_EQ(words[i], i == 31 || i == 34 + 31 ? mark(2) : mark(1)) << i;
}

TEST_P(Mop, EventsAndFindingsNameTheOpAndThePlaceInTheExpansion) {
    const auto ops = registers(1, 2, {nop, nop, nop, mark(1), nop, mark(2), nop}) +
                     std::vector{ins(mark(9)), ins(mop1), ins(mark(8))};
    const Expanded result = run(ops);
    ASSERT_EQ(result.words(), (Words{mark(9), mark(1), mark(2), mark(8)}));
    const std::int64_t indices[] = {9, 10, 10, 11}, positions[] = {-1, 0, 1, -1};
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(result.events[i].index, indices[i]);
        EXPECT_EQ(result.events[i].position, positions[i]);
    }
    const Expanded fault =
        run(registers(1, 2, {nop, nop, nop, mark(1), nop, 0xFF000000, nop}) + std::vector{ins(mop1)});
    ASSERT_TRUE(fault.run.fault);
    EXPECT_EQ(fault.run.fault->code, "unknown-opcode");
    EXPECT_EQ(fault.run.fault->where.index, 9);
    EXPECT_EQ(fault.run.fault->where.position, 1);
}

TEST_P(Mop, RewrittenBeforeItIsKnownToBeExpandedIsAFinding) {
    const auto begin = registers(1, 3, {nop, nop, nop, mark(1), nop, mark(1), nop}) + std::vector{ins(mop1)};
    const Expanded pending = run(begin + std::vector{mop_register(5, mark(2)), ins(mop1)});
    const Finding* finding = pending.finding("hazard.mop-overtaken");
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->where.index, 9);
    EXPECT_EQ(finding->where.instruction.substr(0, 3), "MOP");
    ASSERT_EQ(finding->values.size(), 2u);
    EXPECT_EQ(finding->values[0].value, 5u);
    EXPECT_EQ(finding->values[1].value, 10u);
    EXPECT_FALSE(finding->cure.empty());
    // However late the store is, nothing says that the MOP has been expanded.
    std::vector<Op> late = begin;
    for (int i = 0; i < 100; ++i) late.push_back(ins(mark(7)));
    EXPECT_TRUE(run(late + std::vector{mop_register(5, mark(2))}).finding("hazard.mop-overtaken"));
    // The same value again changes nothing.
    EXPECT_FALSE(run(begin + std::vector{mop_register(5, mark(1))}).finding("hazard.mop-overtaken"));

    const Expanded drained = run(begin + std::vector{drain(), mop_register(5, mark(2)), ins(mop1)});
    EXPECT_FALSE(drained.finding("hazard.mop-overtaken"));
    EXPECT_EQ(drained.words(), (Words{mark(1), mark(1), mark(1), mark(2), mark(2), mark(1)}));
}

TEST_P(Mop, ASemaphorePostedByItsLastInstructionTellsTheCore) {
    constexpr std::uint32_t init = 0xA3F00008, post = 0xA4000008;  // semaphore 1: maximum 15, value 0
    const std::vector<Op> wait{{Op::Kind::sem_wait, 1, Op::until_nonzero, 0}};
    const auto mop = [&](std::uint32_t last) {
        return registers(1, 3, {nop, nop, nop, mark(1), nop, last, nop}) + std::vector{ins(init), ins(mop1)};
    };
    const Expanded ordered = run(mop(post) + wait + std::vector{mop_register(5, mark(2))});
    ASSERT_FALSE(ordered.run.fault) << ordered.run.fault->describe();
    EXPECT_FALSE(ordered.finding("hazard.mop-overtaken"));
    // A post before the MOP says nothing about it.
    auto before = registers(1, 3, {nop, nop, nop, mark(1), nop, mark(1), nop}) +
                  std::vector{ins(init), ins(post), ins(mop1)} + wait + std::vector{mop_register(5, mark(2))};
    EXPECT_TRUE(run(before).finding("hazard.mop-overtaken"));
}

TEST_P(Mop, InstantTimingExpandsWithTheRegistersOfThePush) {
    auto ops = registers(1, 3, {nop, nop, nop, mark(1), nop, mark(1), nop});
    for (std::uint32_t i = 2; i < 6; ++i) ops = ops + std::vector{ins(mop1), mop_register(5, mark(i))};
    const Expanded result = run(ops, {.timing = Timing::instant});
    EXPECT_EQ(result.words(), expand(GetParam(), ops));
    EXPECT_TRUE(result.run.findings.empty());
}

TEST_P(Mop, AWaitInsideHoldsTheRestOfTheExpansion) {
    constexpr std::uint32_t init = 0xA3F00008;
    constexpr std::uint32_t semwait = 0xA6000000 | 0x1FF << 15 | 2 << 2 | 1;  // all wait until semaphore 1 is not 0
    auto ops = std::vector{ins(init)} + registers(2, 2, {nop, nop, nop, semwait, nop, mark(1), mark(2)}) +
               std::vector{ins(mop1)};
    for (int i = 0; i < 200; ++i) ops.push_back(mop_register(0, 2));
    const std::vector<Op> post{{Op::Kind::sem_post, 1, 0, 0}};
    const Expanded result = run(ops + post);
    ASSERT_FALSE(result.run.fault) << result.run.fault->describe() << result.run.describe_blocked();
    ASSERT_EQ(result.words(), (Words{init, semwait, mark(2), semwait, mark(1)}));
    EXPECT_GT(result.events[2].issue, result.events[1].issue + 150);

    const Expanded stuck = run(ops);
    ASSERT_TRUE(stuck.run.fault);
    EXPECT_EQ(stuck.run.fault->code, "deadlock");
    ASSERT_EQ(stuck.run.blocked.size(), 6u);
    EXPECT_FALSE(stuck.run.blocked[4].finished);
    EXPECT_NE(stuck.run.blocked[4].instruction.find("(instruction 1 of an expansion)"), std::string::npos)
        << stuck.run.blocked[4].instruction;
    EXPECT_NE(stuck.run.blocked[4].waits_for.find("semaphore 1 is 0"), std::string::npos);
    EXPECT_EQ(stuck.read("mop_expansion", 8 + 0), 2u);  // thread 1: template 1 is active,
    EXPECT_EQ(stuck.read("mop_expansion", 8 + 4), 1u);  // at the second instruction of the inner loop
}

TEST_P(Mop, OneInstructionPerCycleAndOneCycleAfterAMop) {
    const auto begin = registers(1, 3, {nop, nop, nop, mark(1), nop, mark(2), nop});
    const Expanded result = run(begin + std::vector{ins(mop1), ins(mop1), ins(mark(3)), ins(mark(4))});
    ASSERT_EQ(result.events.size(), 8u);
    const std::uint64_t first = result.events[0].issue, cycles[] = {0, 1, 2, 3, 4, 5, 7, 8};
    for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(result.events[i].issue, first + cycles[i]) << i;
    // A REPLAY of at least two instructions in the expansion hides that cycle.
    std::vector<Op> hidden{ins(record(0, 2)), ins(mark(5)), ins(mark(6))};
    hidden = hidden + registers(1, 2, {nop, nop, nop, replay(0, 2), nop, mark(2), nop});
    const Expanded smooth = run(hidden + std::vector{ins(mop1), ins(mark(3))});
    ASSERT_EQ(smooth.words(), (Words{mark(5), mark(6), mark(2), mark(3)}));
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(smooth.events[i].issue, smooth.events[0].issue + i) << i;
}

// The vendor's test of tensix_sync() on Blackhole cards counts in this way.
TEST_P(Mop, AThousandTimesAThousand) {
    const bool blackhole = GetParam() == Arch::blackhole;
    Program program;
    program.arch = GetParam();
    program.threads[1] = registers(1000, 1000, std::vector<std::uint32_t>(7, nop));
    const std::uint32_t increment =
        assemble("ADDDMAREG OpBisConst=1 ResultRegIndex=62 OpBRegIndex=1 OpARegIndex=62\n", GetParam(), "math", 1)
            .value()
            .threads[1]
            .at(0)
            .value;
    for (const unsigned i : {5u, 7u, 8u}) program.threads[1].at(i) = mop_register(i, increment);
    program.threads[1].push_back(ins(mop1));
    Expanded result{{}, {}, Core(GetParam(), Reset::vendor_sim)};
    result.run = result.core.run(program, {.timing = Timing::functional}).value();
    ASSERT_FALSE(result.run.fault) << result.run.fault->describe();
    const unsigned counted = blackhole ? 1000 * 1000 : (1000 & 127) * (1000 & 127);
    EXPECT_EQ(result.run.instructions[1], counted);
    EXPECT_EQ(result.read("gpr", 64 + 62), counted);
}

TEST_P(Mop, EnormousExpansionsEndAtTheLimitAndWhenStopped) {
    auto ops = registers(127, 127, {mark(1), mark(2), mark(3), mark(4), mark(5), mark(6), mark(7)});
    for (int i = 0; i < 1000; ++i) ops.push_back(ins(mop1));
    const Expanded limited = run(ops, {.max_cycles = 40000});
    ASSERT_TRUE(limited.run.fault);
    EXPECT_EQ(limited.run.fault->code, "no-progress");
    EXPECT_LE(limited.run.cycles, 40000u);
    EXPECT_GT(limited.run.instructions[1], 39900u);  // 32639 of the first MOP, the rest of the second
    EXPECT_EQ(limited.read("mop_expansion", 8 + 0), 2u);
    EXPECT_EQ(limited.read("mop_expansion", 8 + 1), 127u);
    EXPECT_EQ(limited.read("mop_expansion", 8 + 2), 254u);
    EXPECT_EQ(limited.read("fifo_count", 1), GetParam() == Arch::blackhole ? 32u : 26u);
    EXPECT_EQ(limited.read("fifo", 42), mop1);

    const std::atomic<bool> stop{true};
    const Expanded stopped = run(ops, {.stop = &stop});
    ASSERT_TRUE(stopped.run.fault);
    EXPECT_EQ(stopped.run.fault->code, "interrupted");
    // The next run begins with an empty front end.
    Expanded again = run(ops, {.max_cycles = 1000});
    Program next;
    next.arch = GetParam();
    next.threads[1] = {ins(mark(1)), ins(mark(2))};
    const auto after = again.core.run(next);
    ASSERT_TRUE(after);
    EXPECT_FALSE(after->fault);
    EXPECT_EQ(after->instructions[1], 2u);
}

TEST_P(Mop, AMopInTheRegistersOfAMopIsAFault) {
    for (const std::uint32_t inner : {mop1, mop_cfg(1)}) {
        const Expanded result = run(registers(1, 1, {nop, nop, nop, nop, nop, inner, nop}) + std::vector{ins(mop1)});
        ASSERT_TRUE(result.run.fault);
        EXPECT_EQ(result.run.fault->code, "frontend.nested");
        EXPECT_EQ(result.run.fault->where.index, 9);
        EXPECT_EQ(result.run.fault->where.position, 0);
    }
}

TEST_P(Mop, CountsThatDoNotCountAreTold) {
    const auto loop = [](std::uint32_t outer) {
        return registers(outer, 1, {nop, nop, nop, nop, nop, mark(1), mark(2)});
    };
    const bool blackhole = GetParam() == Arch::blackhole;
    const Expanded wide = run(loop((blackhole ? 1024 : 128) + 2) + std::vector{ins(mop1)});
    EXPECT_EQ(wide.words(), (Words{mark(2), mark(1)}));
    ASSERT_TRUE(wide.finding("frontend.mop-count"));
    EXPECT_EQ(wide.finding("frontend.mop-count")->message,
              blackhole ? "MOP register 0 holds count 1026; the hardware uses its low 10 bits: 2"
                        : "MOP register 0 holds count 130; the hardware uses its low 7 bits: 2");
    EXPECT_TRUE(run(loop(blackhole ? 1023 : 127) + std::vector{ins(mop1)}).run.findings.empty());
    const Expanded in_word = run(loop(2) + std::vector{ins(mop1 | 5 << 10 | 3)});
    EXPECT_EQ(in_word.words(), (Words{mark(2), mark(1)}));
    EXPECT_TRUE(in_word.finding("frontend.mop-word-counts"));
    EXPECT_TRUE(run(loop(2) + std::vector{ins(mop1)}).run.findings.empty());
}

INSTANTIATE_TEST_SUITE_P(Archs, Mop, testing::ValuesIn(all_archs),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera
