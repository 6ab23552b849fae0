// SPDX-License-Identifier: Apache-2.0
// RunOptions::recorded: a replayed run leaves the same state and Run as the engine. Any input that affects a run
// prevents replay of a recording with another value.
//
// TESSERA_RECORDED_RUNS is the number of random programs for a chip, TESSERA_RECORDED_RUNS_SEED chooses others.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <string>
#include <string_view>

#include "state/cells.hpp"
#include "support/matmul_example.hpp"
#include "support/random_cases.hpp"
#include "support/random_programs.hpp"
#include "support/recorded_run.hpp"
#include "support/same_state.hpp"
#include "tessera/execution.hpp"
#include "tessera/registers.hpp"

namespace tessera::test {
namespace {

constexpr unsigned default_programs = 60;

/// Other datums in L1, SrcA, SrcB, Dst and LRegs, and other valid rows.
void change_data(Core& core, Random& random) {
    for (auto& byte : core.l1()) byte = static_cast<std::uint8_t>(random() >> 32);
    for (auto& datum : core.dst()) datum = static_cast<std::uint16_t>(random());
    for (const auto& banks : {core.src_a(), core.src_b()})
        for (auto bank : banks)
            for (auto& datum : bank) datum = static_cast<std::uint32_t>(random()) & 0xFFFFE000;
    for (const char* name : {"lregs", "dst_valid"})
        for (std::size_t i = 0; i < section(core, name).size; ++i)
            if (std::string_view(name) != "lregs" || i < std::size_t{8} * 32)
                core.write(section(core, name), i, random());
}

/// Copies the other state, except the parts that programs do not use.
void become(Core& core, Core& other) {
    std::copy(other.l1().begin(), other.l1().end(), core.l1().begin());
    std::copy(other.dst().begin(), other.dst().end(), core.dst().begin());
    for (const Section& each : other.sections()) {
        if (each.name == "l1" || each.name == "dst" || each.name.starts_with("riscv") || each.name.starts_with("tile"))
            continue;
        for (std::size_t i = 0; i < each.size; ++i)
            if (const auto value = other.read(each, i); value != core.read(each, i)) core.write(each, i, value);
    }
}

class RecordedRuns : public testing::TestWithParam<Arch> {};
INSTANTIATE_TEST_SUITE_P(Archs, RecordedRuns, testing::ValuesIn(all_archs),
                         [](const auto& arch) { return std::string(name(arch.param)); });

/// Random ops, of which those are taken that end no run.
Program good_program(RandomPrograms& make, const Core& base, const RunOptions& options) {
    constexpr unsigned most_tried = 24;
    Program made;
    made.arch = base.arch();
    for (std::uint64_t n = make.random()() % most_tried + 1; n > 0; --n) {
        auto& thread = made.threads[make.random()() % made.threads.size()];
        thread.push_back(make.op());
        Core tried = base;
        const auto run = tried.run(made, options);
        if (!run || !run->good()) thread.pop_back();
    }
    return made;
}

// Two cores do the same, one of them always through the engine: a program on four sets of data, of which the last comes with
// another cell, and behind each another program, for which plans have been kept.
TEST_P(RecordedRuns, LeaveWhatTheEngineLeaves) {
    const unsigned programs = asked_cases(default_programs, "TESSERA_RECORDED_RUNS");
    RandomPrograms make(GetParam(), random_seed(91, GetParam(), "TESSERA_RECORDED_RUNS_SEED"));
    std::uint64_t repeated = 0;
    for (unsigned i = 0; i < programs && !HasFailure(); ++i) {
        SCOPED_TRACE(i);
        const Core& base = make.base();
        RunOptions options = make.options();
        options.seed.reset();
        const Program program = good_program(make, base, by_engine(options)), next = make.program();
        Core recorded = base, engine = base;
        for (unsigned round = 0; round < 4 && !HasFailure(); ++round) {
            SCOPED_TRACE(round);
            Core begin = base;
            change_data(begin, make.random());
            if (round == 3) {
                const auto& cells = section(begin, i % 2 ? "gpr" : "thread_config");
                begin.write(cells, make.random()() % cells.size, make.random()());
            }
            become(recorded, begin);
            become(engine, begin);
            expect_same(*recorded.run(program, options), *engine.run(program, by_engine(options)));
            EXPECT_EQ(difference(recorded, engine), "");
            if (!validate(next)) continue;
            expect_same(*recorded.run(next, by_engine(options)), *engine.run(next, by_engine(options)));
            EXPECT_EQ(difference(recorded, engine), "");
        }
        repeated += recorded.run_counts().repeated;
        EXPECT_EQ(engine.run_counts().recorded + engine.run_counts().repeated, 0u);
    }
    EXPECT_GT(repeated, programs / 3);
}

TEST_P(RecordedRuns, AgreeWithStepsAndGoOnFromThem) {
    RandomPrograms make(GetParam(), random_seed(92, GetParam(), "TESSERA_RECORDED_RUNS_SEED"));
    unsigned repeated = 0;
    for (unsigned i = 0; i < 20 && !HasFailure(); ++i) {
        SCOPED_TRACE(i);
        Core core = make.base();
        RunOptions options = make.options();
        options.seed.reset();
        const Program program = good_program(make, core, by_engine(options));
        const auto begin = Execution::begin(core, program, options).value().snapshot();
        for (unsigned round = 0; round < 4 && !HasFailure(); ++round) {
            Core stepped = core;
            auto steps = Execution::begin(stepped, begin, options).value();
            while (!steps.ended()) steps.step();
            ASSERT_TRUE(Execution::begin(core, begin, options));
            tessera::Run in_steps = steps.run();
            in_steps.explanations.clear();
            expect_same(*core.run(program, options), in_steps);
            EXPECT_EQ(difference(core, stepped), "");
        }
        repeated += core.run_counts().repeated > 0;
    }
    EXPECT_GT(repeated, 5u);
}

TEST(RecordedRun, ExamplesOnOtherData) {
    Random random(1);
    for (const char* name : {"add", "matmul"}) {
        SCOPED_TRACE(name);
        const Job job = make_example(name)->load();
        const Core ready = prepare(job).value();
        for (unsigned round = 0; round < 3; ++round) {
            Core recorded = ready;
            for (auto& byte : recorded.l1()) byte = static_cast<std::uint8_t>(random() >> 32);
            Core engine = recorded;
            expect_same(*recorded.run(job.program, job.options), *engine.run(job.program, by_engine(job.options)));
            EXPECT_EQ(difference(recorded, engine), "");
            EXPECT_EQ(recorded.run_counts().recorded, round == 1 ? 1u : 0u);
            EXPECT_EQ(recorded.run_counts().repeated, round == 2 ? 1u : 0u);
        }
    }
}

TEST(RecordedRun, AnsweredOnlyWhereNothingButDataDiffers) {
    struct Change {
        const char* what;
        std::function<void(Moves&)> make;
        bool answered = false;
    };
    const Change changes[] = {
        {"nothing", [](Moves&) {}, true},
        {"L1", [](Moves& m) { m.core.l1()[0x4000] = 1; }, true},
        {"a byte that has been written, behind what is read",
         [](Moves& m) { ASSERT_TRUE(m.core.write_l1(0x4050, std::array<std::byte, 16>{})); }, true},
        {"a flag that is not set",
         [](Moves& m) {
             static const std::atomic<bool> stop = false;
             m.options.stop = &stop;
         },
         true},
        {"SrcA", [](Moves& m) { m.core.src_a()[0][0] = 0x3F800000; }, true},
        {"a GPR", [](Moves& m) { m.core.write(section(m.core, "gpr"), 100, 1); }},
        {"a counter", [](Moves& m) { m.core.write(section(m.core, "rwc"), 0, 1); }},
        {"configuration", [](Moves& m) { m.core.write(section(m.core, "config"), 17, 1); }},
        {"a line that has been written",
         [](Moves& m) { ASSERT_TRUE(m.core.write_l1(0x4040, std::array<std::byte, 16>{})); }},
        {"rows that have been written", [](Moves& m) { m.core.mark_written(section(m.core, "src_a"), 0, 16); }},
        {"rows of Dst", [](Moves& m) { m.core.mark_written(section(m.core, "dst"), 512, 16); }},
        {"a word", [](Moves& m) { m.program.threads[1][0].value ^= 1; }},
        {"a line of text", [](Moves& m) { ++m.program.threads[1][0].line; }},
        {"a file", [](Moves& m) { m.program.files[1] = "other.tts"; }},
        {"one op more", [](Moves& m) { m.program.threads[2].push_back({}); }},
        {"timing", [](Moves& m) { m.options.timing = Timing::instant; }},
        {"max_cycles", [](Moves& m) { m.options.max_cycles = 5; }},
        {"levels", [](Moves& m) { m.options.levels["state.read-before-write"] = Level::warning; }},
        {"disregard",
         [](Moves& m) {
             m.options.disregard.push_back({Ordering::bank, {}, {}, {}});
         }},
        {"a seed", [](Moves& m) { m.options.seed = 1; }},
        {"the reference", [](Moves& m) { m.options.reference = true; }},
        {"a window", [](Moves& m) { m.options.window = "MOVA2D"; }},
        {"events", [](Moves& m) { m.options.on_event = [](const Event&) {}; }},
        {"writes", [](Moves& m) { m.options.on_write = [](const Write&) {}; }},
        {"waits", [](Moves& m) { m.options.on_wait = [](const Wait&) {}; }},
        {"explanations",
         [](Moves& m) { m.options.explain = [](unsigned, std::int64_t, std::uint32_t) { return true; }; }},
        {"a flag that is set",
         [](Moves& m) {
             static const std::atomic<bool> stop = true;
             m.options.stop = &stop;
         }},
        {"recorded", [](Moves& m) { m.options.recorded = false; }},
    };
    const Moves moves;
    EXPECT_EQ(moves.repeated(moves.core), 0u) << "the first run";
    EXPECT_EQ(moves.repeated(moves.core), 0u) << "the second is recorded";
    for (const Change& change : changes) {
        SCOPED_TRACE(change.what);
        EXPECT_EQ(moves.repeated(moves.core), 1u);
        Moves changed = moves;
        change.make(changed);
        EXPECT_EQ(changed.repeated(changed.core), change.answered ? 1u : 0u);
        Core answered = changed.core, engine = changed.core;
        expect_same(*answered.run(changed.program, changed.options),
                    *engine.run(changed.program, by_engine(changed.options)));
        EXPECT_EQ(difference(answered, engine), "");
    }
}

// Each bank of a source, and Dst, has its own marks of written rows: a run with the same marks is answered, and none with others.
TEST(RecordedRun, OneForEachSetOfWrittenRows) {
    Moves moves;
    for (unsigned i = 0; i < 3; ++i) EXPECT_EQ(moves.repeated(moves.core), i == 2 ? 1u : 0u);
    for (const char* name : {"src_a", "src_b"})
        for (const unsigned bank : {0u, 1u}) {
            SCOPED_TRACE(fmt::format("{} {}", name, bank));
            const Section& rows = section(moves.core, name);
            moves.core.mark_written(rows, bank * rows.size / 2, 16);
            EXPECT_EQ(moves.repeated(moves.core), 0u);
            EXPECT_EQ(moves.repeated(moves.core), 1u);
        }
    moves.core.mark_written(section(moves.core, "dst"), 512, 16);
    EXPECT_EQ(moves.repeated(moves.core), 0u);
    EXPECT_EQ(moves.repeated(moves.core), 1u);
}

// Places written by a run count as written after its replay, too.
TEST(RecordedRun, MarksWhatItWrites) {
    const Moves moves;
    Core core = moves.core;
    for (unsigned i = 0; i < 2; ++i) (void)moves.repeated(moves.core);
    ASSERT_FALSE(core.run(moves.program)->findings.empty()) << "neither L1 nor SrcA has been written";
    ASSERT_EQ(core.run_counts().repeated, 1u);
    Program reads;
    reads.threads[0].push_back({.value = 0x40000000});
    EXPECT_TRUE(write_field(core, "THCON_SEC0_REG6_Source_address", 0, 0x800));
    EXPECT_TRUE(core.run(reads)->findings.empty());
    EXPECT_TRUE(write_field(core, "THCON_SEC0_REG6_Source_address", 0, 0x801));
    EXPECT_FALSE(core.run(reads)->findings.empty()) << "a line further it has not";
}

// A replay that leaves another configuration invalidates older plans.
TEST(RecordedRun, ConfigurationThatItLeavesIsLookedAt) {
    const std::string field = ".cfg ALU_ACC_CTRL_Zero_Flag_disabled_src = ";
    const Program set = program_of(field + "1\n.drain\n"), reset = program_of(field + "0\n.drain\n");
    const Program move = program_of(".thread math\nMOVA2D dst=0 instr_mod=2 addr_mode=0 src=0\n");
    Core core{Arch::blackhole}, engine{Arch::blackhole};
    for (unsigned round = 0; round < 4; ++round) {
        for (const Program* program : {&set, &move, &reset, &move}) {
            for (Core* each : {&core, &engine}) {
                each->write(section(*each, "bank_owner"), 0, 1);
                each->src_a()[0][0] = 0x00012000;  // an exponent of 0
            }
            const bool moves = program == &move;
            expect_same(*core.run(*program, moves ? by_engine() : RunOptions{}), *engine.run(*program, by_engine()));
            EXPECT_EQ(difference(core, engine), "");
        }
    }
    EXPECT_GE(core.run_counts().repeated, 4u);
}

// The generators of random numbers are data, too: they go on where they are.
TEST(RecordedRun, RandomNumbersGoOn) {
    const Program program =
        program_of(".thread math\nSFP_STOCH_RND rnd_mode=1 lreg_src_c=10 lreg_dest=2 instr_mod1=1\n");
    Core core{Arch::blackhole}, engine{Arch::blackhole};
    for (Core* each : {&core, &engine})
        for (std::size_t lane = 0; lane < 32; ++lane) each->write(section(*each, "prng"), lane, 0x1234567 * (lane + 1));
    for (unsigned i = 0; i < 4; ++i) {
        const auto before = core.read(section(core, "prng"), 0);
        expect_same(*core.run(program), *engine.run(program, by_engine()));
        EXPECT_EQ(difference(core, engine), "");
        EXPECT_NE(core.read(section(core, "prng"), 0), before);
    }
    EXPECT_EQ(core.run_counts().repeated, 2u);
}

// A packer's plane of its tile goes on from run to run. It matters to what masks say of edges; where they say nothing it only counts.
TEST_P(RecordedRuns, PlanesOfATileGoOn) {
    const bool blackhole = GetParam() == Arch::blackhole;
    for (const unsigned kind : {0u, 1u, 2u, 3u}) {
        SCOPED_TRACE(kind);
        const bool masked = kind & 1, transposed = kind & 2;
        std::string text = fmt::format(R"(.thread pack
.cfg ALU_FORMAT_SPEC_REG2_Dstacc = Float16_b
.cfg PACK_COUNTERS_SEC0_pack_reads_per_xy_plane = {}
.cfg PACK_COUNTERS_SEC0_pack_yz_transposed = {}
.cfg PCK_EDGE_OFFSET_SEC0_mask = {}
.cfg THCON_SEC0_REG1_In_data_format = Float16_b
.cfg THCON_SEC0_REG1_Out_data_format = Float16_b
.cfg THCON_SEC0_REG1_Disable_zero_compress = 1
.cfg THCON_SEC0_REG1_L1_Dest_addr = 0x1000
.cfg THCON_SEC0_REG9_Pack_0_2_limit_address = 0xFFFF
SETADCXX CntSetMask=4 x_start=0 x_end2={}
STALLWAIT stall_res=0x1FF wait_res=1<<{}
)",
                                       blackhole ? 4 : 16, int{transposed}, masked ? 0xFFF : 0xFFFF,
                                       blackhole ? 15 : 255, blackhole ? 10 : 13);
        for (unsigned i = 0; i < 3; ++i) text += "PACR Last=1\n";
        const Program program = program_of(text, GetParam());
        Core core{GetParam()}, engine{GetParam()};
        core.mark_written(section(core, "dst"), 0, section(core, "dst").size);
        engine.mark_written(section(engine, "dst"), 0, section(engine, "dst").size);
        const auto plane = static_cast<std::size_t>(transposed ? state::Packer::tile_y : state::Packer::tile_z);
        const unsigned first = transposed ? 0x1FE : 0;
        core.write(section(core, "packer"), plane, first);
        engine.write(section(engine, "packer"), plane, first);
        Random random(1);
        constexpr unsigned runs = 80;
        for (unsigned i = 0; i < runs && !HasFailure(); ++i) {
            for (std::size_t k = 0; k < 1024; ++k)
                core.dst()[k] = engine.dst()[k] = static_cast<std::uint16_t>(random());
            const tessera::Run run = *core.run(program);
            EXPECT_TRUE(run.good());
            expect_same(run, *engine.run(program, by_engine()));
            EXPECT_EQ(difference(core, engine), "");
            EXPECT_EQ(core.read(section(core, "packer"), plane), (first + 3 * (i + 1)) & 0xFF);
        }
        if (masked)
            EXPECT_EQ(core.run_counts().repeated, 0u);
        else
            EXPECT_GT(core.run_counts().repeated, runs - 5);
    }
}

}  // namespace
}  // namespace tessera::test
