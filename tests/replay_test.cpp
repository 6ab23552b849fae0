// SPDX-License-Identifier: Apache-2.0
// REPLAY (REPLAY, Functional model and Performance), alone and behind the MOP expander.
#include <gtest/gtest.h>

#include <random>

#include "support/expansion_model.hpp"
#include "support/expansion_run.hpp"

namespace tessera {
namespace {

using namespace test;
using Words = std::vector<std::uint32_t>;

class Replay : public testing::TestWithParam<Arch> {
protected:
    Expanded run(std::vector<Op> ops, const RunOptions& options = {}) {
        return run_ops(GetParam(), std::move(ops), options);
    }
    Expanded run_words(const Words& words, const RunOptions& options = {}) {
        std::vector<Op> ops;
        for (const auto word : words) ops.push_back(ins(word));
        return run(std::move(ops), options);
    }
};

Words marks(std::uint32_t first, std::uint32_t count) {
    Words words;
    for (std::uint32_t i = 0; i < count; ++i) words.push_back(mark(first + i));
    return words;
}

Words operator+(Words a, const Words& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

TEST_P(Replay, RecordsPlaysAndExecutesWhileRecording) {
    const Expanded silent = run_words({record(4, 2), mark(1), mark(2), mark(3), replay(4, 2), replay(5, 1)});
    EXPECT_EQ(silent.words(), (Words{mark(3), mark(1), mark(2), mark(2)}));
    EXPECT_TRUE(silent.run.findings.empty());
    EXPECT_EQ(silent.read("replay", 32 + 5), mark(2));
    EXPECT_EQ(silent.read("replay_recorded", 1), 0x30u);
    const Expanded executed = run_words({record_and_execute(4, 2), mark(1), mark(2), mark(3), replay(4, 2)});
    EXPECT_EQ(executed.words(), (Words{mark(1), mark(2), mark(3), mark(1), mark(2)}));
    EXPECT_EQ(executed.events[0].position, -1);
    EXPECT_EQ(executed.events[3].index, 4);
    EXPECT_EQ(executed.events[4].position, 1);
}

TEST_P(Replay, CountZeroIs32AndSlotsWrap) {
    const Words all = marks(100, 32);
    const Expanded result = run_words(Words{record(30, 0)} + all + Words{replay(30, 0), replay(31, 3)});
    EXPECT_EQ(result.words(), all + marks(101, 3));
    EXPECT_EQ(result.read("replay", 32 + 0), mark(102));
    EXPECT_TRUE(result.run.findings.empty());
}

TEST_P(Replay, MoreThan32IsTold) {
    const Expanded result = run_words(Words{record(0, 40)} + marks(0, 40) + Words{replay(0, 33)});
    EXPECT_EQ(result.words(), marks(32, 8) + marks(8, 24) + marks(32, 1));
    EXPECT_TRUE(result.finding("frontend.replay-count"));
    EXPECT_FALSE(run_words(Words{record(0, 32)} + marks(0, 32)).finding("frontend.replay-count"));
}

TEST_P(Replay, AsThePageSaysInAnyMixture) {
    std::mt19937 random(11);
    const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
    for (int round = 0; round < 300; ++round) {
        std::vector<Op> ops{ins(record(0, 0))};
        for (const auto word : marks(500, 32)) ops.push_back(ins(word));
        ops.push_back(mop_register(0, 1 + below(3)));
        ops.push_back(mop_register(1, 1 + below(4)));
        // A MOP either emits a REPLAY or is recorded, so that no REPLAY is recorded.
        for (unsigned i = 2; i < 9; ++i) ops.push_back(mop_register(i, below(3) ? mark(below(0x10000)) : nop));
        const bool plays = below(2);
        if (plays) ops.push_back(mop_register(5, replay(below(32), 1 + below(32))));
        for (int i = 0; i < 6; ++i) {
            if (!plays || below(2)) {
                const std::uint32_t count = 1 + below(32);
                ops.push_back(ins(below(2) ? record(below(32), count) : record_and_execute(below(32), count)));
                if (!plays) ops.push_back(ins(below(2) ? mop1 : mop0(below(8), below(256))));
                for (std::uint32_t n = 0; n < count; ++n) ops.push_back(ins(mark(below(0x10000))));
            }
            if (plays) ops.push_back(ins(mop1));
            ops.push_back(ins(replay(below(32), 1 + below(32))));
        }
        const Expanded result = run(ops, {.timing = round % 2 ? Timing::instant : Timing::documented,
                                          .seed = round % 3 ? std::nullopt : std::optional<std::uint64_t>(round)});
        ASSERT_FALSE(result.run.fault) << result.run.fault->describe();
        ASSERT_EQ(result.words(), expand(GetParam(), ops)) << "round " << round;
    }
}

TEST_P(Replay, AMopInsideARecordingIsRecordedExpanded) {
    std::vector<Op> ops{mop_register(0, 1), mop_register(1, 3)};
    for (unsigned i : {2u, 3u, 4u, 6u, 8u}) ops.push_back(mop_register(i, nop));
    ops.push_back(mop_register(5, mark(1)));
    ops.push_back(mop_register(7, mark(2)));
    for (const auto word : {record(0, 4), mop1, mark(3), mark(4), replay(0, 4)}) ops.push_back(ins(word));
    const Expanded result = run(ops);
    EXPECT_EQ(result.words(), (Words{mark(4), mark(1), mark(1), mark(2), mark(3)}));
    // A recording that ends inside an expansion lets the rest pass.
    ops[ops.size() - 5] = ins(record(0, 2));
    ops.back() = ins(replay(0, 2));
    EXPECT_EQ(run(ops).words(), (Words{mark(2), mark(3), mark(4), mark(1), mark(1)}));
}

TEST_P(Replay, AMopMayEmitReplays) {
    std::vector<Op> ops{ins(record(0, 3)),
                        ins(mark(1)),
                        ins(mark(2)),
                        ins(mark(3)),
                        mop_register(0, 2),
                        mop_register(1, 2),
                        mop_register(2, nop),
                        mop_register(3, mark(9)),
                        mop_register(4, nop),
                        mop_register(5, replay(0, 3)),
                        mop_register(6, nop),
                        mop_register(7, replay(1, 2)),
                        mop_register(8, mark(8)),
                        ins(mop1)};
    const Expanded result = run(ops);
    EXPECT_EQ(result.words(), (Words{mark(1), mark(2), mark(3), mark(8), mark(9), mark(1), mark(2), mark(3), mark(2),
                                     mark(3), mark(9)}));
    for (std::size_t i = 0; i < result.events.size(); ++i) {
        EXPECT_EQ(result.events[i].index, 13);
        EXPECT_EQ(result.events[i].position, static_cast<std::int64_t>(i));
        EXPECT_EQ(result.events[i].issue, result.events[0].issue + i);
    }
}

TEST_P(Replay, AReplayInARecordingIsAFaultWhenItReachesTheGate) {
    const Expanded recorded = run_words({record(0, 2), mark(1), replay(0, 1), mark(2), replay(0, 2)});
    ASSERT_TRUE(recorded.run.fault);
    EXPECT_EQ(recorded.run.fault->code, "frontend.nested");
    EXPECT_EQ(recorded.run.fault->where.index, 4);
    EXPECT_EQ(recorded.run.fault->where.position, 1);
    EXPECT_EQ(recorded.words(), (Words{mark(2), mark(1)}));
    EXPECT_EQ(recorded.read("replay_expansion", 3 + 2), 1u);  // one instruction was left to play
    const Expanded executed = run_words({record_and_execute(0, 2), mark(1), replay(0, 1)});
    ASSERT_TRUE(executed.run.fault);
    EXPECT_EQ(executed.run.fault->code, "frontend.nested");
    // Recorded and never played, it does no harm.
    EXPECT_FALSE(run_words({record(0, 1), replay(0, 1), mark(1)}).run.fault);
}

TEST_P(Replay, WhatWasNeverRecordedIsTold) {
    const Expanded result = run_words({record(0, 1), mark(1), replay(0, 2)});
    const Finding* finding = result.finding("frontend.replay-unrecorded");
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->values[0].value, 1u);
    EXPECT_EQ(finding->where.index, 2);
    ASSERT_TRUE(result.run.fault);
    EXPECT_EQ(result.run.fault->code, "unknown-opcode");
    const Expanded stopped =
        run_words({record(0, 1), mark(1), replay(0, 2)}, {.levels = {{"frontend.replay-unrecorded", Level::error}}});
    EXPECT_FALSE(stopped.run.fault);
    EXPECT_FALSE(stopped.run.good());
}

TEST_P(Replay, ARecordingLeftOpenIsToldAndGoesOnInTheNextRun) {
    Expanded result = run_words({record(0, 3), mark(1)});
    const Finding* finding = result.finding("frontend.recording-open");
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->values[0].value, 2u);
    EXPECT_EQ(finding->where.index, 0);
    Program next;
    next.arch = GetParam();
    next.threads[1] = {ins(mark(2)), ins(mark(3)), ins(mark(4))};
    const auto run = result.core.run(next);
    ASSERT_TRUE(run);
    EXPECT_EQ(run->instructions[1], 1u);
    EXPECT_TRUE(run->findings.empty());
    EXPECT_EQ(result.read("replay", 32 + 2), mark(3));
}

TEST_P(Replay, RecordingTakesACycleEachAndPlayingOnePerCycle) {
    // Recorded words issue nothing: REPLAY and two words take three cycles between two instructions.
    const Expanded result = run_words({mark(8), record(0, 2), mark(1), mark(2), mark(9), replay(0, 2), mark(7)});
    ASSERT_EQ(result.words(), (Words{mark(8), mark(9), mark(1), mark(2), mark(7)}));
    const std::uint64_t cycles[] = {0, 4, 5, 6, 7};
    for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(result.events[i].issue, result.events[0].issue + cycles[i]) << i;
}

TEST_P(Replay, OtherThreadsHaveTheirOwnBuffer) {
    Program program;
    program.arch = GetParam();
    for (unsigned t = 0; t < 3; ++t) program.threads[t] = {ins(record(0, 1)), ins(mark(10 + t)), ins(replay(0, 1))};
    std::array<std::uint32_t, 3> played{};
    Core core(GetParam(), Reset::vendor_sim);
    const auto run =
        core.run(program, {.on_event = [&](const Event& e) { played[static_cast<unsigned>(e.thread)] = e.word; }});
    ASSERT_TRUE(run);
    for (unsigned t = 0; t < 3; ++t) EXPECT_EQ(played[t], mark(10 + t));
}

INSTANTIATE_TEST_SUITE_P(Archs, Replay, testing::ValuesIn(all_archs),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera
