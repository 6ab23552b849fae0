// SPDX-License-Identifier: Apache-2.0
// The next actor and wake-ups (engine/scheduler.hpp), and ownership of banks (engine/pipes/banks.hpp), without an
// engine.
#include <gtest/gtest.h>

#include "engine/pipes/banks.hpp"
#include "engine/pipes/pipes.hpp"
#include "engine/scheduler.hpp"

namespace tessera::engine {
namespace {

/// Hears of changes, and keeps which.
struct Heard : ChangeListener, WaitListener {
    Signals conditions;
    unsigned banks = 0;
    std::vector<std::pair<unsigned, Cycle>> waits;
    void conditions_changed(Signals signals, Cycle, const Changed&) override { conditions |= signals; }
    void banks_passed(Cycle) override { ++banks; }
    void auto_sync_begins(unsigned) override {}
    void begins(unsigned) override {}
    void waited(unsigned actor, Cycle end, bool) override { waits.emplace_back(actor, end); }
    void has_finished(unsigned) override {}
};

struct SchedulerTest : testing::Test {
    state::State state{Arch::blackhole};
    Workload work;
    Heard heard;
    Scheduler scheduler{state, work, heard, &heard};

    static constexpr auto unit = Signal::unit;
    static constexpr Wait busy(plan::Pipe pipe) { return {Wait::Kind::unit_busy, static_cast<std::uint8_t>(pipe)}; }
};

TEST_F(SchedulerTest, TheSmallestTimeActsAndOfEqualOnesTheLowestNumber) {
    for (unsigned i = 0; i < actors; ++i) scheduler.go_on_at(i, 10 - i / 2);
    EXPECT_EQ(scheduler.next_actor(), 6u);
    scheduler.go_on_at(6, 20);
    EXPECT_EQ(scheduler.next_actor(), 7u);
    // Up to the cycle before another actor's turn, or in that cycle if its own number is lower.
    EXPECT_EQ(scheduler.turn_limit(7), 7u);
    EXPECT_EQ(scheduler.turn_limit(2), 7u);
    scheduler.clock().schedule(5, Event::Kind::end, 0);
    EXPECT_EQ(scheduler.turn_limit(7), 4u);
}

TEST_F(SchedulerTest, WhoWaitsForAUnitIsWokenByThatUnitAlone) {
    scheduler.park(front_end_of(1), busy(plan::Pipe::matrix), unit);
    EXPECT_EQ(scheduler.due(front_end_of(1)), never);
    scheduler.raise(unit, 4, {bit(plan::Pipe::vector), 1, true});
    EXPECT_TRUE(scheduler.is_parked(front_end_of(1)));
    scheduler.raise(unit, 6, {bit(plan::Pipe::matrix), 2, true});
    EXPECT_FALSE(scheduler.is_parked(front_end_of(1)));
    EXPECT_EQ(scheduler.due(front_end_of(1)), 6u);
}

// A core that polls at 100, 107, 114, … in vain.
TEST_F(SchedulerTest, ACoreThatSleepsIsDueWithItsNextAccess) {
    constexpr auto stream = Signal::stream;
    const auto due_after = [&](unsigned core, Cycle change, unsigned by) {
        scheduler.sleep(core, 100, 7, stream);
        EXPECT_EQ(scheduler.due(core), never);
        scheduler.raise(unit, change);
        EXPECT_TRUE(scheduler.sleeps(core)) << "another signal";
        scheduler.pass_to(change);
        if (by == actors)
            scheduler.begin_event();
        else
            scheduler.begin_act(by);
        scheduler.raise(stream, change);
        EXPECT_FALSE(scheduler.sleeps(core));
        const Cycle due = scheduler.due(core);
        EXPECT_EQ(scheduler.take_polls(core), (due - 100) / 7);
        EXPECT_EQ(scheduler.take_polls(core), 0u) << "they are counted once";
        return due;
    };
    EXPECT_EQ(due_after(core_nc, 60, actors), 100u);
    EXPECT_EQ(due_after(core_nc, 113, actors), 114u);
    EXPECT_EQ(due_after(core_nc, 114, actors), 114u) << "events come before actors";
    EXPECT_EQ(due_after(core_nc, 121, front_end_of(0)), 121u) << "front ends come before NC";
    EXPECT_EQ(due_after(2, 128, front_end_of(0)), 135u) << "T2 has acted in this cycle";
}

// A core's act begins in one cycle and may go on in later ones.
TEST_F(SchedulerTest, ACoreThatSleepsComesBehindTheActOfAHigherOne) {
    constexpr auto stream = Signal::stream;
    scheduler.sleep(0, 100, 7, stream);
    scheduler.begin_act(core_b);
    scheduler.pass_to(107);
    scheduler.raise(stream);
    EXPECT_EQ(scheduler.due(0), 114u);
}

TEST_F(SchedulerTest, AWaitThatIsNotOverIsCountedAndGoesOn) {
    constexpr unsigned waits = front_end_of(0);
    scheduler.pass_to(4);
    scheduler.acted(waits, 4);
    scheduler.park(waits, busy(plan::Pipe::matrix), unit);
    scheduler.pass_to(9);
    scheduler.account_open_wait(waits, 9, true);
    EXPECT_EQ(scheduler.actor(waits).since, 4u);
    EXPECT_EQ(scheduler.waited(0).of(busy(plan::Pipe::matrix)), 5u);
}

TEST_F(SchedulerTest, AWaitIsCountedUntilItIsOver) {
    scheduler.park(front_end_of(0), busy(plan::Pipe::matrix), unit);
    scheduler.pass_to(9);
    scheduler.raise(unit);
    scheduler.acted(front_end_of(0), 10);
    EXPECT_EQ(scheduler.waited(0).of(busy(plan::Pipe::matrix)), 9u);
    EXPECT_EQ(heard.waits, (std::vector<std::pair<unsigned, Cycle>>{{front_end_of(0), 9}}));
}

TEST_F(SchedulerTest, WhoWaitsForRoomIsWokenByItsFifoAlone) {
    const auto popped = Signal::popped;
    scheduler.park(core_b, {Wait::Kind::tile}, popped, 2);
    EXPECT_TRUE(scheduler.is_room_awaited(2));
    EXPECT_FALSE(scheduler.is_room_awaited(1));
    scheduler.raise(popped, 3, {.fifo = 1});
    EXPECT_TRUE(scheduler.is_parked(core_b));
    scheduler.raise(popped, 3, {.fifo = 2});
    EXPECT_FALSE(scheduler.is_parked(core_b));
}

TEST_F(SchedulerTest, AMutexGoesToTheNextThreadInACircle) {
    const Wait third{Wait::Kind::mutex, 3};
    for (const unsigned t : {0u, 1u}) scheduler.park(front_end_of(t), third, Signal::mutex);
    scheduler.mutex_released(2, 3, 5);
    EXPECT_FALSE(scheduler.is_parked(front_end_of(0)));
    EXPECT_TRUE(scheduler.is_parked(front_end_of(1)));
    scheduler.mutex_released(0, 4, 6);
    EXPECT_TRUE(scheduler.is_parked(front_end_of(1)));
}

TEST_F(SchedulerTest, WhoWaitsForAUnitUntilAKnownCycleWaitsLongerWhenItIsTaken) {
    scheduler.wait_behind(front_end_of(0), busy(plan::Pipe::matrix), 5, {}, {bit(plan::Pipe::matrix)}, IfTaken::cycle);
    scheduler.wait_until(front_end_of(1), busy(plan::Pipe::matrix), 5);
    scheduler.wait_behind(front_end_of(2), busy(plan::Pipe::matrix), 5, {}, {bit(plan::Pipe::matrix)}, IfTaken::cause);
    const auto free_at = [](plan::PipeMask) { return Cycle{8}; };
    const auto nobody = [](plan::PipeMask) { return Cause(); };
    scheduler.postpone(bit(plan::Pipe::vector), free_at, nobody);
    EXPECT_EQ(scheduler.due(front_end_of(0)), 5u);
    scheduler.postpone(bit(plan::Pipe::matrix), free_at, nobody);
    EXPECT_EQ(scheduler.due(front_end_of(0)), 8u);
    EXPECT_EQ(scheduler.due(front_end_of(1)), 5u);
    EXPECT_EQ(scheduler.due(front_end_of(2)), 5u) << "its instruction may start before the unit is free";
}

// Its own cycle stays the same: it is told of the one that occupies the unit until then.
TEST_F(SchedulerTest, WhoWaitsForAUnitIsFreedByTheLastToTakeIt) {
    constexpr auto matrix = bit(plan::Pipe::matrix);
    const Cause first{false, 1, 0, 3, 10}, second{false, 2, 0, 4, 11};
    const IfTaken all[] = {IfTaken::cycle, IfTaken::cause, IfTaken::nothing};
    for (unsigned t = 0; t < 3; ++t) scheduler.wait_behind(front_end_of(t), busy(plan::Pipe::matrix), 5, first, {matrix}, all[t]);
    const auto by_second = [&](plan::PipeMask) { return second; };
    scheduler.postpone(matrix, [](plan::PipeMask) { return Cycle{4}; }, by_second);
    for (unsigned t = 0; t < 3; ++t) EXPECT_EQ(scheduler.actor(front_end_of(t)).ended_by.number, 10) << "it is free before";
    scheduler.postpone(matrix, [](plan::PipeMask) { return Cycle{5}; }, by_second);
    for (unsigned t = 0; t < 3; ++t) EXPECT_EQ(scheduler.due(front_end_of(t)), 5u);
    EXPECT_EQ(scheduler.actor(front_end_of(0)).ended_by.number, 11);
    EXPECT_EQ(scheduler.actor(front_end_of(1)).ended_by.number, 11);
    EXPECT_EQ(scheduler.actor(front_end_of(2)).ended_by.number, 10);
}

TEST_F(SchedulerTest, WhoHasWaitedLongerForAUnitComesFirst) {
    constexpr auto matrix = bit(plan::Pipe::matrix);
    scheduler.go_on_at(front_end_of(0), 4);
    scheduler.go_on_at(front_end_of(1), 3);
    scheduler.go_on_at(front_end_of(2), 4);
    scheduler.wait_behind(front_end_of(1), busy(plan::Pipe::matrix), 5, {}, {matrix}, IfTaken::cycle);
    scheduler.wait_behind(front_end_of(2), busy(plan::Pipe::matrix), 5, {}, {matrix}, IfTaken::cycle);
    scheduler.pass_to(4);
    EXPECT_FALSE(scheduler.waits_longer(front_end_of(0), {matrix})) << "the other one is not due";
    scheduler.pass_to(5);
    EXPECT_TRUE(scheduler.waits_longer(front_end_of(0), {matrix}));
    EXPECT_FALSE(scheduler.waits_longer(front_end_of(0), {bit(plan::Pipe::vector)}));
    EXPECT_FALSE(scheduler.waits_longer(front_end_of(1), {matrix}));
    EXPECT_LT(scheduler.turn_limit(front_end_of(0)), 5u)
        << "nobody runs ahead into a cycle in which another one waits for a unit";
}

TEST_F(SchedulerTest, WhoParksForAUnitIsToldOfEndsThatNobodyWaitedFor) {
    work.run(bit(plan::Pipe::matrix), 1, 0, 7);
    EXPECT_EQ(scheduler.clock().next(), never);
    scheduler.park(front_end_of(0), busy(plan::Pipe::matrix), unit);
    EXPECT_EQ(scheduler.clock().next(), 7u);
    EXPECT_EQ(scheduler.take_event().kind, Event::Kind::lazy_end);
}

TEST_F(SchedulerTest, BanksAreHeardOfAlwaysAndConditionsWhileAWaitIsLatched) {
    scheduler.raise(Signal::bank);
    EXPECT_EQ(heard.banks, 1u);
    EXPECT_EQ(heard.conditions, Signals());
    state.write(state::cells::latch(1, state::Latch::kind), static_cast<std::uint32_t>(state::LatchKind::stall));
    scheduler.raise(Signal::bank | Signal::issued);
    EXPECT_EQ(heard.conditions, Signal::bank);
}

TEST_F(SchedulerTest, ASavedOneGoesOnFromThere) {
    scheduler.park(front_end_of(1), busy(plan::Pipe::matrix), unit);
    scheduler.clock().schedule(3, Event::Kind::end, 1);
    const SchedulerState saved = scheduler.saved();
    scheduler.raise(unit, 2);
    scheduler.take_event();
    scheduler.restore(saved);
    EXPECT_TRUE(scheduler.is_parked(front_end_of(1)));
    EXPECT_EQ(scheduler.clock().next(), 3u);
}

TEST(Banks, ABankThatIsAboutToBePassedOnIsNobodys) {
    state::State state(Arch::blackhole);
    Banks banks(state);
    const plan::BankNeed unpackers{state::Src::b, 1, state::Owner::unpackers, true};
    state.write(state::cells::bank_owner(state::Src::b, 1), static_cast<std::uint32_t>(state::Owner::unpackers));
    ASSERT_TRUE(banks.ready(unpackers));
    units::Resolved unpacr;
    unpacr.hands_over = 1u << 3;
    banks.begin_hand_over(unpacr);
    EXPECT_FALSE(banks.ready(unpackers));
    std::vector<unsigned> passed;
    banks.end_hand_over(unpacr, [&](unsigned bank) { passed.push_back(bank); });
    EXPECT_EQ(passed, std::vector<unsigned>{3});
    EXPECT_TRUE(banks.ready(unpackers));
    state.write(state::cells::bank_owner(state::Src::b, 1), static_cast<std::uint32_t>(state::Owner::matrix));
    EXPECT_FALSE(banks.ready(unpackers));
}

}  // namespace
}  // namespace tessera::engine
