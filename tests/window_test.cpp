// SPDX-License-Identifier: Apache-2.0
// Run::window: the cycles between the first and the last issue of an instruction add up.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "support/matmul_example.hpp"
#include "tessera/assembly.hpp"

namespace tessera {
namespace {

using test::run_job;

Run run(const std::string& text, const std::string& window) {
    const auto program = assemble(text, Arch::blackhole);
    if (!program) throw std::runtime_error(program.error().describe());
    Core core{Arch::blackhole};
    RunOptions options;
    options.window = window;
    return core.run(*program, options).value();
}

std::map<std::string, std::uint64_t> of_thread(const Window& window, int thread) {
    std::map<std::string, std::uint64_t> uses;
    for (const ThreadUse& use : window.threads)
        if (use.thread == thread) uses[(use.waiting ? "waits: " : "issues: ") + use.what] += use.cycles;
    return uses;
}

using Uses = std::map<std::string, std::uint64_t>;

TEST(Window, OneInstructionIsOneCycle) {
    const auto window = run(".thread math\nZEROACC clear_mode=3", "zeroacc").window;
    ASSERT_TRUE(window);
    EXPECT_EQ(window->count, 1u);
    EXPECT_EQ(window->cycles, 1u);
    EXPECT_EQ(of_thread(*window, 1), (Uses{{"issues: matrix", 1}}));
    EXPECT_EQ(of_thread(*window, 0), (Uses{{"waits: nothing: it has no more instructions", 1}}));
}

// SETRWC costs one cycle. ZEROACC is done a cycle after it was issued, the latched wait is looked at in the cycle after
// STALLWAIT, and there is one cycle of lag (STALLWAIT, Functional model).
TEST(Window, NamesWhatStandsBetween) {
    const auto window =
        run(".thread math\nSETRWC\nZEROACC clear_mode=3\nSETADCXX\nSTALLWAIT stall_res=1<<6 wait_res=1<<4\n"
            "ZEROACC clear_mode=3\nSETRWC",
            "ZEROACC")
            .window;
    ASSERT_TRUE(window);
    EXPECT_EQ(window->count, 2u);
    const auto uses = of_thread(*window, 1);
    EXPECT_EQ(
        uses,
        (Uses{{"issues: matrix", 2}, {"issues: misc", 1}, {"issues: sync", 1}, {"waits: STALLWAIT for matrix", 1}}));
    EXPECT_EQ(window->cycles, 5u);
}

TEST(Window, BeginsWithTheFirstIssueAndHasOnlyTheUnitsInUse) {
    const auto program = assemble(".thread math\nSFPNOP\nSETRWC\nZEROACC clear_mode=3\nSETADCXX\nZEROACC clear_mode=3\nSEMPOST sem_sel=1\n",
                                  Arch::blackhole);
    ASSERT_TRUE(program);
    Core core{Arch::blackhole};
    std::vector<std::uint64_t> issues;
    RunOptions options;
    options.window = "ZEROACC";
    options.on_event = [&](const Event& event) {
        if (event.instruction.starts_with("ttzeroacc")) issues.push_back(event.issue);
    };
    const tessera::Run run = core.run(*program, options).value();
    ASSERT_TRUE(run.window);
    ASSERT_EQ(issues.size(), 2u);
    EXPECT_GT(issues[0], 0u);
    EXPECT_EQ(run.window->first, issues[0]);
    EXPECT_EQ(run.window->cycles, issues[1] - issues[0] + 1);
    std::map<std::string, std::uint64_t> units;
    for (const UnitUse& unit : run.window->units) units[unit.unit] = unit.instructions;
    EXPECT_EQ(units, (std::map<std::string, std::uint64_t>{{"matrix", 2}, {"misc", 1}}));
}

// T2's front end acts behind T1's in each cycle: it issues in all three, or begins to wait in the last one.
TEST(Window, HasWhatOtherThreadsDoInItsLastCycle) {
    const std::string zero = "ZEROACC clear_mode=3\n", sets = "SETADCXX\n", takes = "ATGETM\n";
    const auto issues =
        run(".thread math\n" + zero + zero + zero + ".thread pack\n" + sets + sets + sets + sets, "ZEROACC").window;
    ASSERT_TRUE(issues);
    EXPECT_EQ(issues->cycles, 3u);
    EXPECT_EQ(of_thread(*issues, 2), (Uses{{"issues: misc", 3}}));
    for (const UnitUse& unit : issues->units) EXPECT_EQ(unit.instructions, 3u) << unit.unit;
    const auto waits = run(".thread math\n" + takes + zero + ".thread pack\n" + sets + takes, "ZEROACC").window;
    ASSERT_TRUE(waits);
    const Uses uses = of_thread(*waits, 2);
    EXPECT_FALSE(uses.contains("waits: nothing: it has no more instructions"));
    EXPECT_EQ(uses.size(), 1u);
}

TEST(Window, OfAThreadTheLongestUseComesFirst) {
    const std::string zero = "ZEROACC clear_mode=3\n", operands = "OpBisConst=1 OpBRegIndex=1\n";
    const auto window = run(".thread math\n" + zero + "SETADCXX\nMULDMAREG " + operands + "ADDDMAREG " + operands + zero, "ZEROACC").window;
    ASSERT_TRUE(window);
    std::vector<std::uint64_t> cycles;
    for (const ThreadUse& use : window->threads)
        if (use.thread == 1) cycles.push_back(use.cycles);
    ASSERT_GT(cycles.size(), 2u);
    EXPECT_GT(cycles.front(), cycles.back());
    EXPECT_TRUE(std::is_sorted(cycles.rbegin(), cycles.rend()));
}

TEST(Window, AnInstructionThatNeverComesHasNone) {
    EXPECT_FALSE(run(".thread math\nSETRWC", "MVMUL").window);
    EXPECT_FALSE(run(".thread math\nSETRWC", "").window);
}

TEST(Window, AnUnknownInstructionIsRefused) {
    Core core{Arch::blackhole};
    Program program;
    RunOptions options;
    options.window = "MVMULL";
    const auto refused = core.run(program, options);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, "run.window");
}

// Under any delays, and for any instruction that opens or closes the window.
TEST(Window, EveryThreadsCyclesAddUp) {
    const test::MatmulExample example;
    Job job = example.load();
    for (const char* name : {"MVMUL", "PACR", "UNPACR", "SEMGET", "ADDDMAREG"})
        for (std::uint64_t seed = 0; seed <= 10; ++seed) {
            SCOPED_TRACE(std::string(name) + ", seed " + std::to_string(seed));
            job.options.window = name;
            if (seed) job.options.seed = seed;
            const auto window = run_job(job).run.window;
            ASSERT_TRUE(window);
            for (int thread = 0; thread < 3; ++thread) {
                std::uint64_t sum = 0;
                for (const auto& [what, cycles] : of_thread(*window, thread)) {
                    EXPECT_LE(cycles, window->cycles) << what;
                    sum += cycles;
                }
                EXPECT_EQ(sum, window->cycles) << thread;
            }
            for (const UnitUse& unit : window->units) EXPECT_LE(unit.busy, window->cycles) << unit.unit;
        }
}

// Asking changes nothing.
TEST(Window, TheRunIsTheSame) {
    const test::MatmulExample example;
    Job job = example.load();
    const auto plain = run_job(job);
    job.options.window = "MVMUL";
    const auto asked = run_job(job);
    EXPECT_EQ(plain.run.cycles, asked.run.cycles);
    EXPECT_TRUE(plain.output == asked.output);
    ASSERT_EQ(plain.run.waits.size(), asked.run.waits.size());
    for (std::size_t i = 0; i < plain.run.waits.size(); ++i)
        EXPECT_EQ(plain.run.waits[i].cycles, asked.run.waits[i].cycles);
}

}  // namespace
}  // namespace tessera
