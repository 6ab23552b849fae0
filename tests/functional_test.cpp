// SPDX-License-Identifier: Apache-2.0
// Timing::functional against the timed run: the same end state wherever the timed run finds no race, the same fault and the same
// actors blocked where it ends badly, and what it cannot do refused.
//
// TESSERA_SEQUENCES is the number of random programs for a chip, TESSERA_SEQUENCES_SEED chooses others.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <iostream>
#include <regex>

#include "support/kernel_run.hpp"
#include "support/random_cases.hpp"
#include "support/random_programs.hpp"
#include "support/same_state.hpp"
#include "support/traced_jobs.hpp"
#include "tessera/assembly.hpp"
#include "tessera/execution.hpp"

namespace tessera::test {
namespace {

/// Something that depends on what comes first: the end state may be another one.
bool has_race(const Run& run) {
    return std::any_of(run.findings.begin(), run.findings.end(), [](const Finding& finding) {
        return finding.code.starts_with("hazard.") || finding.code == "config.write-while-busy" ||
               finding.code == "config.gpr-not-awaited" || finding.code.starts_with("sync.");
    });
}

std::string listing(const Program& program) {
    std::string text;
    for (unsigned t = 0; t < 3; ++t)
        for (const Op& op : program.threads[t])
            text += op.kind == Op::Kind::ins
                        ? fmt::format("T{} {}\n", t, disassemble(op.value, program.arch))
                        : fmt::format("T{} op {} of {}, 0x{:X}\n", t, static_cast<unsigned>(op.kind), op.index, op.value);
    return text;
}

std::string without_cycles(const std::string& text) { return std::regex_replace(text, std::regex(", cycle \\d+"), ""); }

/// What a run without time can tell, too, of how it ended.
std::string ending(const Run& run) {
    std::string text = run.fault ? run.fault->code : "good";
    if (run.fault) text += fmt::format(" T{} op {} word {}", run.fault->where.thread, run.fault->where.index, run.fault->where.position);
    for (const Blocked& one : run.blocked)
        text += fmt::format("\n{} {} {} {} {} {} {}", one.who, one.finished, one.waits_for, one.holder,
                            without_cycles(one.last_touched), one.instruction, one.place);
    return text;
}

void expect_same(const Core& base, const Program& program) {
    Core timed = base, functional = base;
    const auto clocked = timed.run(program), run = functional.run(program, {.timing = Timing::functional});
    ASSERT_TRUE(clocked && run);
    EXPECT_FALSE(run->has_clock);
    EXPECT_EQ(ending(*run), ending(*clocked));
    EXPECT_EQ(run->instructions, clocked->instructions);
    EXPECT_EQ(difference(timed, functional), "");
}

TEST(Functional, EndsAsTheTimedRunDoes) {
    unsigned compared = 0;
    for (const TracedJob& traced : traced_jobs()) {
        SCOPED_TRACE(traced.name);
        if (traced.name.starts_with("kernels")) continue;  // a post of one core beside another's SEMINIT: time decides
        RunOptions how = traced.job.options;
        how.seed.reset();
        Core timed = prepare(traced.job).value(), functional = timed;
        const auto clocked = run_job(traced.job, timed, how).value();
        if (has_race(clocked)) continue;
        how.timing = Timing::functional;
        const auto run = run_job(traced.job, functional, how).value();
        EXPECT_FALSE(run.has_clock);
        EXPECT_EQ(ending(run), ending(clocked));
        if (clocked.fault) continue;  // who is not in the way has come further, or not so far
        EXPECT_EQ(difference(timed, functional), "");
        EXPECT_EQ(run.instructions, clocked.instructions);
        ++compared;
    }
    EXPECT_GT(compared, 20u);
}

class FunctionalOnChips : public testing::TestWithParam<Arch> {};

TEST_P(FunctionalOnChips, RandomProgramsWithoutARaceEndAsTheTimedRunDoes) {
    const unsigned sequences = asked_cases(400, "TESSERA_SEQUENCES");
    RandomPrograms make(GetParam(), random_seed(91, GetParam(), "TESSERA_SEQUENCES_SEED"));
    constexpr std::uint64_t most_cycles = 100'000;
    unsigned compared = 0, races = 0, faults = 0;
    for (unsigned i = 0; i < sequences && !HasFailure(); ++i) {
        SCOPED_TRACE(i);
        const Core& base = make.base();
        Program program = i % 3 == 0 ? make.loops() : i % 3 == 1 ? make.long_program() : make.program();
        // One thread: no finding tells of everything that is decided by which of several comes first (counters of another thread, random
        // numbers, LRegs, semaphores that two threads set).
        for (unsigned t = 0; t < 3; ++t)
            if (t != i / 3 % 3) program.threads[t].clear();
        Core timed = base, functional = base;
        const auto clocked = timed.run(program, {.max_cycles = most_cycles});
        const auto run = functional.run(program, {.timing = Timing::functional, .max_cycles = most_cycles});
        ASSERT_EQ(clocked.has_value(), run.has_value());
        if (!clocked) continue;
        if (clocked->fault) {
            ++faults;
            continue;
        }
        if (has_race(*clocked)) {
            ++races;
            continue;
        }
        ++compared;
        EXPECT_FALSE(run->fault) << run->fault->describe() << run->describe_blocked();
        EXPECT_EQ(run->instructions, clocked->instructions);
        EXPECT_EQ(difference(timed, functional), "") << listing(program);
    }
    std::cout << fmt::format("{} compared, {} with a race, {} with a fault\n", compared, races, faults);
    EXPECT_GT(compared, sequences / 20);
}

// The unpacker's instruction waits in its queue for the bank, which the matrix unit gives back only behind a semaphore that the thread posts after it.
TEST_P(FunctionalOnChips, AThreadGoesOnBehindAnInstructionThatWaitsInFrontOfItsUnit) {
    const Job job = load_job(std::string(TESSERA_SOURCE_DIR) + "/examples/deadlock/runs/job.toml").value();
    expect_same(prepare(job).value(), job.program);
}

TEST_P(FunctionalOnChips, ADeadlockIsToldWithWhoWaitsForWhat) {
    const auto program = assemble(".thread 0\n    SEMWAIT stall_res=511 sem_sel=8 wait_sem_cond=1\n    SETRWC\n", GetParam());
    ASSERT_TRUE(program) << program.error().describe();
    Core core(GetParam());
    const auto run = core.run(*program, {.timing = Timing::functional}).value();
    ASSERT_TRUE(run.fault);
    EXPECT_EQ(run.fault->code, "deadlock");
    EXPECT_NE(run.describe_blocked().find("semaphore 3 is 0"), std::string::npos) << run.describe_blocked();
    EXPECT_EQ(run.describe_blocked().find("cycle"), std::string::npos) << run.describe_blocked();
}

TEST_P(FunctionalOnChips, IsRefusedWhatNeedsAClock) {
    Program program;
    program.arch = GetParam();
    RunOptions how{.timing = Timing::functional};
    const auto refused = [&](auto change) {
        RunOptions options = how;
        change(options);
        Core core(GetParam());
        const auto run = core.run(program, options);
        return !run && run.error().code == "run.functional";
    };
    EXPECT_FALSE(refused([](RunOptions&) {}));
    EXPECT_TRUE(refused([](RunOptions& o) { o.seed = 1; }));
    EXPECT_TRUE(refused([](RunOptions& o) { o.reference = true; }));
    EXPECT_TRUE(refused([](RunOptions& o) { o.window = "NOP"; }));
    EXPECT_TRUE(refused([](RunOptions& o) { o.on_event = [](const Event&) {}; }));
    EXPECT_TRUE(refused([](RunOptions& o) { o.on_write = [](const Write&) {}; }));
    EXPECT_TRUE(refused([](RunOptions& o) { o.on_wait = [](const Wait&) {}; }));
    EXPECT_TRUE(refused([](RunOptions& o) { o.explain = [](unsigned, std::int64_t, std::uint32_t) { return true; }; }));
    EXPECT_TRUE(refused([](RunOptions& o) { o.disregard.push_back({Ordering::bank}); }));
    Core core(GetParam());
    EXPECT_EQ(Execution::begin(core, program, how).error().code, "run.functional");
}

TEST_P(FunctionalOnChips, ARunEndsAtItsLimitAndWhenItIsInterrupted) {
    Program program;
    program.arch = GetParam();
    program.threads[0].resize(20'000);
    for (Op& op : program.threads[0]) op.value = assemble("NOP", GetParam())->threads[0].at(0).value;
    Core core(GetParam());
    const auto code = [&](const RunOptions& how) {
        const auto run = core.run(program, how).value();
        return run.fault ? run.fault->code : "";
    };
    EXPECT_EQ(code({.timing = Timing::functional}), "");
    EXPECT_EQ(code({.timing = Timing::functional, .max_cycles = 20'000}), "");
    EXPECT_EQ(code({.timing = Timing::functional, .max_cycles = 19'999}), "no-progress");
    std::atomic<bool> stop = true;
    EXPECT_EQ(code({.timing = Timing::functional, .stop = &stop}), "interrupted");
}

// What other cores and the time do is seen: a core that polls gives way to them.
class FunctionalKernels : public KernelRun {};

TEST_P(FunctionalKernels, ACoreWaitsForAnotherAndForTime) {
    using namespace rv;
    constexpr std::uint32_t flag = 0x2'0100, wall_clock = 0xFFB1'21F0;
    // B waits for the flag of T0, which waits until its clock has gone on by 5000.
    std::vector<std::uint32_t> t0;
    peek(t0, s0, wall_clock);
    put(t0, a1, 5000);
    put(t0, a6, wall_clock);
    t0.push_back(i(Op::lw, a0, a6, 0));
    t0.push_back(r(Op::sub, a0, a0, s0));
    t0.push_back(branch(Op::bltu, a0, a1, -8));
    poke(t0, flag, 1);
    t0.push_back(halt);
    kernel(RiscvCore::t0, t0, 0x6000);
    std::vector<std::uint32_t> b;
    put(b, a5, flag);
    b.push_back(i(Op::lw, a0, a5, 0));
    b.push_back(branch(Op::beq, a0, zero, -4));
    poke(b, result, 7);
    b.push_back(halt);
    kernel(RiscvCore::b, b, 0x8000);
    const tessera::Run run = this->run({.timing = Timing::functional});
    EXPECT_FALSE(run.fault) << run.fault->describe() << run.describe_blocked();
    EXPECT_EQ(word(result), 7u);
}

TEST_P(FunctionalKernels, OneThatPollsForEverIsFound) {
    using namespace rv;
    std::vector<std::uint32_t> b;
    put(b, a5, 0x2'0100);
    b.push_back(i(Op::lw, a0, a5, 0));
    b.push_back(branch(Op::beq, a0, zero, -4));
    b.push_back(halt);
    kernel(RiscvCore::b, b, 0x8000);
    const tessera::Run run = this->run({.timing = Timing::functional});
    ASSERT_TRUE(run.fault);
    EXPECT_EQ(run.fault->code, "no-progress.polling");
}

INSTANTIATE_TEST_SUITE_P(Chips, FunctionalOnChips, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& tested) { return std::string(name(tested.param)); });
INSTANTIATE_TEST_SUITE_P(Chips, FunctionalKernels, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& tested) { return std::string(name(tested.param)); });

}  // namespace
}  // namespace tessera::test
