// SPDX-License-Identifier: Apache-2.0
// When things happen on a chip that a host drives: however it lets time pass, and wherever it looks.
#include <algorithm>

#include "support/hosted_chip.hpp"

namespace tessera::test {
namespace {

class HostedChipTime : public HostedChipTest {
protected:
    static constexpr std::uint64_t told_at = 3000;
    static constexpr std::uint32_t wall_clock = 0xFFB1'21F0;
    const NocPlace sender{1, 3}, relay{2, 3}, counter{2, 2};

    /// Counts in s0 the rounds until the tile's flag is set.
    KernelWords counts_rounds() const {
        auto counts = words();
        counts.put(rv::s0, 0);
        counts.put(rv::a6, flag);
        counts.code.push_back(rv::i(rv::Op::addi, rv::s0, rv::s0, 1));
        counts.code.push_back(rv::fence);
        counts.code.push_back(rv::i(rv::Op::lw, rv::a4, rv::a6, 0));
        counts.code.push_back(rv::branch(rv::Op::beq, rv::a4, rv::zero, -12));
        return counts;
    }

    /// The sender tells the relay on NoC 0, which sleeps until then and tells the counter on NoC 1: two hops. Neither NoC alone leads from the
    /// sender to the counter in fewer than ten.
    void start_relay(std::uint32_t spent = 100) {
        auto sends = words();
        sends.wait_for(flag, 1);
        sends.spend(spent);
        sends.write(0, sender, flag, relay, flag, 4);
        start(sender, sends);
        auto relays = words();
        // Its request waits for the last store only.
        const std::uint32_t niu = KernelWords::niu(1);
        relays.end(1, noc::offset::targ_addr_lo, relay, flag);
        relays.end(1, noc::offset::ret_addr_lo, counter, flag);
        relays.poke(niu + noc::offset::ctrl, noc::ctrl::write | noc::ctrl::response_marked);
        relays.poke(niu + noc::offset::at_len_be, 4);
        relays.put(rv::a7, 1);
        relays.wait_for(flag, 1);
        relays.keep(rv::a7, niu + noc::register_map(GetParam()).cmd_ctrl);
        start(relay, relays);
        auto counts = counts_rounds();
        counts.keep(rv::s0, answer);
        start(counter, counts);
    }
    /// Rounds of the counter until it is told.
    std::uint32_t rounds(std::uint64_t step, const HostedChipOptions& options = {}, std::uint32_t spent = 100) {
        power_on(options);
        start_relay(spent);
        while (chip->cycle() < told_at) chip->clock(std::min(step, told_at - chip->cycle()));
        write(sender, flag, 1);
        while (chip->cycle() < 3 * told_at) chip->clock(step);
        return read(counter, answer);
    }
};

TEST_P(HostedChipTime, ARelayIsInTimeForATileThatIsAhead) {
    for (std::uint32_t spent = 10; spent < 130; ++spent) {
        const std::uint32_t one_by_one = rounds(1, {}, spent);
        EXPECT_GT(one_by_one, 200u);
        EXPECT_EQ(rounds(7, {}, spent), one_by_one) << spent;
        EXPECT_EQ(rounds(10'000, {}, spent), one_by_one) << spent;
    }
}

TEST_P(HostedChipTime, TilesThatStayBehindDoTheSame) {
    HostedChipOptions lazy;
    lazy.lag = 256;
    const std::uint32_t one_by_one = rounds(1);
    EXPECT_EQ(rounds(1, lazy), one_by_one);
    EXPECT_EQ(rounds(100, lazy), one_by_one);
    lazy.threads = 2;
    EXPECT_EQ(rounds(1, lazy), one_by_one);
}

// The host polls each tile, so that each goes ahead of the others at times.
TEST_P(HostedChipTime, AHostThatPollsSeesAnAnswerInTheSameCycle) {
    const auto cycle_of_answer = [&](std::uint64_t lag, std::vector<NocPlace> looks) {
        HostedChipOptions options;
        options.lag = lag;
        power_on(options);
        start_relay();
        write({0, 0}, 0x1'0000, 1);
        while (chip->cycle() < told_at) {
            for (NocPlace at : looks) EXPECT_EQ(read(at, answer), 0u);
            chip->clock(1);
        }
        write(sender, flag, 1);
        while (read(counter, answer) == 0 && chip->cycle() < 3 * told_at) {
            for (NocPlace at : looks) read(at, answer);
            chip->clock(1);
        }
        return std::pair(chip->cycle(), read(counter, answer));
    };
    const auto at_once = cycle_of_answer(0, {});
    EXPECT_LT(at_once.first, 2 * told_at);
    EXPECT_EQ(cycle_of_answer(256, {}), at_once);
    EXPECT_EQ(cycle_of_answer(256, {sender}), at_once);
    EXPECT_EQ(cycle_of_answer(256, {relay, {0, 0}, {0, 1}, {4, 4}, sender}), at_once);
}

TEST_P(HostedChipTime, ReportsOfTilesThatStayBehindComeInTheEnd) {
    HostedChipOptions lazy;
    lazy.lag = 1000;
    power_on(lazy);
    auto code = words();
    code.peek(rv::a4, 0x8000'0000);  // nothing is there
    start(first, code);
    chip->clock(500);
    EXPECT_TRUE(chip->take_reports().empty());
    chip->catch_up();
    EXPECT_EQ(chip->take_reports().size(), 1u);
    EXPECT_EQ(chip->cycle(), 500u);
}

// Many tiles: their horizons are found together.
TEST_P(HostedChipTime, ManyTilesPassATokenInTheSameCyclesWhateverTheStep) {
    const auto answers = [&](std::uint64_t step, std::uint64_t lag) {
        HostedChipOptions options;
        options.lag = lag;
        power_on(options);
        const auto tiles = noc::tensix_tiles(GetParam());
        constexpr std::size_t count = 40;
        const auto place = [&](std::size_t i) { return NocPlace{tiles[i].x, tiles[i].y}; };
        for (std::size_t i = 0; i < count; ++i) {
            auto code = counts_rounds();
            code.write(i % 2, place(i), flag, place((i * 7 + 3) % count), flag, 4);
            code.keep(rv::s0, answer);
            start(place(i), code);
        }
        write(place(0), flag, 1);
        std::vector<std::uint32_t> all;
        while (chip->cycle() < 20'000) chip->clock(step);
        for (std::size_t i = 0; i < count; ++i) all.push_back(read(place(i), answer));
        return all;
    };
    const auto one_by_one = answers(1, 0);
    EXPECT_GT(std::count_if(one_by_one.begin(), one_by_one.end(), [](std::uint32_t rounds) { return rounds != 0; }), 3);
    EXPECT_EQ(answers(10'000, 0), one_by_one);
    EXPECT_EQ(answers(1, 200), one_by_one);
}

// T0 polls a word that the host writes, while B stores elsewhere. The host's access comes before what cores do in its cycle, and a load of
// a register changes nothing.
TEST_P(HostedChipTime, ACoreThatPollsHearsOfTheHostInItsCycle) {
    constexpr std::uint32_t t0_begins = 0x6000, b_and_t0_run = all_in_reset & ~0x1800u;
    constexpr std::uint32_t polled = 0x9000, told = 0x9040;
    const auto time_of_t0 = [&](std::uint64_t cycle, bool loads, bool observed) {
        HostedChipOptions options;
        if (observed) options.tile.on_write = [](const Write&) {};
        power_on(options);
        auto stores = words(), polls = words();
        stores.put(rv::a6, data);
        stores.code.push_back(rv::store(rv::Op::sw, rv::t1, 0, rv::a6));
        stores.code.push_back(rv::i(rv::Op::addi, rv::t1, rv::t1, 1));
        stores.code.push_back(rv::jal(rv::zero, -8));
        polls.wait_for(polled, 1);
        polls.peek(rv::a4, wall_clock);
        polls.keep(rv::a4, told);
        place_code(first, stores);
        place_code(first, polls, t0_begins);
        write(first, soft_reset, b_and_t0_run);
        chip->clock(cycle);
        if (loads) {
            read(first, wall_clock + 8);
            chip->clock(500);
        }
        write(first, polled, 1);
        chip->clock(500);
        return read(first, told);
    };
    for (const bool loads : {false, true})
        for (std::uint64_t cycle = 300; cycle < 330; ++cycle) {
            const std::uint32_t time = time_of_t0(cycle, loads, false);
            EXPECT_GT(time, cycle) << cycle;
            EXPECT_EQ(time, time_of_t0(cycle, loads, true)) << cycle << (loads ? ", after a load" : "");
        }
}

// All cores of the tile poll, so it sleeps, and the host comes in the middle of a round.
TEST_P(HostedChipTime, ATileThatSleepsHearsOfTheHostInItsCycle) {
    const auto answered_at = [&](std::uint64_t cycle, std::uint64_t step, bool observed) {
        HostedChipOptions options;
        if (observed) options.tile.on_write = [](const Write&) {};
        power_on(options);
        auto polls = words();
        polls.wait_for(flag, 1);
        polls.peek(rv::a4, wall_clock);
        polls.keep(rv::a4, answer);
        start(first, polls);
        while (chip->cycle() < cycle) chip->clock(std::min(step, cycle - chip->cycle()));
        write(first, flag, 1);
        chip->clock(500);
        return read(first, answer);
    };
    for (std::uint64_t cycle = 3000; cycle < 3012; ++cycle) {
        const std::uint32_t observed = answered_at(cycle, 10'000, true);
        EXPECT_GT(observed, cycle);
        for (const std::uint64_t step : {1, 17, 10'000}) EXPECT_EQ(answered_at(cycle, step, false), observed) << cycle << " in steps of " << step;
    }
}

TEST_P(HostedChipTime, TheClockOfATileThatSleepsGoesOn) {
    for (const bool in_reset : {false, true})
        for (const std::uint64_t step : {7, 10'000}) {
            power_on();
            if (!in_reset) start(first, echo(1));
            const auto clock_at = [&](std::uint64_t cycle) {
                while (chip->cycle() < cycle) chip->clock(std::min(step, cycle - chip->cycle()));
                return read(first, wall_clock);
            };
            EXPECT_EQ(clock_at(5000), 5000u);
            EXPECT_EQ(clock_at(40'000), 40'000u);
            if (in_reset) continue;
            write(first, flag, 1);
            chip->clock(100);
            EXPECT_EQ(read(first, answer), 1u);
        }
}

// A core asks memory for something, and its tile sleeps until the answer comes.
TEST_P(HostedChipTime, AnAnswerWakesATileThatIsAhead) {
    for (const std::uint64_t lag : {0, 256, 5000}) {
        HostedChipOptions lazy;
        lazy.lag = lag;
        power_on(lazy);
        auto asks = words();
        asks.read(0, {0, 0}, 0x1000, first, 0x9000, 64);
        constexpr auto answers = static_cast<std::uint32_t>(noc::Counter::mst_rd_resp_received);
        asks.wait_for(KernelWords::niu(0) + noc::offset::counters_begin + 4 * answers, 1, false);
        asks.poke(answer, 1);
        start(first, asks);
        chip->clock(3000);
        EXPECT_EQ(read(first, answer), 1u) << "lag " << lag;
    }
}

INSTANTIATE_TEST_SUITE_P(Chips, HostedChipTime, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& one) { return std::string(name(one.param)); });

}  // namespace
}  // namespace tessera::test
