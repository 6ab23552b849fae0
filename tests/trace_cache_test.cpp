// SPDX-License-Identifier: Apache-2.0
// Recurring sequences of plans (units/trace_cache.hpp), and their timing (units/trace_timing.hpp); pauses of searches
// (units/search_pause.hpp).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "support/assembly.hpp"
#include "support/macro_run.hpp"
#include "support/random_cases.hpp"
#include "support/random_programs.hpp"
#include "support/same_state.hpp"
#include "tessera/core.hpp"
#include "units/costs/costs.hpp"
#include "units/search_pause.hpp"
#include "units/slots.hpp"

namespace tessera::test {
namespace {

using units::PlanRef;

/// A math thread whose instructions execute when they are issued.
class TraceCacheTest : public testing::Test {
protected:
    const PlanRef& issue(std::string_view line) {
        const auto instruction = isa::decode(word(line), Arch::blackhole);
        const PlanRef& plan = slots.plans.resolve(instruction, 1, state, costs, slots);
        run_whole(plan->plan, state);
        return plan;
    }
    /// The first one, and what has been learned to come behind it.
    const units::Resolved& learn(std::string_view first, std::initializer_list<std::string_view> behind) {
        const units::Resolved* known = nullptr;
        for (bool learns = false; !learns;) {
            const PlanRef& plan = issue(first);
            known = &*plan;
            learns = slots.traces.begin(plan, state, costs);
            before = state.all_cells();
        }
        for (const std::string_view line : behind)
            if (!slots.traces.add(issue(line))) break;
        slots.traces.end();
        return *known;
    }
    void go_back() {
        for (unsigned i = 0; i < before.size(); ++i) state.write(state::Cell(i), before[i]);
    }
    const units::Trace* behind(const units::Resolved& first, std::string_view next) {
        return slots.traces.behind(first, word(next), state);
    }

    state::State state{Arch::blackhole};
    units::Slots slots;
    const units::CostTable& costs = units::costs(Arch::blackhole, Timing::documented);
    std::array<std::uint32_t, state::cells::total> before{};
};

TEST_F(TraceCacheTest, AreKnownWhereAllThatTheyLookAtIsAsItWas) {
    constexpr std::string_view next = "INCRWC rwc_d=8";
    const auto& first = learn("NOP", {next, next, "NOP"});
    EXPECT_EQ(behind(first, next), nullptr) << "the counter has gone on";
    go_back();
    const units::Trace* known = behind(first, next);
    ASSERT_NE(known, nullptr);
    ASSERT_EQ(known->steps.size(), 3u);
    EXPECT_EQ(known->steps[1].plan->plan.effects.size(), 1u);
    EXPECT_EQ(known->steps[1].plan->plan.effects[0].value, 16u) << "set by the step before";
    EXPECT_EQ(behind(first, "NOP"), nullptr) << "another word";
    state.write(state::cells::rwc(1, state::Rwc::dst), 1);
    EXPECT_EQ(behind(first, next), nullptr);
}

TEST_F(TraceCacheTest, EndInFrontOfWhatOthersNotice) {
    const auto& first = learn("NOP", {"NOP", "SEMPOST sem_sel=1", "NOP"});
    const units::Trace* known = behind(first, "NOP");
    ASSERT_NE(known, nullptr);
    EXPECT_EQ(known->steps.size(), 1u);
}

TEST_F(TraceCacheTest, AreNoLongerKnownOnceCleared) {
    const auto& first = learn("NOP", {"NOP"});
    ASSERT_NE(behind(first, "NOP"), nullptr);
    const PlanRef held = slots.plans.resolve(isa::decode(word("NOP"), Arch::blackhole), 1, state, costs, slots).share();
    slots.traces.clear();
    EXPECT_EQ(behind(*held, "NOP"), nullptr);
    learn("INCRWC rwc_d=8", {"NOP"});
    EXPECT_EQ(behind(*held, "NOP"), nullptr) << "another one is where it was";
}

// SFPMAD, Instruction scheduling: Blackhole waits a cycle for the result of the instruction before; SFPMAD ends in its second cycle.
TEST_F(TraceCacheTest, KeepThePaceOfTheVectorUnit) {
    constexpr std::string_view mad = "SFPMAD lreg_src_a=0 lreg_src_b=1 lreg_src_c=2 lreg_dest=3",
                               uses_it = "SFPMAD lreg_src_a=3 lreg_src_b=1 lreg_src_c=2 lreg_dest=4";
    const auto& first = learn("NOP", {mad, uses_it, mad});
    const units::Trace* known = behind(first, mad);
    ASSERT_NE(known, nullptr);
    EXPECT_EQ(known->timing.issued, (std::vector<std::uint32_t>{0, 2, 3}));
    EXPECT_EQ(known->timing.cycles, 4u);
    EXPECT_EQ(known->timing.end, 5u);
    ASSERT_EQ(known->timing.pipes.size(), 1u);
    EXPECT_EQ(known->timing.pipes[0].pipe, plan::Pipe::vector);
    EXPECT_EQ(known->timing.pipes[0].instructions, 3u);
    ASSERT_EQ(known->timing.waits.size(), 1u);
    EXPECT_EQ(known->timing.waits[0].cycles, 1u);

    const auto& result = learn(mad, {uses_it, "NOP"});
    const units::Trace* held = behind(result, uses_it);
    ASSERT_NE(held, nullptr);
    EXPECT_EQ(held->timing.issued, (std::vector<std::uint32_t>{1, 2})) << "by the one in front";
}

// A block of Dst cannot be read for four cycles behind the instruction that writes it (spec-notes on interlocks; MatrixUnit).
TEST_F(TraceCacheTest, KeepThePaceOfDst) {
    for (const state::Src src : {state::Src::a, state::Src::b})
        state.write(state::cells::bank_owner(src, 0), static_cast<std::uint32_t>(state::Owner::matrix));
    const auto& first = learn("NOP", {"MVMUL dst=0", "NOP", "MVMUL dst=0", "MVMUL dst=8"});
    const units::Trace* known = behind(first, "MVMUL dst=0");
    ASSERT_NE(known, nullptr);
    EXPECT_EQ(known->timing.issued, (std::vector<std::uint32_t>{0, 1, 5, 6}));
    ASSERT_EQ(known->timing.blocks.size(), 2u);
    EXPECT_EQ(known->timing.blocks[1].block, 1u);
    EXPECT_EQ(known->timing.blocks[1].asked, 6u);
    const auto& matrix = known->timing.pipes[0];
    EXPECT_EQ(matrix.pipe, plan::Pipe::matrix);
    EXPECT_EQ(matrix.busy + (matrix.end - matrix.resumed), matrix.end) << "MVMUL takes five cycles: no pause";
}

// MVMUL waits for both banks, MOVD2A only for the rows of Dst that it reads.
TEST_F(TraceCacheTest, KnowWhichStepsWait) {
    for (const state::Src src : {state::Src::a, state::Src::b})
        state.write(state::cells::bank_owner(src, 0), static_cast<std::uint32_t>(state::Owner::matrix));
    const auto& first = learn("NOP", {"MVMUL dst=0", "MOVD2A dst=16", "NOP", "ELWADD dst=8"});
    const units::Trace* known = behind(first, "MVMUL dst=0");
    ASSERT_NE(known, nullptr);
    ASSERT_EQ(known->steps.size(), 4u);
    EXPECT_TRUE(known->steps[0].is_gated);
    EXPECT_TRUE(known->steps[1].is_gated);
    EXPECT_FALSE(known->steps[2].is_gated);
    EXPECT_TRUE(known->steps[3].is_gated);
    EXPECT_FALSE(known->steps[1].writes_dst);
    EXPECT_TRUE(known->steps[3].writes_dst);
}

TEST(StretchesOfAProgram, AreFollowedInLoops) {
    const auto program = assemble(
        "REPLAY load_mode=1 len=8\n.repeat 8\nINCRWC rwc_d=8\n.end\n.repeat 100\n"
        "SETRWC BitMask=15\nREPLAY len=8\n.end\n",
        Arch::blackhole);
    ASSERT_TRUE(program) << program.error().describe();
    Core core{Arch::blackhole};
    const auto run = core.run(*program);
    ASSERT_TRUE(run && run->good());
    EXPECT_GT(core.plan_counts().followed, 500u);
    EXPECT_EQ(core.plan_counts().found + core.plan_counts().made, 900u);
    Core watched{Arch::blackhole};
    RunOptions options;
    options.on_event = [](const Event&) {};
    EXPECT_EQ(watched.run(*program, options)->cycles, run->cycles);
    EXPECT_EQ(watched.plan_counts().followed, 0u);
}

// A core pushes the words one by one.
TEST(StretchesOfAProgram, AreFollowedFromAFifo) {
    const auto program = assemble(".repeat 800\nSETRWC BitMask=15\nINCRWC rwc_d=8\nNOP\nNOP\n.end\n", Arch::blackhole);
    ASSERT_TRUE(program) << program.error().describe();
    Core core{Arch::blackhole};
    const auto run = core.run(*program);
    ASSERT_TRUE(run && run->good());
    EXPECT_GT(core.plan_counts().followed, 3000u);
}

// T0 unpacks while T1 multiplies; a run in which each instruction is seen says for how long both did.
TEST(StretchesOfAProgram, OverlapWithOtherUnits) {
    std::string text = "SETADCXX CntSetMask=3 x_end2=255\nUNPACR Unpack_block_selection=1 OvrdThreadId=1 SetDatValid=1\n"
                       "UNPACR OvrdThreadId=1 SetDatValid=1\n.repeat 8\nUNPACR OvrdThreadId=1\n.end\n.thread math\nREPLAY load_mode=1 len=8\n";
    for (unsigned i = 0; i < 8; ++i) text += fmt::format("MVMUL dst={}\n", 8 * i);
    const auto program = assemble(text + ".repeat 60\nREPLAY len=8\n.end\n", Arch::blackhole);
    ASSERT_TRUE(program) << program.error().describe();
    const auto run = [&](const RunOptions& options) {
        Core core{Arch::blackhole};
        auto done = core.run(*program, options);
        return std::pair(std::move(*done), core.plan_counts().followed);
    };
    RunOptions observed;
    observed.on_event = [](const Event&) {};
    const auto [alone, followed] = run({});
    const auto [watched, none] = run(observed);
    EXPECT_GT(followed, 100u);
    EXPECT_EQ(none, 0u);
    EXPECT_GT(alone.overlapped, 50u);
    EXPECT_EQ(reported(alone), reported(watched));
}

/// Loops as kernels have them, of well-formed instructions: one needs what the one before has made, blocks of Dst are met again, and now
/// and then a wait, a core's store or another thread comes between.
class KernelLoops {
public:
    explicit KernelLoops(std::uint64_t seed) : random_(seed) {}

    std::string program() {
        std::string text = "SETADCXY\n";
        for (std::uint64_t n = random_() % 3; n > 0; --n)
            text += fmt::format(".repeat {}\nNOP\n.end\nRMWCIB1 Mask=0x{:X} Data={} CfgRegAddr=1\n", random_() % 60 + 1,
                                1 << random_() % 8, random_() % 256);
        text += ".thread math\n" + loop() + loop() + ".thread pack\n";
        for (std::uint64_t n = random_() % 4; n > 0; --n)
            text += fmt::format("STALLWAIT stall_res=1 wait_res={}\n.repeat {}\nNOP\n.end\n", 1 << random_() % 9,
                                random_() % 40 + 1);
        return text;
    }

private:
    std::string loop() {
        std::string body;
        const std::uint64_t size = random_() % 20 + 2, what = random_() % 3;
        for (std::uint64_t i = 0; i < size; ++i) body += line(what) + "\n";
        std::string text;
        if (random_() % 2) {
            text = fmt::format("REPLAY load_mode=1 len={}\n{}", size, body);
            body = fmt::format("REPLAY len={}\n", size);
        }
        const bool disturbed = random_() % 2;
        for (std::uint64_t turns = random_() % 40 + 4; turns > 0; --turns) {
            text += body;
            if (disturbed && random_() % 6 == 0) text += between();
        }
        return text;
    }
    std::string line(std::uint64_t what) {
        const auto lreg = [&] { return random_() % 4; };
        const bool counts = random_() % 6 == 0;
        if (counts) return random_() % 2 ? "NOP" : fmt::format("INCRWC rwc_d={}", random_() % 2 * 8);
        if (what == 0 || (what == 2 && random_() % 2)) {
            constexpr std::string_view names[] = {"MVMUL", "ELWADD", "ELWMUL", "MVMUL"};
            return fmt::format("{} dst={}", names[random_() % std::size(names)], random_() % 4 * 8);
        }
        switch (random_() % 8) {
            case 0: return fmt::format("SFPLOAD lreg_ind={} dest_reg_addr={}", lreg(), random_() % 8 * 4);
            case 1: return fmt::format("SFPSTORE lreg_ind={} dest_reg_addr={}", lreg(), random_() % 8 * 4);
            case 2: return fmt::format("SFPABS lreg_c={} lreg_dest={}", lreg(), lreg());
            case 3: return fmt::format("SFPSWAP lreg_src_c={} lreg_dest={} instr_mod1=1", lreg(), lreg());
            case 4: return "SFPNOP";
            default:
                return fmt::format("SFPMAD lreg_src_a={} lreg_src_b={} lreg_src_c={} lreg_dest={}", lreg(), lreg(),
                                   lreg(), lreg());
        }
    }
    std::string between() {
        switch (random_() % 4) {
            case 0: return fmt::format("STALLWAIT stall_res={} wait_res={}\n", 1 << random_() % 9, 1 << random_() % 13);
            case 1: return fmt::format(".cfg ALU_FORMAT_SPEC_REG2_Dstacc = {}\n", random_() % 2 * 5);
            case 2: return "SETC16 setc16_reg=1 setc16_value=64\n";
            default: return "SEMPOST sem_sel=1\n";
        }
    }

    std::mt19937_64 random_;
};

class TraceCache : public testing::TestWithParam<Arch> {};

TEST_P(TraceCache, LeaveARunWhatItIs) {
    const unsigned loops = asked_cases(600, "TESSERA_LOOPS"), of_one_core = 16;
    KernelLoops make(random_seed(87, GetParam(), "TESSERA_LOOPS_SEED"));
    std::mt19937_64 random(1);
    const auto new_core = [] {
        Core core{GetParam()};
        for (std::size_t bank = 0; bank < 4; ++bank) core.write(**core.find_section("bank_owner"), bank, 1);
        return core;
    };
    Core used = new_core();
    std::uint64_t issued = 0, followed = 0;
    for (unsigned i = 0; i < loops && !HasFailure(); ++i) {
        const std::string text = make.program();
        SCOPED_TRACE(text);
        const auto program = assemble(text, GetParam());
        ASSERT_TRUE(program) << program.error().describe();
        RunOptions options;
        if (i / of_one_core % 3 == 2) options.timing = Timing::instant;
        options.max_cycles = i % 3 ? 20'000 : random() % 1000;
        if (i % 5 == 0)
            for (const char* code : {"hazard.dst", "hazard.src", "hazard.config-use", "hazard.vector-result"})
                options.levels[code] = Level::error;
        if (i % 7 == 0) options.disregard = {{Ordering::unit_order}, {Ordering::dst_block}};
        options.recorded = i % 4 == 0;
        Core watched = used;
        const std::uint64_t before = used.plan_counts().followed;
        const auto run = used.run(*program, options);
        ASSERT_TRUE(run);
        followed += used.plan_counts().followed - before;
        RunOptions observed = options;
        observed.on_event = [](const Event&) {};
        EXPECT_EQ(reported(*watched.run(*program, observed)), reported(*run));
        EXPECT_EQ(difference(watched, used), "");
        issued += run->instructions[1];
        if (i % of_one_core == of_one_core - 1) used = new_core();
    }
    EXPECT_GT(followed, issued / 5);
}

/// A program's end state and report are the same with and without an observer.
void expect_the_same_when_watched(const Program& program, const RunOptions& options, const std::string& text) {
    SCOPED_TRACE(text);
    Core alone{program.arch}, watched{program.arch};
    const auto run = alone.run(program, options);
    ASSERT_TRUE(run);
    EXPECT_GT(alone.plan_counts().followed, 100u);
    RunOptions observed = options;
    observed.on_event = [](const Event&) {};
    EXPECT_EQ(reported(*watched.run(program, observed)), reported(*run));
    EXPECT_EQ(difference(watched, alone), "");
}

// SEMWAIT holds back the vector unit's instructions alone, here for ever: NOPs go on, up to the first of those.
TEST_P(TraceCache, WaitForALatchedWaitOfOtherInstructions) {
    for (unsigned before = 1; before < 12; ++before) {
        const std::string text = fmt::format(
            "SEMINIT sem_sel=2 max_value=15 init_value=0\n.thread math\n.repeat 20\nNOP\n.end\n"
            "REPLAY load_mode=1 len=16\n.repeat {}\nNOP\n.end\n"
            ".repeat {}\nSFPABS lreg_c=1 lreg_dest=2\n.end\n.repeat 40\nREPLAY len=16\n.end\n"
            "SEMWAIT stall_res=256 sem_sel=2 wait_sem_cond=1\nREPLAY len=16\n",
            before, 16 - before);
        const auto program = assemble(text, GetParam());
        ASSERT_TRUE(program) << program.error().describe();
        expect_the_same_when_watched(*program, {}, text);
    }
}

// Instructions scheduled by SFPLOADMACRO directly behind them access their registers and depend on their order.
TEST_P(TraceCache, EndWhereSomethingIsScheduled) {
    for (unsigned delay = 0; delay < 3; ++delay) {
        std::string text = ".thread math\nSFPMAD lreg_src_a=10 lreg_src_b=1 lreg_src_c=11 lreg_dest=12\n" +
                           set_sequence(0, {{}, {Step::first_template, delay, true}, {}, store_after(delay + 2)}) +
                           set_misc(4) + "REPLAY load_mode=1 len=8\n";
        for (unsigned i = 0; i < 8; ++i)
            text += fmt::format("SFPMAD lreg_src_a=4 lreg_src_b=5 lreg_src_c=6 lreg_dest={}\n", i % 4);
        for (unsigned vd = 0; vd < 4; ++vd)
            text += ".repeat 40\nREPLAY len=8\n.end\n" + macro(0, vd, 0) + "REPLAY len=8\n";
        const auto program = assemble(text, GetParam());
        ASSERT_TRUE(program) << program.error().describe();
        expect_the_same_when_watched(*program, {}, text);
    }
}

// T1's core stores what its SFPLOADs use, without a wait: those it has pushed before may come later, and those behind it earlier.
TEST_P(TraceCache, TellWhatACoresStoreMeets) {
    std::string text =
        ".thread math\nREPLAY load_mode=1 len=16\n.repeat 16\nSFPLOAD lreg_ind=0\n.end\n.repeat 100\nREPLAY "
        "len=16\n.end\n";
    for (unsigned turn = 0; turn < 12; ++turn)
        text += fmt::format(".repeat {}\nREPLAY len=16\n.end\n.cfg ALU_ACC_CTRL_SFPU_Fp32_enabled = {}\n", 5 * turn + 1,
                            turn % 2);
    text += ".repeat 20\nREPLAY len=16\n.end\n";
    const auto program = assemble(text, GetParam());
    ASSERT_TRUE(program) << program.error().describe();
    expect_the_same_when_watched(*program, {}, text);
}

// A core's work between two pushes leaves a gap among the words in the FIFO: later words arrive later.
TEST_P(TraceCache, WaitForWordsBehindAStoreOfTheirCore) {
    std::string text = ".repeat 300\nNOP\n.end\n";
    for (unsigned words = 1; words < 80; ++words)
        text += fmt::format(".gpr 5 = {}\n.repeat {}\nNOP\n.end\n", words, words);
    const auto program = assemble(text, GetParam());
    ASSERT_TRUE(program) << program.error().describe();
    expect_the_same_when_watched(*program, {}, text);
}

// T1's SFPLOAD uses a bit of configuration that T0 writes, and the run ends there; T2's core is filling its FIFO then.
TEST_P(TraceCache, LeaveFifosAsTheyAreWhereAFindingEndsTheRun) {
    for (unsigned at = 0; at < 16; ++at) {
        std::string body;
        for (unsigned i = 0; i < 16; ++i) body += i == at ? "SFPLOAD lreg_ind=0\n" : "NOP\n";
        // ALU_ACC_CTRL_SFPU_Fp32_enabled
        const auto write = [](unsigned data) { return fmt::format("RMWCIB3 Mask=64 Data={} CfgRegAddr=1\n", data); };
        const std::string text =
            ".repeat 20\nNOP\n.end\nSEMWAIT stall_res=0x1FF sem_sel=1 wait_sem_cond=1\n" + write(64) + write(0) +
            "SEMWAIT stall_res=0x1FF sem_sel=4 wait_sem_cond=1\nNOP\n.thread math\n"
            "SEMINIT sem_sel=7 max_value=15 init_value=0\nREPLAY load_mode=1 len=16\n" +
            body +
            ".repeat 60\nREPLAY len=16\n.end\nSEMPOST sem_sel=3\n.repeat 20\nREPLAY len=16\n.end\n.thread pack\n" +
            ".repeat 20\nNOP\n.end\nSEMWAIT stall_res=0x1FF sem_sel=4 wait_sem_cond=1\nNOP\n";
        auto program = assemble(text, GetParam());
        ASSERT_TRUE(program) << program.error().describe();
        auto& pack = program->threads[2];
        const Op nop = pack.front();
        Op wait;
        wait.kind = Op::Kind::sem_wait;
        wait.index = 1;
        wait.value = Op::until_nonzero;
        pack.push_back(wait);
        pack.insert(pack.end(), 29, nop);
        RunOptions options;
        options.levels["hazard.config-use"] = Level::error;
        expect_the_same_when_watched(*program, options, text);
    }
}

// 128 plans make a trial. If fewer than an eighth as many were found meanwhile, the word is not looked up for 128 instructions; after the
// next such trial for 256, and so on up to 8192.
TEST(SearchPause, BeginsWhenTooFewAreFound) {
    units::SearchPause pause;
    const auto found = [&](unsigned n) {
        for (unsigned i = 0; i < n; ++i) pause.count_found();
    };
    const auto kept = [&](unsigned n) {
        for (unsigned i = 0; i < n; ++i) pause.count_kept();
    };
    const auto expect_pause = [&](unsigned length) {
        for (unsigned i = 1; i < length; ++i) ASSERT_FALSE(pause.is_over()) << i << " of " << length;
        EXPECT_TRUE(pause.is_over());
        EXPECT_TRUE(pause.is_over());
    };
    found(15);
    kept(127);
    EXPECT_TRUE(pause.is_over()) << "the trial is not over";
    kept(1);
    expect_pause(128);
    found(16);
    kept(128);
    EXPECT_TRUE(pause.is_over()) << "enough were found";
    for (const unsigned length : {128, 256, 512, 1024, 2048, 4096, 8192, 8192}) {
        kept(128);
        expect_pause(length);
    }
}

INSTANTIATE_TEST_SUITE_P(Archs, TraceCache, testing::ValuesIn(all_archs),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera::test
