// SPDX-License-Identifier: Apache-2.0
// The run of a chip ends in the first cycle in which all tiles are done, whatever their kernels do from then on.
#include <gtest/gtest.h>

#include <algorithm>

#include "chip/debug_view.hpp"
#include "support/chip_kernels.hpp"
#include "tessera/chip_execution.hpp"

namespace tessera::test {
namespace {

/// What a core does once its tile is done.
enum class Then : std::uint8_t { counts, stores, reads_clock };
constexpr Then every_then[] = {Then::counts, Then::stores, Then::reads_clock};

class ChipEnd : public ChipKernels {
protected:
    static constexpr std::uint32_t counter = 0x4000, data = 0x2000, clock = 0xFFB1'21F0, phase = done + 4;
    static constexpr std::uint64_t most = 1000;

    /// The core never ends.
    KernelWords for_ever(KernelWords words, Then then) const {
        words.put(rv::a4, 0);
        words.put(rv::a6, then == Then::reads_clock ? clock : counter);
        const std::size_t loop = words.code.size();
        if (then == Then::reads_clock)
            words.code.push_back(rv::i(rv::Op::lw, rv::a4, rv::a6, 0));
        else
            words.code.push_back(rv::i(rv::Op::addi, rv::a4, rv::a4, 1));
        if (then == Then::stores) words.code.push_back(rv::store(rv::Op::sw, rv::a4, 0, rv::a6));
        const int back = static_cast<int>(words.code.size() - loop) * -4;
        words.code.push_back(rv::branch(rv::Op::beq, rv::zero, rv::zero, back));
        return words;
    }
    Kernels kernels_of(const KernelWords& words, std::vector<Kernels::Word> until = {{done, 1}}) const {
        Kernels kernels;
        kernels.arch = GetParam();
        kernels.images[0] = image_of(RiscvCore::b, words.code, entry);
        kernels.done = std::move(until);
        return kernels;
    }
    /// Done after so many rounds, the core goes on.
    Kernels goes_on(std::uint32_t rounds, Then then = Then::counts) const {
        KernelWords code = words();
        code.spend(rounds);
        code.poke(done, 1);
        return kernels_of(for_ever(std::move(code), then));
    }
    void load(unsigned column, unsigned row, const Kernels& kernels) {
        const auto loaded = chip->load(column, row, kernels);
        ASSERT_TRUE(loaded) << loaded.error().describe();
    }
    /// The cycle in which the tile by itself ends. `count`: what it has stored until then.
    std::uint64_t alone(const Kernels& kernels, std::uint32_t* count = nullptr) const {
        Core core(GetParam(), Reset::vendor_sim);
        EXPECT_TRUE(core.load(kernels));
        RunOptions options;
        options.max_cycles = most;
        const auto ran = core.run(kernels, options);
        EXPECT_TRUE(ran && !ran->fault);
        if (count) std::memcpy(count, core.read_l1(counter, 4)->data(), 4);
        return ran->cycles;
    }
    static ChipRunOptions options(unsigned threads) {
        ChipRunOptions options;
        options.threads = threads;
        options.tile.max_cycles = most;
        return options;
    }
    ChipRun run_of(unsigned threads) {
        auto ran = chip->run(options(threads));
        EXPECT_TRUE(ran) << ran.error().describe();
        EXPECT_FALSE(ran->fault) << ran->fault->describe();
        return std::move(*ran);
    }
    static std::uint64_t cycles_of(const ChipRun& run, unsigned column) {
        const auto tile = std::find_if(run.tiles.begin(), run.tiles.end(), [&](const TileRun& one) { return one.column == column; });
        return tile->run.cycles;
    }
};

TEST_P(ChipEnd, ATileThatGoesOnEndsAsByItself) {
    for (const Then then : every_then)
        for (const unsigned columns : {1u, 4u})
            for (const unsigned threads : {1u, 2u}) {
                SCOPED_TRACE(testing::Message() << static_cast<int>(then) << ' ' << columns << ' ' << threads);
                make(columns, 1);
                const Kernels kernels = goes_on(60, then);
                load(0, 0, kernels);
                std::uint32_t count = 0;
                const std::uint64_t expected = alone(kernels, &count);
                const ChipRun ran = run_of(threads);
                EXPECT_EQ(ran.cycles, expected);
                EXPECT_EQ(cycles_of(ran, 0), expected);
                EXPECT_EQ(word(0, 0, counter), count);
            }
}

TEST_P(ChipEnd, TilesThatSleepChangeNothing) {
    for (const Then then : every_then)
        for (const unsigned threads : {1u, 2u}) {
            SCOPED_TRACE(testing::Message() << static_cast<int>(then) << ' ' << threads);
            make(4, 1);
            const Kernels kernels = goes_on(100, then);
            load(1, 0, kernels);
            for (const unsigned column : {0u, 2u, 3u}) {
                auto ends = words();
                ends.spend(1 + column);
                kernel(column, 0, ends);
            }
            const ChipRun ran = run_of(threads);
            EXPECT_EQ(ran.cycles, alone(kernels));
            EXPECT_EQ(cycles_of(ran, 1), ran.cycles);
        }
}

// One of them may have come further, as far as it could before it would know of the other one.
TEST_P(ChipEnd, TheLastTileDecides) {
    for (const Then then : every_then)
        for (const auto& [first, second] : {std::pair(20u, 120u), std::pair(120u, 20u), std::pair(60u, 60u), std::pair(60u, 61u)})
            for (const unsigned threads : {1u, 2u}) {
                SCOPED_TRACE(testing::Message() << static_cast<int>(then) << ' ' << first << ' ' << second << ' ' << threads);
                make(6, 6);
                const Kernels a = goes_on(first, then), b = goes_on(second, then);
                load(0, 0, a);
                load(5, 5, b);
                const ChipRun ran = run_of(threads);
                EXPECT_EQ(ran.cycles, std::max(alone(a), alone(b)));
                constexpr std::uint64_t way = 250;  // the longest
                for (const unsigned column : {0u, 5u}) EXPECT_LT(cycles_of(ran, column), ran.cycles + way) << column;
            }
}

// Tile 0 is done, is not, is done again, and is not any more.
TEST_P(ChipEnd, WordsMustHoldInTheSameCycle) {
    auto code = words();
    code.spend(60);
    code.poke(done, 1);
    code.spend(25);
    code.poke(done, 2);
    code.spend(25);
    code.poke(phase, 1);
    code.poke(done, 1);
    code.spend(25);
    code.poke(done, 3);
    const KernelWords all = for_ever(std::move(code), Then::stores);
    const Kernels brief = kernels_of(all);
    struct Span {
        std::uint64_t first, last;
    };
    const Span spans[] = {{alone(brief), alone(kernels_of(all, {{done, 2}}))},
                          {alone(kernels_of(all, {{done, 1}, {phase, 1}})), alone(kernels_of(all, {{done, 3}}))}};
    make(1, 1);
    load(0, 0, brief);
    EXPECT_EQ(run_of(1).cycles, spans[0].first);
    unsigned ends = 0, goes_past = 0, never = 0;
    for (const unsigned other : {1u, 5u})
        for (std::uint32_t rounds = 40; rounds < 200; rounds += 3) {
            SCOPED_TRACE(testing::Message() << other << ' ' << rounds);
            make(6, 6);
            const Kernels late = goes_on(rounds);
            load(0, 0, brief);
            load(other, other, late);
            const std::uint64_t at = alone(late);
            const auto* const span = std::find_if(std::begin(spans), std::end(spans), [&](const Span& one) { return at <= one.last; });
            const auto ran = chip->run(options(1 + rounds % 2));
            ASSERT_TRUE(ran);
            if (span == std::end(spans)) {
                ASSERT_TRUE(ran->fault);
                EXPECT_EQ(ran->fault->code, "no-progress");
                ++never;
                continue;
            }
            ASSERT_FALSE(ran->fault) << ran->fault->describe();
            EXPECT_EQ(ran->cycles, std::max(at, span->first));
            ++(span == spans ? ends : goes_past);
        }
    EXPECT_GT(std::min({ends, goes_past, never}), 0u) << "the rounds reach all cases: " << ends << ' ' << goes_past << ' ' << never;
}

// The acknowledgement of a write is the last packet.
TEST_P(ChipEnd, NoPacketIsLeftOnItsWay) {
    for (const Then then : every_then)
        for (const unsigned threads : {1u, 2u}) {
            SCOPED_TRACE(testing::Message() << static_cast<int>(then) << ' ' << threads);
            make(2, 1);
            set_word(0, 0, data, 77);
            auto code = words();
            code.write(0, place(0, 0), data, place(1, 0), data, 4);
            code.poke(done, 1);
            load(0, 0, kernels_of(for_ever(std::move(code), then)));
            std::vector<PacketEvent> packets;
            ChipRunOptions how = options(threads);
            how.on_packet = [&](const PacketEvent& packet) { packets.push_back(packet); };
            const auto ran = chip->run(how);
            ASSERT_TRUE(ran && !ran->fault);
            ASSERT_EQ(packets.size(), 2u);
            EXPECT_EQ(packets[1].kind, "write ack");
            EXPECT_EQ(ran->cycles, packets[1].arrived);
            EXPECT_EQ(word(1, 0, data), 77u);
        }
}

// Tile 1's increment makes tile 0 done for some cycles, and its answer is on its way to a tile that sleeps. A debugger advances all
// tiles together.
TEST_P(ChipEnd, APacketToATileThatSleepsHidesNoEnd) {
    for (std::uint32_t rounds = 80; rounds < 110; ++rounds) {
        make(1, 3);
        auto code = words();
        code.spend(rounds);
        code.write(0, place(0, 0), data, place(0, 2), data, 4);
        code.poke(done, 2);
        load(0, 0, kernels_of(for_ever(std::move(code), Then::counts)));
        auto increments = words();
        increments.spend(20);
        increments.increment(0, place(0, 1), place(0, 0), done, 1);
        increments.code.push_back(rv::halt);
        load(0, 1, kernels_of(increments, {}));
        Chip together = *chip;
        const auto ran = chip->run(options(1));
        auto view = chip::DebugView::begin(together, options(1));
        ASSERT_TRUE(ran && view);
        while ((*view)->advance() != chip::DebugView::Reached::end) {}
        EXPECT_EQ(ran->cycles, (*view)->result().cycles) << rounds;
        EXPECT_EQ(ran->fault.has_value(), (*view)->result().fault.has_value()) << rounds;
    }
}

TEST_P(ChipEnd, StepsEndInTheSameCycle) {
    make(3, 1);
    load(0, 0, goes_on(60, Then::stores));
    load(2, 0, goes_on(70, Then::reads_clock));
    const Chip begun = *chip;
    const ChipRun ran = run_of(2);
    for (const std::uint64_t cycles : {1u, 7u, 1000u}) {
        Chip stepped = begun;
        auto all = ChipExecution::begin(stepped, 0, 0, options(1));
        ASSERT_TRUE(all);
        while (all->tile().step_cycles(cycles).why != Pause::Why::end) {}
        EXPECT_EQ(all->run().cycles, ran.cycles);
        EXPECT_TRUE(stepped.image() == chip->image());
    }
}

// Values left in L1 by an earlier run must not count as done by this run.
TEST_P(ChipEnd, WhatIsDoneBeforeAnythingHasRunIsTold) {
    make(2, 1);
    for (const unsigned column : {0u, 1u}) load(column, 0, goes_on(20));
    for (const TileRun& tile : run_of(1).tiles) EXPECT_TRUE(tile.run.findings.empty());
    const ChipRun again = run_of(1);
    EXPECT_EQ(again.cycles, 0u);
    ASSERT_EQ(again.tiles.size(), 2u);
    for (const TileRun& tile : again.tiles) {
        ASSERT_EQ(tile.run.findings.size(), 1u);
        EXPECT_EQ(tile.run.findings[0].code, "kernel.done-before");
    }
}

INSTANTIATE_TEST_SUITE_P(Chips, ChipEnd, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& chip) { return std::string(name(chip.param)); });

}  // namespace
}  // namespace tessera::test
