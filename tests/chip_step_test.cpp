// SPDX-License-Identifier: Apache-2.0
// A chip in steps of one tile: equal to a whole run whatever is looked at, can go back, and stops at what other tiles send.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "support/chip_kernels.hpp"
#include "tessera/assembly.hpp"
#include "tessera/chip_execution.hpp"

namespace tessera::test {
namespace {

using testing::HasSubstr;
using Why = Pause::Why;

constexpr std::uint32_t flag = 0x600, data = 0x2000, message = 0x3000;
constexpr unsigned columns = 3;

class ChipSteps : public ChipKernels {
protected:
    /// T1 of each tile issues instructions, and a word goes around the ring of them. Data come from DRAM.
    void load_all() {
        const std::uint32_t add =
            assemble("ADDDMAREG OpBisConst=1 ResultRegIndex=3 OpBRegIndex=7 OpARegIndex=3", GetParam())->threads[0].at(0).value;
        for (unsigned i = 0; i < columns; ++i) {
            auto code = words();
            for (unsigned n = 0; n < 5; ++n) code.code.push_back(rv::ttinsn(add));
            code.read(0, *chip->dram_place(i), 64, place(i, 0), data, 64);
            code.wait_counter(0, noc::Counter::mst_rd_resp_received, 1);
            if (i) code.wait_for(flag, i);
            for (unsigned n = 0; n < 5; ++n) code.code.push_back(rv::ttinsn(add));
            code.write(1, place(i, 0), data, place((i + 1) % columns, 0), message, 64);
            code.increment(1, place(i, 0), place((i + 1) % columns, 0), flag, i + 1);
            if (!i) code.wait_for(flag, columns);
            code.code.push_back(rv::ttinsn(add));
            code.spend(1 + 40 * i);
            kernel(i, 0, code, RiscvCore::t1);
        }
        for (unsigned channel = 0; channel < columns; ++channel) {
            std::vector<std::byte> bytes(128, std::byte(channel + 1));
            ASSERT_TRUE(chip->write_dram(channel, 0, bytes));
        }
    }
    void prepare() {
        make(columns, 2);
        load_all();
    }
    /// T1 of one tile issues NOPs and writes to the other one, in which nothing runs.
    void make_pair(unsigned nops = 0) {
        make(2, 1);
        auto code = words();
        const std::uint32_t nop = assemble("NOP", GetParam())->threads[0].at(0).value;
        for (unsigned n = 0; n < nops; ++n) code.code.push_back(rv::ttinsn(nop));
        code.write(0, place(0, 0), data, place(1, 0), message, 64);
        code.wait_counter(0, noc::Counter::mst_wr_ack_received, 1);
        kernel(0, 0, code, RiscvCore::t1);
    }
    /// Until the answer to that write.
    static void run_to_answer(ChipExecution& all) {
        while (const auto packet = all.run_to_packet())
            if (packet->kind == "write ack") break;
    }
    static ChipRunOptions options() {
        ChipRunOptions options;
        options.tile.max_cycles = 100'000;
        return options;
    }
    static ChipExecution begin(Chip& on, unsigned column, unsigned row, ChipRunOptions how = options()) {
        auto begun = ChipExecution::begin(on, column, row, std::move(how));
        EXPECT_TRUE(begun) << begun.error().describe();
        return std::move(*begun);
    }
    static Breakpoints at_l1(const Core& core, std::uint32_t address) {
        Breakpoints until;
        until.written = {{(*core.find_section("l1"))->id, address, 4}};
        return until;
    }

    /// All that a run leaves behind.
    struct Result {
        std::uint64_t cycles, packets;
        std::string fault;
        std::vector<std::tuple<unsigned, std::uint64_t, std::array<std::uint64_t, 3>, std::vector<std::string>>> tiles;
        std::vector<std::byte> chip;
        friend bool operator==(const Result&, const Result&) = default;
    };
    static Result result(const Chip& of, const ChipRun& run) {
        Result all{run.cycles, run.packets, run.fault ? run.fault->describe() : "", {}, of.image()};
        for (const TileRun& tile : run.tiles) {
            std::vector<std::string> findings;
            for (const Finding& finding : tile.run.findings) findings.push_back(finding.describe());
            all.tiles.push_back({tile.row * columns + tile.column, tile.run.cycles, tile.run.instructions, findings});
        }
        return all;
    }
    /// Steps of the given kind to the end give what run() gives, and the same packets in the same order.
    void expect_same(const std::function<void(ChipExecution&)>& go, ChipRunOptions how = options()) {
        std::vector<std::uint64_t> whole, steps;
        const auto note = [](std::vector<std::uint64_t>& all) {
            return [&all](const PacketEvent& one) { all.insert(all.end(), {one.sent, one.arrived, one.address, one.from.x, one.to.x}); };
        };
        Chip other = *chip;
        how.on_packet = note(whole);
        const auto ran = other.run(how);
        ASSERT_TRUE(ran);
        Chip stepped = *chip;
        how.on_packet = note(steps);
        ChipExecution execution = begin(stepped, 0, 0, how);
        go(execution);
        EXPECT_TRUE(execution.tile().ended());
        const Result a = result(other, *ran), b = result(stepped, execution.run());
        EXPECT_EQ(a.cycles, b.cycles);
        EXPECT_EQ(a.packets, b.packets);
        EXPECT_EQ(a.fault, b.fault);
        EXPECT_EQ(a.tiles, b.tiles);
        EXPECT_TRUE(a.chip == b.chip);
        EXPECT_EQ(whole, steps);
    }
    void expect_same_by_any_steps(const ChipRunOptions& how = options()) {
        const auto steps = [](ChipExecution& all) {
            while (all.tile().step().why != Why::end) {}
        };
        const auto cycles = [](ChipExecution& all) {
            while (all.tile().step_cycles(7).why != Why::end) {}
        };
        const auto packets = [](ChipExecution& all) {
            while (all.run_to_packet()) {}
        };
        const auto watches = [](ChipExecution& all) {
            while (all.tile().run_until(at_l1(all.tile().core(), flag)).why != Why::end) {}
        };
        // Each tile in turn, with all there is to look at.
        const auto turns = [](ChipExecution& all) {
            for (unsigned n = 0; !all.tile().ended(); ++n) {
                ASSERT_TRUE(all.look_at(n % columns, 0));
                if (n % 4 == 0) all.tile().step(1);
                if (n % 4 == 1) all.tile().step_cycles(n % 31);
                if (n % 4 == 2) all.run_to_packet();
                static_cast<void>(all.run());
                static_cast<void>(all.tiles());
            }
        };
        const auto back = [](ChipExecution& all) {
            for (unsigned n = 0; n < 6; ++n) all.tile().step();
            all.tile().back(3);
            all.tile().finish();
        };
        const auto finish = [](ChipExecution& all) { all.tile().finish(); };
        for (const auto& go : std::vector<std::function<void(ChipExecution&)>>{steps, cycles, packets, watches, turns, finish})
            expect_same(go, how);
        // Packets come again.
        Chip other = *chip, stepped = *chip;
        const auto ran = other.run(how);
        ChipExecution execution = begin(stepped, 0, 0, how);
        back(execution);
        EXPECT_TRUE(result(other, *ran) == result(stepped, execution.run()));
    }
};

TEST_P(ChipSteps, TheSumOfAllStepsIsTheRun) {
    prepare();
    expect_same_by_any_steps();
    expect_good(run(options()));
}

// T1 of each tile polls a semaphore until T0 posts it, over many rounds of the chip, and tells the next tile. A clock shows when.
TEST_P(ChipSteps, ACoreThatPollsItsTileGoesOnInTheCycleInWhichItWould) {
    constexpr std::uint32_t semaphore = 0xFFE8'0020 + 4 * 2, wall_clock = 0xFFB1'21F0;
    make(columns, 2);
    for (unsigned i = 0; i < columns; ++i) {
        auto posts = words(), polls = words();
        posts.wait_for(flag, i);
        posts.spend(40 + 27 * i);
        posts.poke(semaphore, 0);
        polls.wait_for(semaphore, 1, false);
        polls.peek(rv::a4, wall_clock);
        polls.keep(rv::a4, data);
        polls.increment(1, place(i, 0), place((i + 1) % columns, 0), flag, i + 1);
        if (!i) polls.wait_for(flag, columns);
        kernels(i, 0, {{RiscvCore::t1, polls}, {RiscvCore::t0, posts}});
    }
    expect_same_by_any_steps();
    expect_good(run(options()));
    EXPECT_GT(word(1, 0, data), word(0, 0, data));
    EXPECT_GT(word(2, 0, data), word(1, 0, data));
}

// While T0 polls, B of tile 0 works and ends. Then its tile is done, until a posted write comes that T0 waits for.
TEST_P(ChipSteps, ATileThatIsDoneHearsOfAPostedWrite) {
    for (const std::uint32_t answered : {0u, noc::ctrl::response_marked}) {
        make(columns, 2);
        auto works = words(), polls = words(), sends = words();
        works.spend(200);
        polls.wait_for(flag, 1);
        polls.increment(0, place(0, 0), place(1, 0), flag, 1);
        kernels(0, 0, {{RiscvCore::b, works}, {RiscvCore::t0, polls}});
        sends.spend(1000);
        sends.poke(message, 1);
        sends.end(0, noc::offset::targ_addr_lo, place(1, 0), message);
        sends.end(0, noc::offset::ret_addr_lo, place(0, 0), flag);
        sends.go(0, noc::ctrl::write | answered, 4);
        sends.wait_for(flag, 1);
        kernel(1, 0, sends);
        expect_good(run(options()));
    }
}

// A tile that another one is beside of stands where the run is, also while one of its cores polls and another one computes.
TEST_P(ChipSteps, ATileIsLookedAtAsItIs) {
    make(columns, 2);
    auto works = words(), polls = words(), stores = words();
    works.spend(3000);
    polls.wait_for(flag, 1);
    kernels(0, 0, {{RiscvCore::b, works}, {RiscvCore::t0, polls}});
    for (std::uint32_t i = 0; i < 300; ++i) {
        stores.poke(message, i);
        stores.spend(3);
    }
    stores.spend(3000);
    kernel(1, 0, stores);
    ChipExecution execution = begin(*chip, 1, 0);
    execution.tile().step_cycles(2000);
    constexpr unsigned retired_of_t0 = 4 + 2;
    std::uint64_t cycle = 0, retired = 0;
    for (const std::uint64_t least : {100u, 110u, 120u}) {
        ASSERT_TRUE(execution.look_at(0, 0));
        const Core& tile = *(*chip->tile(0, 0));
        EXPECT_GE(execution.tile().cycle(), cycle + 80);
        EXPECT_GE(tile.read(*tile.find_section("riscv_count").value(), retired_of_t0), std::max(retired, least));
        cycle = execution.tile().cycle();
        retired = tile.read(*tile.find_section("riscv_count").value(), retired_of_t0);
        execution.tile().step_cycles(100);
    }
    EXPECT_GT(cycle, 2000u);
    EXPECT_LT(cycle, 2400u);
}

TEST_P(ChipSteps, TheSumIsTheRunWithASeedAndThreads) {
    prepare();
    ChipRunOptions how = options();
    how.tile.seed = 5;
    how.threads = 2;
    expect_same_by_any_steps(how);
}

// Tile 1 waits for a word that never comes; the others have ended.
TEST_P(ChipSteps, TheSumIsTheRunThatDoesNotEnd) {
    prepare();
    auto code = words();
    code.wait_for(flag, 99);
    kernel(1, 1, code);
    expect_same_by_any_steps();
    EXPECT_EQ(run(options()).fault.value().code, "deadlock");
}

TEST_P(ChipSteps, TheSumIsTheRunThatAFaultEnds) {
    prepare();
    auto code = words();
    code.spend(150);
    code.write(0, place(1, 1), data, {0, 0}, 0xFFFF'FFF0, 64);  // no tile has that
    kernel(1, 1, code);
    expect_same_by_any_steps();
    EXPECT_EQ(run(options()).fault.value().code, "tile.noc-request");
}

TEST_P(ChipSteps, AWatchStopsAtAPacketOfAnotherTile) {
    prepare();
    ChipExecution all = begin(*chip, 1, 0);
    const Pause pause = all.tile().run_until(at_l1(all.tile().core(), flag));
    ASSERT_EQ(pause.why, Why::written);
    EXPECT_EQ(word(1, 0, flag), 1u);
    ASSERT_EQ(pause.written.size(), 4u);
    EXPECT_EQ(pause.written[0].element, flag);
    EXPECT_EQ(pause.where.instruction, "packet over the NoC");
    // The packet that did it: tile 0's increment, which T1 asked for.
    ASSERT_EQ(all.arrived().size(), 1u);
    const PacketEvent packet = all.arrived()[0];
    EXPECT_EQ(packet.kind, "atomic");
    EXPECT_EQ(packet.asked_by, place(0, 0));
    EXPECT_EQ(packet.core, RiscvCore::t1);
    EXPECT_EQ(packet.address, flag);
    EXPECT_EQ(pause.cycle, packet.arrived);
    EXPECT_THAT(all.where(packet).describe_place(), HasSubstr("kernel.cpp:"));
    // Data were there before.
    EXPECT_EQ(word(1, 0, message), 0x01010101u);
}

TEST_P(ChipSteps, AWordStopsWhenItHolds) {
    prepare();
    ChipExecution all = begin(*chip, 0, 0);
    Breakpoints until;
    until.word = WordCondition{.address = flag, .value = columns};
    EXPECT_EQ(all.tile().run_until(until).why, Why::word);
    EXPECT_EQ(word(0, 0, flag), columns);
    EXPECT_EQ(word(2, 0, flag), 2u);
    EXPECT_FALSE(all.tile().ended());
}

TEST_P(ChipSteps, GoesBackToEachInstruction) {
    prepare();
    ChipExecution all = begin(*chip, 1, 0);
    std::vector<std::pair<std::uint64_t, std::vector<std::byte>>> way;
    const auto here = [&] { return std::pair(all.tile().cycle(), (*chip->tile(1, 0))->image()); };
    way.push_back(here());
    while (all.tile().step().why == Why::instruction) way.push_back(here());
    EXPECT_EQ(way.size(), 12u) << "11 instructions";
    const Result end = result(*chip, all.run());
    for (std::size_t n = way.size() - 1; n > 0; --n) {
        const Pause pause = all.tile().back(n == way.size() - 1 ? 0 : 1);
        EXPECT_EQ(pause.why, Why::instruction);
        EXPECT_EQ(all.tile().instructions(), n);
        EXPECT_TRUE(here() == way[n]) << n;
        EXPECT_FALSE(all.tile().ended());
    }
    EXPECT_EQ(all.tile().back(100).why, Why::instruction);
    EXPECT_EQ(all.tile().instructions(), 0u);
    all.tile().finish();
    EXPECT_TRUE(result(*chip, all.run()) == end);
}

TEST_P(ChipSteps, AnExceptionEndsTheRun) {
    prepare();
    bool throws = true;
    ChipRunOptions how = options();
    how.tile.on_event = [&](const Event&) {
        if (std::exchange(throws, false)) throw std::runtime_error("mine");
    };
    Chip other = *chip;
    const auto whole = other.run(options());
    ASSERT_TRUE(whole);
    ChipExecution all = begin(*chip, 1, 0, how);
    EXPECT_THROW(all.tile().finish(), std::runtime_error);
    EXPECT_TRUE(all.tile().ended());
    ASSERT_TRUE(all.tile().run().fault);
    EXPECT_EQ(all.tile().run().fault->code, "interrupted");
    ASSERT_TRUE(all.run().fault);
    EXPECT_EQ(all.run().fault->code, "interrupted");
    EXPECT_TRUE(all.run().cut_short());
    EXPECT_EQ(all.tile().finish().why, Why::end);
    ASSERT_TRUE(all.look_at(0, 0));
    EXPECT_TRUE(all.tile().ended());
    // It begins again.
    all.tile().back(100);
    EXPECT_FALSE(all.tile().ended());
    all.tile().finish();
    EXPECT_FALSE(all.run().fault);
    EXPECT_EQ(all.run().cycles, whole->cycles);
}

// The way back leads over a packet whose observer throws.
TEST_P(ChipSteps, AnExceptionOnTheWayBackEndsTheRun) {
    make_pair();
    bool throws = false;
    ChipRunOptions how = options();
    how.on_packet = [&](const PacketEvent&) {
        if (throws) throw std::runtime_error("mine");
    };
    for (const bool looks_at_receiver : {false, true}) {
        Chip other = *chip;
        ChipExecution all = begin(other, 0, 0, how);
        run_to_answer(all);
        ASSERT_TRUE(all.look_at(looks_at_receiver, 0));
        all.tile().finish();
        EXPECT_FALSE(all.tile().run().fault);
        throws = true;
        EXPECT_THROW((all.tile().back(looks_at_receiver ? 1 : 0), all.tile().finish()), std::runtime_error);
        throws = false;
        EXPECT_TRUE(all.tile().ended());
        ASSERT_TRUE(all.run().fault);
        EXPECT_EQ(all.run().fault->code, "interrupted");
        // It begins again.
        all.tile().back(100);
        EXPECT_FALSE(all.tile().ended());
        all.tile().finish();
        EXPECT_FALSE(all.run().fault);
    }
}

TEST_P(ChipSteps, OptionsOfATileAreAskedForOnce) {
    prepare();
    unsigned calls = 0;
    ChipRunOptions how = options();
    how.for_tile = [&](unsigned, unsigned, RunOptions& own) {
        if (++calls > columns) throw std::runtime_error("mine");
        own.max_cycles = 90'000;
    };
    ChipExecution all = begin(*chip, 1, 0, how);
    EXPECT_EQ(calls, columns);
    all.tile().step();
    all.tile().step();
    EXPECT_EQ(all.tile().back().why, Why::instruction);
    EXPECT_EQ(all.tile().instructions(), 1u);
    all.tile().finish();
    EXPECT_FALSE(all.run().fault);
}

// Nothing comes to the tile any more, since the run is interrupted before.
TEST_P(ChipSteps, TheWayBackMayEndBeforeTheTileIsThere) {
    make_pair(2000);
    bool is_over = false;
    ChipRunOptions how = options();
    how.tile.max_cycles = 10'000'000;
    how.tile.interrupt = [&] { return is_over; };
    ChipExecution all = begin(*chip, 0, 0, how);
    run_to_answer(all);
    ASSERT_TRUE(all.look_at(1, 0));
    is_over = true;
    all.tile().back();
    all.tile().finish();
    ASSERT_TRUE(all.run().fault);
    EXPECT_EQ(all.run().fault->code, "interrupted");
}

TEST_P(ChipSteps, LooksAtOtherTiles) {
    prepare();
    ChipExecution all = begin(*chip, 2, 0);
    EXPECT_EQ(std::pair(all.column(), all.row()), std::pair(2u, 0u));
    EXPECT_EQ(all.tile().step().why, Why::instruction);
    EXPECT_EQ(all.tile().instructions(), 1u);
    EXPECT_TRUE(all.tile().explanation());
    const std::uint64_t then = all.tile().cycle();
    ASSERT_TRUE(all.look_at(0, 0));
    EXPECT_FALSE(all.tile().explanation());
    EXPECT_EQ(&all.tile().core(), *chip->tile(0, 0));
    Breakpoints until;
    until.instructions.push_back({.thread = 1, .index = {}, .place = "", .name = "ADDDMAREG"});
    EXPECT_EQ(all.tile().run_until(until).why, Why::instruction);
    // Beside each other, as far as packets take time.
    for (const TileProgress& tile : all.tiles()) EXPECT_LT(tile.cycle, then + 100) << tile.column;
    EXPECT_EQ(all.tiles().size(), columns);
    // A tile without kernels is there once something has come to it.
    const auto nothing = all.look_at(0, 1);
    ASSERT_FALSE(nothing);
    EXPECT_EQ(nothing.error().code, "chip.tile");
    EXPECT_EQ(all.look_at(9, 0).error().code, "chip.tile");
    EXPECT_EQ(all.column(), 0u);
}

// Going back, it goes on until that tile is there again.
TEST_P(ChipSteps, LooksAtATileWithoutKernelsOnceSomethingHasComeToIt) {
    make_pair();
    set_word(0, 0, data, 7);
    const ChipRun ran = Chip(*chip).run(options()).value();
    ChipExecution all = begin(*chip, 0, 0);
    EXPECT_FALSE(all.look_at(1, 0));
    run_to_answer(all);
    ASSERT_TRUE(all.look_at(1, 0));
    EXPECT_EQ(word(1, 0, message), 7u);
    EXPECT_EQ(all.tile().back().why, Why::instruction);
    EXPECT_EQ(word(1, 0, message), 0u);
    const auto packet = all.run_to_packet();
    ASSERT_TRUE(packet);
    EXPECT_EQ(packet->kind, "write");
    EXPECT_EQ(word(1, 0, message), 7u);
    all.tile().finish();
    EXPECT_EQ(all.run().cycles, ran.cycles);
    EXPECT_EQ(all.run().tiles.size(), 2u);
}

// Cycles of the whole chip pass, also while the tile sleeps and others do long work.
TEST_P(ChipSteps, CyclesPassForAllTiles) {
    make(2, 1);
    auto waits = words();
    waits.wait_for(flag, 1);
    kernel(0, 0, waits);
    auto works = words();
    for (unsigned n = 0; n < 200; ++n) {
        works.spend(10);
        works.poke(data, n);
    }
    works.increment(0, place(1, 0), place(0, 0), flag, 1);
    kernel(1, 0, works);
    ChipExecution all = begin(*chip, 0, 0);
    constexpr std::uint64_t cycles = 50;
    for (std::uint64_t at = cycles; at < 1000; at += cycles) {
        EXPECT_EQ(all.tile().step_cycles(cycles).why, Why::cycle);
        const auto other = all.tiles()[1].cycle;
        EXPECT_NEAR(static_cast<double>(other), static_cast<double>(at), 2 * cycles) << at;
    }
    EXPECT_THAT(all.tiles()[0].waiting[static_cast<std::size_t>(0)].who, testing::Not(testing::IsEmpty()));
}

TEST_P(ChipSteps, PacketsLeaveAndReachTheTile) {
    prepare();
    using Seen = std::tuple<std::uint64_t, std::string, bool, std::uint64_t, std::uint32_t>;
    std::vector<Seen> expected;
    Chip other = *chip;
    ChipRunOptions how = options();
    how.on_packet = [&](const PacketEvent& one) {
        if (one.from == place(1, 0)) expected.push_back({one.sent, std::string(one.kind), true, one.address, one.bytes});
        if (one.to == place(1, 0)) expected.push_back({one.arrived, std::string(one.kind), false, one.address, one.bytes});
    };
    ASSERT_TRUE(other.run(how));
    ChipExecution all = begin(*chip, 1, 0);
    std::vector<Seen> seen;
    while (const auto one = all.run_to_packet()) {
        const bool leaves = one->arrived == 0;
        EXPECT_EQ(leaves ? one->from : one->to, place(1, 0));
        seen.push_back({leaves ? one->sent : one->arrived, std::string(one->kind), leaves, one->address, one->bytes});
        if (leaves) continue;
        EXPECT_GE(all.tile().cycle(), one->arrived);
        EXPECT_TRUE(one->kind != "atomic" || word(1, 0, flag) == 1) << "it has taken effect";
    }
    EXPECT_TRUE(all.tile().ended());
    std::ranges::sort(expected);
    std::ranges::sort(seen);
    EXPECT_EQ(seen, expected);
    EXPECT_GE(seen.size(), 6u);
}

TEST_P(ChipSteps, APacketIsKnownAfterTheTileWasChanged) {
    prepare();
    ChipExecution all = begin(*chip, 0, 0);
    while (const auto one = all.run_to_packet())
        if (one->kind == "write") break;
    ASSERT_TRUE(all.look_at(1, 0));
    const auto first = all.run_to_packet();
    ASSERT_TRUE(first);
    auto packet = first;
    while (packet && packet->kind != "write") packet = all.run_to_packet();
    ASSERT_TRUE(packet);
    EXPECT_EQ(packet->from, place(0, 0));
    EXPECT_EQ(packet->address, message);
}

TEST_P(ChipSteps, RefusesWhatOnlyATileByItselfCanDo) {
    prepare();
    EXPECT_EQ(ChipExecution::begin(*chip, 7, 7).error().code, "chip.tile");
    EXPECT_EQ(ChipExecution::begin(*chip, 0, 1).error().code, "chip.tile");
    EXPECT_EQ(ChipExecution::begin(*chip, 0, 0, {.tile = {.timing = Timing::instant}}).error().code, "chip.timing");
    ChipExecution all = begin(*chip, 0, 0);
    all.tile().step();
    const Execution::Snapshot snapshot = all.tile().snapshot();
    EXPECT_EQ(snapshot.instructions(), 1u);
    EXPECT_EQ(all.tile().restore(snapshot).error().code, "chip.steps");
    Core core(GetParam());
    EXPECT_EQ(Execution::begin(core, snapshot).error().code, "chip.steps");
    EXPECT_EQ(all.tile().write_l1(0, std::vector<std::byte>(4)).error().code, "chip.steps");
    EXPECT_EQ(all.tile().reset(RiscvCore::t1).error().code, "chip.steps");
}

INSTANTIATE_TEST_SUITE_P(Chips, ChipSteps, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& chip) { return std::string(name(chip.param)); });

}  // namespace
}  // namespace tessera::test
