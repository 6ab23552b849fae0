// SPDX-License-Identifier: Apache-2.0
// Rounds of a loop that polls a device are counted where the device is steady, and those of one that polls a word of L1; else they are
// executed. Nothing but the number of accesses shows which.

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
    EXPECT_EQ(counts.hart.poll()->address, device);
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

// A hart whose turns have one instruction counts no rounds.
struct WordPoller : test::RiscvMachine {
    static constexpr std::uint32_t polled = 0x8014;
    WordPoller(Arch arch, bool counts, const std::vector<std::uint32_t>& loop) : RiscvMachine(arch), counts_(counts) {
        for (std::size_t k = 0; k < loop.size(); ++k) put(code + 4 * static_cast<std::uint32_t>(k), {loop[k]});
        state.x[s0] = polled;
        state.x[t0] = 7;
        put(polled, {7});
    }
    void turns(unsigned count, riscv::Cycle every) {
        for (; count; --count) {
            limit += every;
            for (bool goes_on = next <= limit && !ended; goes_on;) {
                const riscv::Stop stop = run(counts_ ? 4096 : 1, limit, next);
                next = stop.time;
                goes_on = stop.why == Why::instructions;
                ended = !goes_on && stop.why != Why::limit;
            }
        }
    }
    riscv::Cycle limit = 0, next = 0;
    bool ended = false;

private:
    bool counts_;
};

const std::vector fenced{fence, i(Op::lw, a0, s0, 0), branch(Op::beq, a0, t0, -8)};
const std::vector fenced_behind{i(Op::lw, a0, s0, 0), r(Op::sub, a2, a0, t0), fence, branch(Op::beq, a2, zero, -12)};
const std::vector unfenced{i(Op::lw, a0, s0, 0), branch(Op::beq, a0, t0, -4)};

void expect_same(const WordPoller& a, const WordPoller& b) {
    EXPECT_EQ(a.state.x, b.state.x);
    EXPECT_EQ(a.state.pc, b.state.pc);
    EXPECT_EQ(a.state.cycles, b.state.cycles);
    EXPECT_EQ(a.state.retired, b.state.retired);
    EXPECT_EQ(a.next, b.next);
    EXPECT_EQ(a.state.l0.next, b.state.l0.next);
    EXPECT_EQ(a.state.l0.hits, b.state.l0.hits);
    for (std::size_t k = 0; k < a.state.l0.line.size(); ++k) {
        EXPECT_EQ(a.state.l0.line[k].address, b.state.l0.line[k].address);
        EXPECT_EQ(a.state.l0.line[k].bytes, b.state.l0.line[k].bytes);
    }
}

/// Blackhole's L0 hides changes from a loop without a fence, whose rounds are executed.
bool counts_rounds(Arch arch, const std::vector<std::uint32_t>& loop) {
    return arch == Arch::wormhole || &loop != &unfenced;
}

TEST(PollRound, CountedRoundsOfAWordOfL1TakeTheTimeOfExecutedOnes) {
    for (const Arch arch : {Arch::blackhole, Arch::wormhole})
        for (const auto* loop : {&fenced, &fenced_behind, &unfenced})
            for (const riscv::Cycle every : {1u, 3u, 10u, 100u, 10'000u}) {
                WordPoller counts(arch, true, *loop), executes(arch, false, *loop);
                for (unsigned turn = 0; turn < 60; ++turn) {
                    counts.turns(1, every);
                    executes.turns(1, every);
                    expect_same(counts, executes);
                }
                EXPECT_EQ(counts.hart.polled_word().has_value(), counts_rounds(arch, *loop))
                    << name(arch) << ' ' << every;
                for (WordPoller* each : {&counts, &executes}) {
                    each->put(WordPoller::polled, {3});
                    each->turns(200, every);
                }
                expect_same(counts, executes);
                if (counts_rounds(arch, *loop)) {
                    EXPECT_EQ(counts.state.x[a0], 3u);
                }
            }
}

TEST(PollRound, OfAWordOfL1PassesWhileTheHartIsNotAsked) {
    for (const Arch arch : {Arch::blackhole, Arch::wormhole})
        for (const auto* loop : {&fenced, &fenced_behind, &unfenced})
            for (const unsigned rounds : {1u, 2u, 3u, 77u, 5000u}) {
                if (!counts_rounds(arch, *loop)) continue;
                WordPoller sleeps(arch, true, *loop), executes(arch, false, *loop);
                for (WordPoller* each : {&sleeps, &executes}) each->turns(20, 30);
                // Whatever else changes meanwhile.
                ++sleeps.turn.devices;
                ASSERT_TRUE(sleeps.hart.polls(sleeps.turn.devices));
                const riscv::Cycle period = sleeps.hart.poll_cycles();
                sleeps.hart.pass_polls(rounds);
                sleeps.next += rounds * period;
                sleeps.limit += rounds * period;
                executes.turns(rounds, period);
                expect_same(sleeps, executes);
                for (WordPoller* each : {&sleeps, &executes}) {
                    each->put(WordPoller::polled, {3});
                    EXPECT_FALSE(each->hart.polls(each->turn.devices));
                    each->turns(8, 30);
                }
                expect_same(sleeps, executes);
                EXPECT_EQ(sleeps.state.x[a0], 3u);
            }
}

// The turn ends before the load.
TEST(PollRound, ALoadBeyondTheLimitIsNoRound) {
    WordPoller machine(Arch::blackhole, true, fenced);
    machine.turns(20, 30);
    machine.hart.restore(machine.hart.save());
    for (unsigned turn = 0; turn < 3; ++turn) {
        const riscv::Stop stop = machine.run(4096, machine.next - 1, machine.next);
        EXPECT_EQ(stop.why, Why::limit);
        EXPECT_EQ(stop.time, machine.next);
        EXPECT_FALSE(machine.hart.polls(machine.turn.devices));
    }
    machine.turns(20, 30);
    EXPECT_TRUE(machine.hart.polls(machine.turn.devices));
}

TEST(PollRound, AWatchedLineTellsOfItsStores) {
    const std::vector stores{store(Op::sw, a0, 0, t2), store(Op::sb, a0, 15, t2), store(Op::sw, a0, 16, t2),
                             store(Op::sw, a0, -4, t2), jal(zero, 0)};
    WordPoller machine(Arch::wormhole, true, stores);
    machine.state.x[t2] = WordPoller::polled & ~15u;
    machine.hart.watch_line(WordPoller::polled);
    machine.turns(1, 1000);
    std::vector<std::uint32_t> told;
    for (const auto& one : machine.bus.reported)
        if (one.what == "watched") told.push_back(one.address);
    const std::uint32_t line = WordPoller::polled & ~15u;
    EXPECT_EQ(told, (std::vector{line, line + 15}));
}

TEST(PollRound, LoopsThatGoThroughL1AreExecuted) {
    const std::vector through{fence, i(Op::lw, a0, s0, 0), i(Op::addi, s0, s0, 4), branch(Op::bne, a0, zero, -12)};
    WordPoller counts(Arch::blackhole, true, through), executes(Arch::blackhole, false, through);
    for (WordPoller* each : {&counts, &executes}) {
        for (std::uint32_t k = 0; k < 50; ++k) each->put(WordPoller::polled + 4 * k, {k + 1});
        each->turns(30, 10);
    }
    expect_same(counts, executes);
    EXPECT_FALSE(counts.hart.polled_word());
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
