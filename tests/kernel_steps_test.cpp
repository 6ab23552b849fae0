// SPDX-License-Identifier: Apache-2.0
// Runs of kernels in steps: together they are the whole run, they stop at what cores do, and a host acts between them in its cycle.
#include <gtest/gtest.h>

#include "state/tile.hpp"
#include "support/chip_kernels.hpp"
#include "support/kernel_image.hpp"
#include "support/macro_run.hpp"
#include "tessera/assembly.hpp"
#include "tessera/chip_execution.hpp"
#include "tessera/core.hpp"
#include "tessera/execution.hpp"

namespace tessera::test {
namespace {

constexpr std::uint32_t word = 0x3'1000, wall_clock = 0xFFB1'21F0;

class KernelSteps : public testing::TestWithParam<Arch> {
protected:
    KernelSteps() { kernels.arch = GetParam(); }
    KernelWords words() const { return KernelWords(GetParam()); }
    void set(RiscvCore core, KernelWords code) {
        code.code.push_back(rv::halt);
        const auto number = static_cast<std::size_t>(core);
        kernels.images[number] = image_of(core, code.code, 0x6000 + 0x2000 * static_cast<std::uint32_t>(number));
    }
    Core loaded() const {
        Core core(GetParam(), Reset::vendor_sim);
        EXPECT_TRUE(core.load(kernels));
        return core;
    }
    static std::uint32_t read(const Core& core, std::uint32_t address) {
        std::uint32_t value = 0;
        std::memcpy(&value, core.read_l1(address, sizeof value).value().data(), sizeof value);
        return value;
    }
    /// A kernel of T1 that schedules instructions of the vector unit, and lets time pass before they are due.
    KernelWords schedules() const {
        auto code = words();
        const auto push = [&](const std::string& text) {
            const auto made = assemble(text, GetParam());
            ASSERT_TRUE(made);
            for (const Op& op : made->threads[0]) code.code.push_back(rv::ttinsn(op.value));
        };
        push(set_sequence(0, {nop_after(5), {}, {}, {}}));
        push(set_misc(0));
        for (unsigned i = 0; i < 4; ++i) {
            push(macro(0, 0, 0));
            code.spend(20);
        }
        code.poke(word, 77);
        return code;
    }
    /// Stores the numbers from `first` down to 1, there and far behind.
    static void count_down(KernelWords& code, std::uint32_t first, std::uint32_t address = word) {
        constexpr int far_behind = 0x400;
        code.put(rv::a6, address);
        code.put(rv::a5, first);
        code.code.push_back(rv::store(rv::Op::sw, rv::a5, 0, rv::a6));
        code.code.push_back(rv::store(rv::Op::sw, rv::a5, far_behind, rv::a6));
        code.code.push_back(rv::i(rv::Op::addi, rv::a5, rv::a5, -1));
        code.code.push_back(rv::branch(rv::Op::bne, rv::a5, rv::zero, -12));
    }
    KernelWords counts_down(std::uint32_t first, std::uint32_t address = word) const {
        auto code = words();
        count_down(code, first, address);
        return code;
    }

    Kernels kernels;
};

TEST_P(KernelSteps, AreTheWholeRunIfInstructionsAreScheduled) {
    set(RiscvCore::t1, schedules());
    for (const Timing timing : {Timing::documented, Timing::silicon, Timing::instant}) {
        RunOptions options;
        options.timing = timing;
        Core core = loaded();
        const tessera::Run whole = core.run(kernels, options).value();
        EXPECT_EQ(read(core, word), 77u);
        for (const unsigned cycles : {1u, 10u}) {
            Core stepped = loaded();
            Execution execution = Execution::begin(stepped, kernels, options).value();
            while (!execution.ended()) execution.step_cycles(cycles);
            EXPECT_EQ(execution.run().cycles, whole.cycles);
            EXPECT_EQ(execution.run().instructions, whole.instructions);
            EXPECT_EQ(read(stepped, word), 77u);
        }
    }
}

TEST_P(KernelSteps, AChipEndsIfInstructionsAreScheduled) {
    set(RiscvCore::t1, schedules());
    ChipOptions options;
    options.grid = ChipOptions::Size{2, 1};
    Chip chip = Chip::make(GetParam(), options).value();
    ASSERT_TRUE(chip.load(0, 0, kernels));
    kernels.images = {};
    set(RiscvCore::b, counts_down(400));
    ASSERT_TRUE(chip.load(1, 0, kernels));
    ChipRunOptions run;
    run.tile.max_cycles = 10'000;
    unsigned asked = 0;
    run.tile.interrupt = [&] { return ++asked > 10'000; };
    const ChipRun ended = chip.run(run).value();
    EXPECT_TRUE(ended.good());
    EXPECT_EQ(read(**chip.tile(0, 0), word), 77u);
}

TEST_P(KernelSteps, AFindingAtLevelErrorEndsTheRunAtOnce) {
    auto moves = words();
    constexpr std::uint32_t mover = 0xFFB1'1000, move = 0x40;
    moves.poke(mover, 0x4'0000 / 16);
    moves.poke(mover + 4, word / 16);
    moves.poke(mover + 8, 8);
    moves.poke(mover + 12, 3);
    moves.poke(mover + 16, move);
    set(RiscvCore::b, moves);
    auto stores = words();
    stores.spend(60);
    count_down(stores, 3000);
    set(RiscvCore::t2, stores);
    RunOptions options;
    options.levels["hazard.core-l1"] = Level::error;
    Core core = loaded();
    const tessera::Run whole = core.run(kernels, options).value();
    ASSERT_EQ(whole.findings.size(), 1u);
    EXPECT_EQ(whole.findings[0].code, "hazard.core-l1");
    EXPECT_EQ(whole.findings[0].count, 1u);
    Core stepped = loaded();
    Execution execution = Execution::begin(stepped, kernels, options).value();
    while (!execution.ended()) execution.step_cycles(1);
    EXPECT_EQ(read(core, word), read(stepped, word));
    EXPECT_EQ(whole.cycles, execution.run().cycles);
}

TEST_P(KernelSteps, AHostActsInTheCycleThatTheRunHasComeTo) {
    set(RiscvCore::b, counts_down(2000));
    auto late = words();
    late.peek(rv::a4, wall_clock);
    late.peek(rv::a3, word);
    late.keep(rv::a4, word + 16);
    late.keep(rv::a3, word + 20);
    set(RiscvCore::t0, late);
    kernels.in_reset[static_cast<std::size_t>(RiscvCore::t0)] = true;
    HostStep start;
    start.at = 1000;
    start.what = HostStep::What::start;
    start.cores[static_cast<std::size_t>(RiscvCore::t0)] = true;
    Kernels hosted = kernels;
    hosted.host.push_back(start);
    Core core = loaded();
    ASSERT_TRUE(core.run(hosted));
    Core stepped = loaded();
    Execution execution = Execution::begin(stepped, kernels).value();
    Breakpoints there;
    there.cycle = 1000;
    execution.run_until(there);
    ASSERT_TRUE(execution.start(RiscvCore::t0));
    execution.finish();
    EXPECT_GE(read(core, word + 16), 1000u);
    EXPECT_EQ(read(stepped, word + 16), read(core, word + 16));
    EXPECT_EQ(read(stepped, word + 20), read(core, word + 20));
}

TEST_P(KernelSteps, AWatchStopsAtEachStoreOfACore) {
    set(RiscvCore::b, counts_down(10));
    const std::size_t l1 = loaded().find_section("l1").value()->id;
    using Stores = std::vector<std::pair<std::uint32_t, std::uint64_t>>;
    Stores told, seen;
    RunOptions options;
    options.on_write = [&](const Write& write) {
        for (const StateElement& element : write.elements)
            if (element.section == l1 && element.element == word) told.emplace_back(element.value, write.cycle);
    };
    Core core = loaded();
    ASSERT_TRUE(core.run(kernels, options));
    ASSERT_EQ(told.size(), 10u);
    Core stepped = loaded();
    Execution execution = Execution::begin(stepped, kernels).value();
    Breakpoints watch;
    watch.written.push_back({l1, word + 1, 2});
    watch.written.push_back({l1, word, 1});
    while (!execution.ended()) {
        const Pause pause = execution.run_until(watch);
        if (pause.why != Pause::Why::written) continue;
        seen.emplace_back(pause.written.front().value, pause.cycle);
        EXPECT_EQ(read(stepped, word), pause.written.front().value);
    }
    EXPECT_EQ(seen, told);
}

// The finding about the address comes behind the store.
TEST_P(KernelSteps, AWatchStopsAtStoresThatAreMisaligned) {
    set(RiscvCore::b, counts_down(10, word + 1));
    Core core = loaded();
    Execution execution = Execution::begin(core, kernels).value();
    Breakpoints watch;
    watch.written.push_back({core.find_section("l1").value()->id, word, 4});
    unsigned stops = 0;
    while (!execution.ended()) stops += execution.run_until(watch).why == Pause::Why::written;
    EXPECT_GE(stops, 10u);
}

TEST_P(KernelSteps, AWatchOfAChipStopsAtEachStore) {
    set(RiscvCore::b, counts_down(10));
    ChipOptions options;
    options.grid = ChipOptions::Size{1, 1};
    Chip chip = Chip::make(GetParam(), options).value();
    ASSERT_TRUE(chip.load(0, 0, kernels));
    ChipExecution tiles = ChipExecution::begin(chip, 0, 0).value();
    Execution& execution = tiles.tile();
    Breakpoints watch;
    watch.written.push_back({(*chip.tile(0, 0))->find_section("l1").value()->id, word, 1});
    unsigned stops = 0;
    while (!execution.ended()) stops += execution.run_until(watch).why == Pause::Why::written;
    EXPECT_EQ(stops, 10u);
}

TEST_P(KernelSteps, AWordIsSeenOnceItHolds) {
    set(RiscvCore::b, counts_down(10));
    Core core = loaded();
    Execution execution = Execution::begin(core, kernels).value();
    Breakpoints five;
    five.word = WordCondition{word, 5};
    EXPECT_EQ(execution.run_until(five).why, Pause::Why::word);
    EXPECT_EQ(read(core, word), 5u);
}

// T1 waits for its own store, goes on for long, and ends: how long it waits, and how long the front ends wait for instructions.
// A request has written the word on the way that the run does not take any more.
TEST_P(KernelSteps, AHangNamesTheLastStoreOfItsOwnWay) {
    constexpr std::uint32_t choice = 0x3'2000, source = 0x3'3000, with_request = 1, without = 2;
    const auto at = state::noc_place(GetParam());
    const NocPlace own{at.x, at.y};
    auto request = words();
    request.write(0, own, source, own, word, 4);
    auto b = words();
    b.put(rv::a6, choice);
    b.put(rv::a5, without);
    b.code.push_back(rv::fence);
    b.code.push_back(rv::i(rv::Op::lw, rv::a4, rv::a6, 0));
    b.code.push_back(rv::branch(rv::Op::beq, rv::a4, rv::zero, -8));
    b.code.push_back(rv::branch(rv::Op::beq, rv::a4, rv::a5, 4 * (static_cast<int>(request.code.size()) + 1)));
    b.code.insert(b.code.end(), request.code.begin(), request.code.end());
    b.wait_for(word, 77);
    set(RiscvCore::b, b);
    auto t0 = words();
    t0.poke(word, 5);
    set(RiscvCore::t0, t0);
    Core core = loaded();
    auto steps = Execution::begin(core, kernels);
    ASSERT_TRUE(steps);
    steps->step_cycles(1000);
    const auto before = steps->snapshot();
    const auto hang_of = [&](std::uint32_t chosen) {
        EXPECT_TRUE(steps->restore(before));
        EXPECT_TRUE(steps->write_l1(choice, std::as_bytes(std::span(&chosen, 1))));
        steps->finish();
        return steps->run().describe_blocked();
    };
    const std::string only_store = hang_of(without), store_and_request = hang_of(with_request);
    EXPECT_NE(only_store.find("the store at"), std::string::npos) << only_store;
    EXPECT_EQ(store_and_request.find("the store at"), std::string::npos) << store_and_request;
    EXPECT_EQ(hang_of(without), only_store);
}

TEST_P(KernelSteps, TellTheSameWaitsAsTheWholeRun) {
    auto code = words();
    code.poke(0xFFE0'0004, 3);
    code.code.push_back(rv::i(rv::Op::lw, rv::a4, rv::a6, 0));
    code.code.push_back(rv::r(rv::Op::add, rv::a4, rv::a4, rv::a4));
    count_down(code, 200);
    set(RiscvCore::t1, code);
    using Told = std::vector<std::tuple<int, std::uint64_t, std::uint64_t>>;
    const auto run = [&](bool in_steps, bool observed) {
        Told told;
        RunOptions options;
        if (observed)
            options.on_wait = [&](const Wait& wait) {
                if (wait.core == static_cast<int>(RiscvCore::t1) && wait.reason.starts_with("its own")) told.emplace_back(wait.core, wait.begin, wait.end);
            };
        Core core = loaded();
        if (!in_steps) return std::pair(told, core.run(kernels, options).value().waits);
        Execution execution = Execution::begin(core, kernels, options).value();
        while (!execution.ended()) execution.step_cycles(1);
        return std::pair(told, execution.run().waits);
    };
    const auto [told, waits] = run(true, true);
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(run(false, true).first, told);
    for (const bool observed : {false, true}) {
        const auto whole = run(false, observed).second;
        ASSERT_EQ(whole.size(), waits.size());
        for (std::size_t i = 0; i < waits.size(); ++i) {
            EXPECT_EQ(whole[i].reason, waits[i].reason);
            EXPECT_EQ(whole[i].cycles, waits[i].cycles) << waits[i].reason;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Chips, KernelSteps, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& one) { return std::string(name(one.param)); });

}  // namespace
}  // namespace tessera::test
