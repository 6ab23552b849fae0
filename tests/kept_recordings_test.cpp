// SPDX-License-Identifier: Apache-2.0
// Recordings that are kept: of which runs, how many, and for which cores. recorded_runs_test.cpp has their replay.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/recorded_runs.hpp"
#include "support/macro_run.hpp"
#include "support/matmul_example.hpp"
#include "support/random_programs.hpp"
#include "support/recorded_run.hpp"
#include "support/same_state.hpp"
#include "tessera/assembly.hpp"
#include "tessera/registers.hpp"

namespace tessera::test {
namespace {

/// On three copies of it.
RunCounts counts_of(const Core& from, const Program& program, const RunOptions& options = {}) {
    RunCounts all;
    for (unsigned i = 0; i < 3; ++i) {
        Core copy = from;
        const auto run = copy.run(program, options);
        EXPECT_TRUE(run);
        all.recorded += copy.run_counts().recorded;
        all.repeated += copy.run_counts().repeated;
    }
    return all;
}

void expect_recorded(bool recorded, const Core& from, const Program& program, const RunOptions& options = {}) {
    const RunCounts counts = counts_of(from, program, options);
    EXPECT_EQ(counts.recorded, recorded ? 1u : 0u);
    EXPECT_EQ(counts.repeated, recorded ? 1u : 0u);
}

TEST(RecordedRun, NotWhatMemoryDecides) {
    const struct {
        const char* text;
        bool recorded;
    } cases[] = {
        {"SETRWC BitMask=15\n", true},
        {"STOREIND MemHierSel=1 SizeSel=1 OffsetIndex=4 DataRegIndex=8 AddrRegIndex=1\n", true},
        {"LOADIND SizeSel=1 OffsetIndex=4 DataRegIndex=8 AddrRegIndex=1\n", false},
        {"ATINCGET WrapVal=31 DataRegIndex=8 AddrRegIndex=1\n", false},
        {"ATCAS SwapVal=5 CmpVal=0 AddrRegIndex=1\n", false},
        {".thread math\nSFPLOADI lreg_ind=0 imm16=1\n", true},
        {".thread math\nSFPSETCC lreg_c=0\nSFPLOADI lreg_ind=0 imm16=1\n", false},
        {".thread math\nSFPCONFIG config_dest=15\n", false},
    };
    for (const auto& [text, recorded] : cases) {
        SCOPED_TRACE(text);
        const auto program = assemble(text, Arch::blackhole);
        ASSERT_TRUE(program) << program.error().describe();
        expect_recorded(recorded, Core(Arch::blackhole), *program);
    }
}

TEST(RecordedRun, NotConfigurationFromL1) {
    for (const unsigned direction : {3u, 1u}) {
        Moves moves;
        EXPECT_TRUE(write_field(moves.core, "THCON_SEC0_REG6_Destination_address", 0, 5));
        EXPECT_TRUE(write_field(moves.core, "THCON_SEC0_REG6_Transfer_direction", 0, direction));
        expect_recorded(direction == 3, moves.core, moves.program);
    }
}

// The starts of a compressed tile's rows are in L1.
TEST(RecordedRun, NotCompressedTiles) {
    const Program program = program_of("UNPACR\n");
    for (const std::uint32_t uncompressed : {1u, 0u}) {
        Core core{Arch::blackhole};
        EXPECT_TRUE(write_field(core, "THCON_SEC0_REG0_TileDescriptor_IsUncompressed", 0, uncompressed));
        ASSERT_TRUE(Core(core).run(program, by_engine())->good());
        expect_recorded(uncompressed, core, program);
    }
}

TEST(RecordedRun, NotInstructionsOnASchedule) {
    MacroRun machine(Arch::blackhole);
    const Sequence sequence{{}, {}, {}, store_after(2)};
    (void)machine.run(set_sequence(0, sequence) + set_misc(4));
    expect_recorded(true, machine.core, program_of(".thread math\n" + nops(4)));
    expect_recorded(false, machine.core, program_of(".thread math\n" + macro(0, 0, 0) + nops(4)));
}

TEST(RecordedRun, NotWhatEndsBadly) {
    Program unknown = program_of("NOP\n");
    unknown.threads[0].push_back({.value = 0xFF000000});
    expect_recorded(false, Core(Arch::blackhole), unknown);
    Moves moves;
    expect_recorded(true, moves.core, moves.program);
    moves.options.levels["state.read-before-write"] = Level::error;
    expect_recorded(false, moves.core, moves.program, moves.options);
}

TEST(RecordedRun, WhatEndedBadlyOnceIsRecordedLater) {
    const Program program = program_of(".repeat 100\nNOP\n.end\n");
    Core core{Arch::blackhole};
    ASSERT_TRUE(core.run(program));
    const auto stopped = core.run(program, {.max_cycles = 1});
    ASSERT_TRUE(stopped);
    EXPECT_FALSE(stopped->good());
    EXPECT_EQ(core.run_counts().recorded, 0u);
    ASSERT_TRUE(core.run(program));
    EXPECT_EQ(core.run_counts().recorded, 1u);
    for (unsigned i = 0; i < 2; ++i) ASSERT_TRUE(core.run(program));
    EXPECT_GT(core.run_counts().repeated, 0u);
}

TEST(RecordedRun, NotWhatIsNeverTheSameAgain) {
    const Program program = program_of("SETRWC BitMask=15\n");
    Core core{Arch::blackhole};
    constexpr unsigned runs = 1000;
    for (unsigned i = 0; i < runs; ++i) {
        core.write(section(core, "gpr"), 0, i);
        ASSERT_TRUE(core.run(program));
    }
    EXPECT_EQ(core.run_counts().repeated, 0u);
    EXPECT_LT(core.run_counts().recorded, runs / 5);
}

// Banks take turns from run to run.
TEST(RecordedRun, OneForEachStateThatComesRound) {
    const Program program = program_of("SETDVALID setvalid=1\n.thread math\nCLEARDVALID cleardvalid=1\n");
    Core core{Arch::blackhole};
    constexpr unsigned runs = 20;
    for (unsigned i = 0; i < runs; ++i) ASSERT_TRUE(core.run(program)->good());
    EXPECT_GE(core.run_counts().recorded, 2u);
    EXPECT_GE(core.run_counts().repeated, runs - 5);
}

TEST(RecordedRun, AnotherCoreHasItsOwn) {
    const Moves some;
    for (unsigned i = 0; i < 2; ++i) EXPECT_EQ(some.repeated(some.core), 0u);
    EXPECT_EQ(some.repeated(some.core), 1u);
    const Moves others;
    EXPECT_EQ(others.repeated(others.core), 0u);
    Core assigned{Arch::blackhole, Reset::vendor_sim};
    assigned = some.core;
    EXPECT_EQ(some.repeated(assigned), 1u) << "it is a copy now";
}

TEST(RecordedRun, OfCoresThatAreMadeForAJob) {
    const Job job = make_example("add")->load(), same = job;
    Random random(7);
    RunCounts counts;
    for (const Job* each : {&job, &same, &job, &same}) {
        Core recorded = prepare(*each).value();
        for (auto& byte : recorded.l1()) byte = static_cast<std::uint8_t>(random() >> 32);
        Core engine = recorded;
        expect_same(*recorded.run(job.program, job.options), *engine.run(job.program, by_engine(job.options)));
        EXPECT_EQ(difference(recorded, engine), "");
        counts.recorded += recorded.run_counts().recorded;
        counts.repeated += recorded.run_counts().repeated;
    }
    EXPECT_EQ(counts.recorded, 1u);
    EXPECT_EQ(counts.repeated, 2u);
}

TEST(RecordedRun, OfAJobThatWasMoved) {
    Job job;
    job.program = program_of("NOP\n");
    const Job moved = std::move(job);
    job.program = moved.program;
    EXPECT_TRUE(prepare(job)->run(job.program)->good());
    EXPECT_TRUE(prepare(moved)->run(moved.program)->good());
}

// More programs than most sweeps have, in turn.
TEST(RecordedRun, OfManyPrograms) {
    const Recordings recordings;
    std::vector<Program> programs;
    for (unsigned i = 0; i < 200; ++i)
        programs.push_back(program_of(fmt::format("SETADCXX CntSetMask=1 x_end2={}\n", i)));
    for (unsigned round = 0; round < 3; ++round)
        for (const Program& program : programs) {
            Core core(Arch::blackhole, Reset::silicon, recordings);
            ASSERT_TRUE(core.run(program));
            ASSERT_EQ(core.run_counts().repeated, round == 2 ? 1u : 0u);
        }
}

TEST(RecordedRun, OfCoresOfBothChipsWithTheSameRecordings) {
    const Recordings recordings;
    for (unsigned i = 0; i < 3; ++i)
        for (const Arch arch : all_archs) {
            Core core(arch, Reset::silicon, recordings), other(arch);
            const Program program = program_of("SETADCXX CntSetMask=1 x_end2=255\n", arch);
            expect_same(*core.run(program), *other.run(program));
            EXPECT_EQ(difference(core, other), "");
            EXPECT_EQ(core.run_counts().repeated, i == 2 ? 1u : 0u);
            EXPECT_EQ(other.run_counts().repeated, 0u);
        }
}

TEST(RecordedRun, CopiesInThreads) {
    const Job job = make_example("add")->load();
    const Core ready = prepare(job).value();
    constexpr unsigned threads = 3, runs = 6;
    std::array<std::string, threads> differences;
    std::array<std::uint64_t, threads> repeated{};
    std::vector<std::thread> all;
    for (unsigned t = 0; t < threads; ++t)
        all.emplace_back([&, t, mine = ready]() mutable {
            Random random(t);
            for (unsigned i = 0; i < runs; ++i) {
                Core recorded = mine;
                for (auto& byte : recorded.l1()) byte = static_cast<std::uint8_t>(random() >> 32);
                Core engine = recorded;
                const auto one = recorded.run(job.program, job.options);
                const auto other = engine.run(job.program, by_engine(job.options));
                if (reported(*one) != reported(*other)) differences[t] += "the reports differ\n";
                differences[t] += difference(recorded, engine);
                repeated[t] += recorded.run_counts().repeated;
            }
        });
    for (auto& thread : all) thread.join();
    for (unsigned t = 0; t < threads; ++t) {
        EXPECT_EQ(differences[t], "");
        EXPECT_GT(repeated[t], 0u);
    }
}

TEST(RecordedRun, FewAreKept) {
    core::RecordedRuns kept_runs;
    const auto run_before = [&](const Program& program) {
        (void)kept_runs.look_up(program);
        return kept_runs.look_up(program).number;
    };
    const auto small = [] { return std::make_shared<const engine::RecordedRun>(); };
    const Program one = program_of("NOP\n"), other = program_of("NOP\nNOP\n");
    const std::uint64_t first = run_before(one), second = run_before(other);
    ASSERT_NE(first, second);
    const auto oldest = small();
    kept_runs.keep(first, oldest);
    for (unsigned i = 0; i < core::RecordedRuns::most_of_program; ++i) {
        kept_runs.used(first, oldest);
        kept_runs.keep(first, small());
    }
    auto kept = kept_runs.look_up(one).runs;
    EXPECT_EQ(kept.size(), core::RecordedRuns::most_of_program);
    EXPECT_NE(std::find(kept.begin(), kept.end(), oldest), kept.end()) << "it is in use";

    // One that is large takes the place of those of the program that was run less recently.
    auto large = std::make_shared<engine::RecordedRun>();
    large->changed.resize(core::RecordedRuns::most_bytes / sizeof large->changed.front() - 10'000);
    ASSERT_LT(large->bytes(), core::RecordedRuns::most_bytes);
    kept_runs.keep(second, large);
    EXPECT_EQ(kept_runs.look_up(other).runs.size(), 1u);
    EXPECT_LT(kept_runs.look_up(one).runs.size(), core::RecordedRuns::most_of_program);

    // Programs that are not run for long are forgotten.
    for (std::size_t i = 0; i < core::RecordedRuns::most_programs; ++i) {
        Program some = one;
        some.threads[0][0].value = static_cast<std::uint32_t>(i);
        (void)kept_runs.look_up(some);
    }
    EXPECT_TRUE(kept_runs.look_up(other).runs.empty());
    EXPECT_FALSE(kept_runs.look_up(one).worth_recording);
}

}  // namespace
}  // namespace tessera::test
