// SPDX-License-Identifier: Apache-2.0
// A run in steps stops at breakpoints and exceptions, can be looked at there, and goes back.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/made_job.hpp"
#include "support/matmul_example.hpp"
#include "support/same_state.hpp"
#include "tessera/assembly.hpp"
#include "tessera/execution.hpp"
#include "tessera/job.hpp"

namespace tessera::test {
namespace {

using Why = Pause::Why;

class Breaks : public testing::Test {
protected:
    Breaks() : made_(made_of("add")), core_(prepare(made_.job).value()) {}
    Execution begin() { return test::begin(made_.job, core_, made_.job.options).value(); }
    std::size_t section(std::string_view name) { return core_.find_section(name).value()->id; }

    MadeJob made_;
    Core core_;
};

TEST_F(Breaks, AtInstructionsByNameThreadIndexAndPlace) {
    Execution execution = begin();
    Breakpoints packs;
    packs.instructions = {{{}, {}, "", "PACR"}};
    Pause pause = execution.run_until(packs);
    ASSERT_EQ(pause.why, Why::instruction);
    EXPECT_EQ(pause.where.thread, 2);
    EXPECT_EQ(pause.where.instruction.substr(0, 4), "PACR");
    const auto [index, place] = std::pair(pause.where.index, pause.where.place);
    EXPECT_FALSE(place.empty());

    Execution again = test::begin(made_.job, core_ = prepare(made_.job).value(), made_.job.options).value();
    Breakpoints there;
    there.instructions = {{1u, index, "", ""}, {{}, {}, place.substr(place.rfind('/') + 1), ""}};
    Pause other = again.run_until(there);
    while (other.why == Why::instruction && other.where.thread == 1) other = again.run_until(there);
    EXPECT_EQ(other.where.index, index);
    EXPECT_EQ(other.cycle, pause.cycle);
}

TEST_F(Breaks, BeforeACycle) {
    Execution execution = begin();
    Breakpoints until;
    until.cycle = 100;
    EXPECT_EQ(execution.run_until(until).why, Why::cycle);
    EXPECT_LT(execution.cycle(), 100u);
    EXPECT_EQ(execution.run_until(until).why, Why::cycle) << "nothing happens before it";
    until.cycle = 1'000'000;
    EXPECT_EQ(execution.run_until(until).why, Why::end);
}

// The output's first bytes: the packer is who writes them, once.
TEST_F(Breaks, WhenMemoryIsWritten) {
    Execution execution = begin();
    const auto address = made_.job.outputs.at(0).address;
    Breakpoints watch;
    watch.written = {{section("l1"), address, 2}};
    const Pause pause = execution.run_until(watch);
    ASSERT_EQ(pause.why, Why::written);
    EXPECT_EQ(pause.where.thread, 2);
    EXPECT_EQ(pause.where.instruction.substr(0, 4), "PACR");
    ASSERT_EQ(pause.written.size(), 2u);
    EXPECT_EQ(pause.written[0].element, address);
    EXPECT_EQ(pause.written[0].value, execution.core().l1()[address]);
    EXPECT_EQ(execution.run_until(watch).why, Why::end);
}

TEST_F(Breaks, AtAFinding) {
    auto example = make_example("add");
    std::string text = example->text("pack.tts");
    const std::string wait = "SEMWAIT stall_res=BLOCK_PACK_AND_SYNC sem_sel=MATH_PACK wait_sem_cond=1";
    ASSERT_NE(text.find(wait), text.npos);
    example->write("pack.tts", text.replace(text.find(wait), wait.size(), "NOP"));
    const Job job = example->load();
    Core core = prepare(job).value();
    Execution execution = test::begin(job, core, job.options).value();
    const Execution::Snapshot beginning = execution.snapshot();
    Breakpoints any;
    any.finding = "";
    const Pause pause = execution.run_until(any);
    ASSERT_EQ(pause.why, Why::finding);
    ASSERT_TRUE(pause.finding);
    EXPECT_GT(pause.finding->level, Level::info);
    EXPECT_FALSE(execution.ended());
    Breakpoints none;
    none.finding = "hazard.no-such";
    none.findings = {"hazard.nor-this"};
    EXPECT_EQ(execution.run_until(none).why, Why::end);
    ASSERT_TRUE(execution.restore(beginning));
    Breakpoints several;
    several.findings = {"hazard.no-such", pause.finding->code};
    const Pause again = execution.run_until(several);
    ASSERT_EQ(again.why, Why::finding);
    EXPECT_EQ(again.finding->describe(), pause.finding->describe());
}

// RunOptions: an exception that leaves a function ends the run.
TEST_F(Breaks, AnExceptionEndsTheRun) {
    const auto plain = run_job(made_.job, core_, made_.job.options);
    ASSERT_TRUE(plain);
    for (const int which : {0, 1, 2}) {
        bool throws = false;
        const auto perhaps = [&] {
            if (std::exchange(throws, false)) throw std::runtime_error("mine");
        };
        RunOptions options = made_.job.options;
        if (which == 0) options.on_event = [&](const Event&) { perhaps(); };
        if (which == 1) options.on_wait = [&](const Wait&) { perhaps(); };
        if (which == 2) options.on_write = [&](const Write&) { perhaps(); };
        Core core = prepare(made_.job).value();
        Execution execution = test::begin(made_.job, core, options).value();
        for (unsigned i = 0; i < 5; ++i) execution.step();
        const Execution::Snapshot before = execution.snapshot();
        throws = true;
        EXPECT_THROW(execution.finish(), std::runtime_error) << which;
        EXPECT_TRUE(execution.ended());
        ASSERT_TRUE(execution.run().fault);
        EXPECT_EQ(execution.run().fault->code, "interrupted");
        EXPECT_EQ(execution.finish().why, Why::end);
        EXPECT_EQ(execution.run().fault->code, "interrupted") << "no deadlock is made up";
        const std::byte byte{};
        EXPECT_FALSE(execution.write_l1(0, {&byte, 1}));
        ASSERT_TRUE(execution.restore(before));
        EXPECT_FALSE(execution.ended());
        execution.finish();
        EXPECT_FALSE(execution.run().fault);
        EXPECT_EQ(execution.run().cycles, plain->cycles) << which;
    }
}

TEST(Steps, AnExceptionAtTheEndLeavesTheRunsOwnFault) {
    const Program program = assemble("ATRELM mutex_index=0\nSEMWAIT block=thread sem_sel=sem1 wait=zero\nNOP\n", Arch::blackhole).value();
    Core core(Arch::blackhole);
    RunOptions options;
    options.on_wait = [](const Wait& wait) {
        if (!wait.over) throw std::runtime_error("mine");
    };
    Execution execution = Execution::begin(core, program, options).value();
    EXPECT_THROW(execution.finish(), std::runtime_error);
    ASSERT_TRUE(execution.ended() && execution.run().fault);
    EXPECT_EQ(execution.run().fault->code, "deadlock");
    EXPECT_FALSE(execution.run().blocked.empty());
    EXPECT_FALSE(execution.run().findings.empty());
}

TEST_F(Breaks, ASingleStepTellsWhatItDoes) {
    Execution execution = begin();
    EXPECT_FALSE(execution.explanation());
    ASSERT_EQ(execution.step().why, Why::instruction);
    ASSERT_TRUE(execution.explanation());
    const std::string first = execution.explanation()->describe();
    EXPECT_FALSE(first.empty());
    const Pause of_pack = execution.step(2);
    ASSERT_EQ(of_pack.why, Why::instruction);
    EXPECT_EQ(of_pack.where.thread, 2);
    EXPECT_EQ(execution.explanation()->thread, 2);
    execution.finish();
    EXPECT_FALSE(execution.explanation());
    EXPECT_TRUE(execution.run().explanations.empty()) << "nobody asked for them";
}

// Instruction for instruction back to the first and forward again, over more of them than snapshots are kept.
TEST_F(Breaks, BackIsWhereItWas) {
    Execution execution = begin();
    execution.remember(3);
    std::vector<Pause> forward;
    for (Pause pause = execution.step(); pause.why == Why::instruction; pause = execution.step())
        forward.push_back(pause);
    ASSERT_GT(forward.size(), 32u);
    Core end = execution.core();
    for (std::size_t n = forward.size() - 1; n > 0; --n) {
        const Pause back = execution.back();
        ASSERT_EQ(back.why, Why::instruction);
        EXPECT_EQ(execution.instructions(), n);
        EXPECT_EQ(back.where.index, forward[n - 1].where.index);
        EXPECT_EQ(back.where.thread, forward[n - 1].where.thread);
        EXPECT_EQ(back.cycle, forward[n - 1].cycle);
    }
    EXPECT_EQ(execution.back(5).why, Why::instruction);
    EXPECT_EQ(execution.instructions(), 0u);
    execution.finish();
    EXPECT_EQ(difference(execution.core(), end), "");
    Execution forgetful = test::begin(made_.job, core_ = prepare(made_.job).value(), {}).value();
    forgetful.step();
    EXPECT_EQ(forgetful.back().why, Why::end) << "nothing was remembered";
}

TEST_F(Breaks, TheCoreCanBeLookedAt) {
    Execution execution = begin();
    const Section& fifo = *core_.find_section("fifo_count").value();
    bool seen = false;
    while (execution.step().why == Why::instruction) seen = seen || execution.core().read(fifo, 0) > 0;
    EXPECT_TRUE(seen) << "what waits in FIFOs is state between steps";
}

TEST_F(Breaks, SaysWhoWaits) {
    Execution execution = begin();
    bool seen = false;
    while (execution.step().why == Why::instruction)
        for (const Blocked& one : execution.waiting()) seen = seen || !one.waits_for.empty();
    EXPECT_TRUE(seen);
}

TEST_F(Breaks, RefusesWhatDoesNotFit) {
    Core wormhole(Arch::wormhole);
    const auto other = Execution::begin(wormhole, made_.job.program);
    ASSERT_FALSE(other);
    EXPECT_EQ(other.error().code, "run.arch");
    Execution execution = begin();
    const auto snapshot = execution.snapshot();
    const auto there = Execution::begin(wormhole, snapshot);
    ASSERT_FALSE(there);
    EXPECT_EQ(there.error().code, "run.arch");
    Core second = prepare(made_.job).value();
    Execution its = test::begin(made_.job, second, {}).value();
    const auto back = its.restore(snapshot);
    ASSERT_FALSE(back);
    EXPECT_EQ(back.error().code, "run.snapshot");
}

/// A run of 200 NOPs, whose only state beside the thread's position is what a host writes.
class Back : public testing::Test {
protected:
    static constexpr std::uint32_t address = 0x100;

    Back() : execution_(Execution::begin(core_, assemble(".repeat 200\nNOP\n.end\n", Arch::blackhole).value()).value()) {}

    static Pause step(Execution& execution, unsigned instructions) {
        Pause pause;
        for (unsigned i = 0; i < instructions; ++i) pause = execution.step();
        EXPECT_EQ(pause.why, Why::instruction);
        return pause;
    }
    static void expect_at(const Execution& execution, const Pause& pause, std::uint64_t instructions) {
        EXPECT_EQ(pause.why, Why::instruction);
        EXPECT_EQ(pause.where.index, static_cast<std::int64_t>(instructions) - 1);
        EXPECT_EQ(execution.instructions(), instructions);
    }
    void write(std::byte value) { ASSERT_TRUE(execution_.write_l1(address, std::array{value})); }
    unsigned written() const { return std::to_integer<unsigned>(core_.read_l1(address, 1).value()[0]); }

    Core core_{Arch::blackhole};
    Execution execution_;
};

TEST_F(Back, EndsAtTheMomentOfRemember) {
    const Pause fourth = step(execution_, 4);
    execution_.remember();
    expect_at(execution_, execution_.back(), 4);
    for (const unsigned further : {6u, 150u}) {
        SCOPED_TRACE(further);
        step(execution_, further);
        const Pause back = execution_.back(further + 2);
        expect_at(execution_, back, 4);
        EXPECT_EQ(back.cycle, fourth.cycle);
        step(execution_, 6);
        expect_at(execution_, execution_.back(), 9);
        execution_.back(5);
    }
    execution_.finish();
    execution_.remember();
    EXPECT_EQ(execution_.back().why, Why::end);
    EXPECT_TRUE(execution_.ended());
}

TEST_F(Back, EndsAtTheSnapshotThatARunContinues) {
    step(execution_, 4);
    execution_.step_cycles(3);
    const Execution::Snapshot snapshot = execution_.snapshot();
    Core other(Arch::blackhole);
    Execution again = Execution::begin(other, snapshot).value();
    again.remember();
    step(again, 100);
    expect_at(again, again.back(200), snapshot.instructions());
    EXPECT_EQ(again.cycle(), snapshot.cycle());
    EXPECT_EQ(difference(other, core_), "");
    again.finish();
    EXPECT_EQ(again.instructions(), 200u);
}

TEST_F(Back, NeverReachesAnAbandonedLine) {
    execution_.remember();
    const Execution::Snapshot snapshot = execution_.snapshot();
    write(std::byte{1});
    step(execution_, 150);
    ASSERT_TRUE(execution_.restore(snapshot));
    EXPECT_EQ(written(), 0u);
    write(std::byte{2});
    step(execution_, 100);
    expect_at(execution_, execution_.back(), 99);
    EXPECT_EQ(written(), 2u);
}

TEST_F(Back, FollowsThePastOfARestoredSnapshot) {
    execution_.remember();
    step(execution_, 10);
    const Execution::Snapshot snapshot = execution_.snapshot();
    write(std::byte{1});
    step(execution_, 150);
    ASSERT_TRUE(execution_.restore(snapshot));
    step(execution_, 50);
    expect_at(execution_, execution_.back(), 59);
    EXPECT_EQ(written(), 0u);
    expect_at(execution_, execution_.back(55), 4);
    EXPECT_EQ(written(), 0u);
}

// Its past happened on another core.
TEST_F(Back, EndsAtASnapshotOfAnotherExecution) {
    execution_.remember();
    step(execution_, 10);
    Core other(Arch::blackhole);
    Execution its = Execution::begin(other, execution_.snapshot()).value();
    its.remember();
    step(its, 60);
    const Execution::Snapshot snapshot = its.snapshot();
    step(execution_, 100);
    ASSERT_TRUE(execution_.restore(snapshot));
    step(execution_, 5);
    expect_at(execution_, execution_.back(20), 70);
}

// The restored snapshot has as many instructions, and may be of a later cycle.
TEST_F(Back, StopsAtTheIssueItself) {
    execution_.remember();
    const Pause third = step(execution_, 3);
    Breakpoints later;
    later.cycle = third.cycle + 1;
    execution_.run_until(later);
    ASSERT_EQ(execution_.instructions(), 3u);
    ASSERT_TRUE(execution_.restore(execution_.snapshot()));
    step(execution_, 2);
    const Pause back = execution_.back(2);
    expect_at(execution_, back, 3);
    EXPECT_EQ(back.cycle, third.cycle);
    EXPECT_TRUE(execution_.explanation());
}

}  // namespace
}  // namespace tessera::test
