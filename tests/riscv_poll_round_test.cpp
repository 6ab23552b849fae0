// SPDX-License-Identifier: Apache-2.0
// Rounds of a loop that polls a device are counted where the device is steady; else they are executed. Nothing but the
// number of accesses shows which.

#include <gtest/gtest.h>

#include "support/riscv_machine.hpp"
#include "support/riscv_words.hpp"

namespace {

using namespace tessera;
using namespace tessera::test::rv;
using riscv::Op;
using Why = riscv::Stop::Why;

constexpr std::uint32_t device = 0xFFB4'0020;

struct Poller : test::RiscvMachine {
    Poller(bool steady, const std::vector<std::uint32_t>& loop) : RiscvMachine(Arch::blackhole) {
        for (std::size_t k = 0; k < loop.size(); ++k) put(code + 4 * static_cast<std::uint32_t>(k), {loop[k]});
        state.x[s0] = device;
        state.x[t0] = 7;
        state.x[t2] = 0x8000;
        bus.response = {.value = 7, .latency = 7, .steady = steady};
    }
    /// Turns like those of an engine, each `every` cycles long.
    void turns(unsigned count, riscv::Cycle every) {
        for (; count; --count) {
            limit += every;
            if (next <= limit) next = run(4096, limit, next).time;
        }
    }
    riscv::Cycle limit = 0, next = 0;
};

const std::vector short_loop{i(Op::lw, a0, s0, 0), branch(Op::beq, a0, t0, -4)};
const std::vector long_loop{i(Op::addi, a1, zero, 3), i(Op::lw, a0, s0, 0), r(Op::sub, a2, a0, a1),
                            i(Op::andi, a2, a2, 15), branch(Op::bne, a2, zero, -16)};

void expect_same(const Poller& a, const Poller& b) {
    EXPECT_EQ(a.state.x, b.state.x);
    EXPECT_EQ(a.state.pc, b.state.pc);
    EXPECT_EQ(a.state.cycles, b.state.cycles);
    EXPECT_EQ(a.state.retired, b.state.retired);
    EXPECT_EQ(a.next, b.next);
}

TEST(PollRound, CountedRoundsTakeTheTimeOfExecutedOnes) {
    for (const auto& loop : {short_loop, long_loop})
        for (const riscv::Cycle every : {1u, 3u, 10u, 100u, 10'000u}) {
            Poller counts(true, loop), executes(false, loop);
            for (unsigned turn = 0; turn < 60; ++turn) {
                counts.turns(1, every);
                executes.turns(1, every);
                expect_same(counts, executes);
            }
            // A turn of several rounds ends with one that the bus sees.
            if (every >= 100) {
                EXPECT_EQ(counts.bus.reported.back().at, executes.bus.reported.back().at);
            }
            EXPECT_LT(counts.bus.reported.size(), executes.bus.reported.size());
        }
}

TEST(PollRound, EndsWithAChangeOfDevices) {
    for (const unsigned before : {20u, 21u, 22u, 23u}) {
        Poller counts(true, long_loop), executes(false, long_loop);
        for (Poller* each : {&counts, &executes}) {
            each->turns(before, 3);
            each->bus.response.value = 3;
            ++each->turn.devices;
            each->turns(10, 3);
        }
        expect_same(counts, executes);
        EXPECT_EQ(counts.state.x[a0], 3u);
    }
}

TEST(PollRound, EndsWithAnotherCode) {
    Poller counts(true, short_loop), executes(false, short_loop);
    for (Poller* each : {&counts, &executes}) {
        each->turns(20, 10);
        each->put(each->code + 4, {i(Op::addi, a3, zero, 9), branch(Op::beq, a0, t0, -8)});
        each->turns(20, 10);
    }
    expect_same(counts, executes);
    EXPECT_EQ(counts.state.x[a3], 9u);
}

TEST(PollRound, IsFoundToRepeatItself) {
    Poller counts(true, short_loop), executes(false, short_loop);
    for (unsigned turn = 0; turn < 6000; ++turn) {
        counts.turns(1, 10);
        executes.turns(1, 10);
        ASSERT_EQ(counts.hart.repeats(counts.change), executes.hart.repeats(executes.change)) << turn;
    }
    EXPECT_TRUE(counts.hart.repeats(counts.change));
    const auto polled = counts.hart.polled();
    ASSERT_EQ(polled.all().size(), 1u);
    EXPECT_EQ(polled.all()[0].address, device);
}

TEST(PollRound, PassesWhileTheHartIsNotAsked) {
    for (const auto& loop : {short_loop, long_loop})
        for (const unsigned rounds : {1u, 2u, 77u, 5000u}) {
            Poller sleeps(true, loop), executes(false, loop);
            for (Poller* each : {&sleeps, &executes}) each->turns(20, 30);
            ASSERT_TRUE(sleeps.hart.polls(sleeps.turn.devices));
            const riscv::Cycle period = sleeps.hart.poll_cycles();
            sleeps.hart.pass_polls(rounds);
            sleeps.next += rounds * period;
            sleeps.limit += rounds * period;
            executes.turns(rounds, period);
            expect_same(sleeps, executes);
            for (Poller* each : {&sleeps, &executes}) {
                each->bus.response.value = 3;
                ++each->turn.devices;
                each->turns(5, 30);
            }
            expect_same(sleeps, executes);
        }
}

TEST(PollRound, NoHartPollsOnceDevicesHaveChanged) {
    Poller counts(true, short_loop), executes(false, short_loop);
    for (Poller* each : {&counts, &executes}) each->turns(20, 30);
    EXPECT_TRUE(counts.hart.polls(counts.turn.devices));
    EXPECT_FALSE(counts.hart.polls(counts.turn.devices + 1));
    EXPECT_FALSE(executes.hart.polls(executes.turn.devices)) << "its device is not steady";
}

TEST(PollRound, LoopsThatChangeAreExecuted) {
    const std::vector counter{i(Op::lw, a0, s0, 0), i(Op::addi, a1, a1, 1), branch(Op::beq, a0, t0, -8)};
    const std::vector storing{i(Op::lw, a0, s0, 0), store(Op::sw, a1, 0, t2), branch(Op::beq, a0, t0, -8)};
    for (const auto& loop : {counter, storing}) {
        Poller counts(true, loop), executes(false, loop);
        for (Poller* each : {&counts, &executes}) each->turns(60, 10);
        expect_same(counts, executes);
        EXPECT_EQ(counts.bus.reported.size(), executes.bus.reported.size());
    }
}

}  // namespace
