// SPDX-License-Identifier: Apache-2.0
// Parts of the engine without an engine: pipes, workload and transfers.
#include <gtest/gtest.h>

#include "engine/pipes/pipes.hpp"
#include "engine/pipes/transfers.hpp"
#include "engine/pipes/workload.hpp"
#include "tessera/core.hpp"

namespace tessera::engine {
namespace {

constexpr plan::PipeMask matrix = bit(plan::Pipe::matrix), packer = bit(plan::Pipe::packer0),
                         unpacker = bit(plan::Pipe::unpacker0);

const units::CostTable& table() { return units::costs(Arch::blackhole, Timing::documented); }

plan::Plan taking(plan::PipeMask pipes, std::uint32_t occupancy, std::uint32_t latency) {
    plan::Plan plan;
    plan.pipes = pipes;
    plan.cost.occupancy = occupancy;
    plan.cost.latency = latency;
    return plan;
}

Times times_of(const Pipes& pipes, const plan::Plan& plan, Cycle now, Delays& delays) {
    Times times;
    pipes.when(plan, now, delays, times);
    return times;
}

TEST(Pipes, AnInstructionLandsWhenItStartsAndEndsByItsLatency) {
    const Pipes pipes(table());
    Delays none({});
    const Times times = times_of(pipes, taking(matrix, 2, 5), 10, none);
    EXPECT_EQ(times.start, 10u);
    EXPECT_EQ(times.land, 10u);
    EXPECT_EQ(times.end, 15u);
    EXPECT_EQ(times.free, 12u);
}

TEST(Pipes, ARequestLandsWhenItEndsAndNotBeforeTheOneInFrontOfIt) {
    Pipes pipes(table());
    Delays none({});
    plan::Plan slow = taking(bit(plan::Pipe::scalar), 1, 20), fast = taking(bit(plan::Pipe::scalar), 1, 3);
    slow.cost.lands_at_end = fast.cost.lands_at_end = true;
    pipes.take(slow, times_of(pipes, slow, 0, none));
    const Times times = times_of(pipes, fast, 1, none);
    EXPECT_EQ(times.land, 20u);
    EXPECT_EQ(times.end, 20u);
}

// Ports of L1 may be taken: of units with a queue, what takes longer than a cycle may end up to twelve cycles later.
TEST(Pipes, ASeedDelaysWhatUnpackersAndPackersDoInL1) {
    Cycle least = never, most = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const Pipes pipes(table());
        Delays delays(seed);
        const Times one = times_of(pipes, taking(unpacker, 1, 1), 10, delays);
        EXPECT_EQ(one.end, 11u);
        EXPECT_EQ(one.free, 11u);
        EXPECT_EQ(times_of(pipes, taking(matrix, 1, 5), 10, delays).end, 15u) << "no queue";
        const Times two = times_of(pipes, taking(packer, 1, 2), 10, delays);
        EXPECT_EQ(two.free - 11, two.end - 12) << "the unit is taken as long";
        least = std::min(least, two.end);
        most = std::max(most, two.end);
    }
    EXPECT_EQ(least, 12u);
    EXPECT_EQ(most, 24u);
}

TEST(Pipes, WhatWaitsInItsUnitHoldsItUntilItGoesOn) {
    Pipes pipes(table());
    Delays none({});
    plan::Plan waiting = taking(bit(plan::Pipe::scalar), 1, 4);
    waiting.waits_in_unit = true;
    pipes.take(waiting, times_of(pipes, waiting, 0, none));
    EXPECT_EQ(pipes.free_at(waiting.pipes), never);
    pipes.release(waiting.pipes, 9);
    EXPECT_EQ(pipes.free_at(waiting.pipes), 9u);
}

TEST(Pipes, AWrittenBlockOfDstIsHeldBack) {
    Pipes pipes(table());
    plan::Plan writes = taking(matrix, 1, 5);
    writes.dst_writes.add_rows(8, 8);
    pipes.take(writes, 3);
    plan::Plan read, other;
    read.dst_reads.add_rows(0, 16);
    other.dst_reads.add_rows(16, 8);
    const Cycle ready = 3 + table().interlocks.dst_block_cycles + 1;
    EXPECT_EQ(pipes.dst_ready(read).at, ready);
    EXPECT_EQ(pipes.dst_ready(read).block, 1u);
    EXPECT_EQ(pipes.dst_ready(other).at, 0u);
}

TEST(Pipes, WhatFillsAPauseStartsInItButNotBesideAnother) {
    Pipes pipes(table());
    constexpr plan::PipeMask vector = bit(plan::Pipe::vector);
    plan::Plan filler = taking(vector, 1, 1);
    filler.cost.fills_pause = true;
    const plan::Plan one = taking(vector, 1, 1), two = taking(vector, 2, 2);
    pipes.take(two, 3);
    EXPECT_EQ(pipes.opens_at(one), 5u);
    EXPECT_EQ(pipes.opens_at(filler), 4u);
    pipes.take(filler, 4);
    EXPECT_EQ(pipes.opens_at(filler), 5u) << "the pause is taken";
    pipes.take(one, 7);
    EXPECT_EQ(pipes.opens_at(filler), 8u) << "there is no pause";
}

TEST(Pipes, OnlyInstructionsWithAnIntervalWaitForEachOtherInAUnitOfEachThread) {
    Pipes pipes(table());
    constexpr plan::PipeMask config = bit(plan::Pipe::config);
    plan::Plan in_turn = taking(config, 1, 2);
    in_turn.cost.interval = 1;
    const plan::Plan free = taking(config, 1, 1);
    pipes.take(free, 3);
    EXPECT_EQ(pipes.opens_at(in_turn), 0u);
    pipes.take(in_turn, 3);
    EXPECT_EQ(pipes.opens_at(in_turn), 4u);
    EXPECT_EQ(pipes.opens_at(free), 0u);
}

TEST(Pipes, DelaysLandBetweenStartAndEnd) {
    Delays drawn(7);
    const Pipes pipes(table());
    bool later = false;
    for (unsigned i = 0; i < 200; ++i) {
        const Times times = times_of(pipes, taking(packer, 4, 16), 100, drawn);
        EXPECT_GE(times.land, times.start);
        EXPECT_LT(times.land, times.end);
        EXPECT_GE(times.end, 116u);
        later |= times.land > times.start;
    }
    EXPECT_TRUE(later);
}

TEST(Workload, WhatOverlapsIsCountedOnce) {
    Workload work;
    work.add(unpacker, 0, false, false);
    work.begin(unpacker, 0);
    work.run(matrix, 1, 4, 10);  // without an end event
    work.add(packer, 2, false, false);
    work.begin(packer, 6);
    EXPECT_TRUE(work.activity().busy(plan::Pipe::unpacker0, 0));
    EXPECT_FALSE(work.idle(0, 8));
    EXPECT_FALSE(work.idle(1, 9));
    EXPECT_TRUE(work.idle(1, 10));
    work.end(unpacker, 8);
    work.remove(unpacker, 0, false, false);
    work.end(packer, 20);
    EXPECT_EQ(work.load(static_cast<unsigned>(plan::Pipe::unpacker0)).busy_at(20), 8u);
    EXPECT_EQ(work.load(static_cast<unsigned>(plan::Pipe::matrix)).busy_at(20), 6u);
    // From 4 to 8 unpacker and matrix unit, from 6 also the packer; from 8 to 10 matrix unit and packer.
    EXPECT_EQ(work.overlapped(20), 6u);
    EXPECT_TRUE(work.idle(0, 20));
    EXPECT_EQ(work.last_end(), 10u);
}

TEST(Transfers, EachSlowsTheOtherWhileBothRead) {
    plan::Transfer wants;
    wants.bytes = 160;
    wants.alone = 16;
    wants.beside_it.fill(8);
    Transfers transfers;
    std::array<Cycle, 2> ends{10, 0};
    const auto moved = [&](unsigned side, Cycle end) { ends[side] = end; };
    transfers.begin(0, 5, wants, 0, 10);
    transfers.begin(1, 6, wants, 5, 15);
    EXPECT_TRUE(transfers.reads(0, 5));
    // 80 bytes are left of the first: ten cycles at half the rate.
    EXPECT_EQ(transfers.share(5, moved), 15u);
    EXPECT_EQ(ends[0], 15u);
    EXPECT_EQ(ends[1], 25u);
    // Then the second unpacker has 80 bytes left, and no competitor.
    EXPECT_EQ(transfers.share(15, moved), never);
    EXPECT_EQ(ends[1], 20u);
    EXPECT_EQ(transfers.who(1), 6u);
}

TEST(Waits, AWordIsAwaitedFromItsOwnCore) {
    Program program;
    program.arch = Arch::blackhole;
    Op nop;
    nop.value = 0x02000000;
    for (auto& thread : program.threads) thread.assign(6, nop);
    RunOptions options;
    unsigned reported = 0;
    options.on_wait = [&](const tessera::Wait& wait) {
        if (wait.kind != "fifo-empty" || !wait.over) return;
        ++reported;
        EXPECT_EQ(wait.ended_by.thread, wait.thread);
    };
    Core core(Arch::blackhole);
    ASSERT_TRUE(core.run(program, options).has_value());
    EXPECT_GE(reported, 3u);
}

}  // namespace
}  // namespace tessera::engine
