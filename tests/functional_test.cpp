// SPDX-License-Identifier: Apache-2.0
// Timing::functional against the timed run: the same end state wherever the timed run finds no race; the same fault and
// blocked actors in runs that end badly; rejection of unsupported options.
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
#include "support/timeline.hpp"
#include "support/traced_jobs.hpp"
#include "tessera/assembly.hpp"
#include "tessera/execution.hpp"

namespace tessera::test {
namespace {

/// The end state may depend on the order, so it may differ.
bool has_race(const Run& run) {
    return std::any_of(run.findings.begin(), run.findings.end(), [](const Finding& finding) {
        return finding.code.starts_with("hazard.") || finding.code == "config.write-while-busy" ||
               finding.code == "config.gpr-not-awaited" || finding.code.starts_with("sync.");
    });
}

constexpr std::uint64_t most_cycles = 100'000;

/// The same, with NOPs in front of a thread's ops.
Program delayed(Program program, std::array<unsigned, 3> nops) {
    const Op nop = assemble("NOP", program.arch)->threads[0].at(0);
    for (unsigned t = 0; t < 3; ++t) program.threads[t].insert(program.threads[t].begin(), nops[t], nop);
    return program;
}

/// How long things take decides how the program ends: it ends otherwise with delays as hardware may have them, with instructions that take
/// no time, or with a thread that begins later.
bool time_decides(const Core& base, const Program& program, Core& timed) {
    const auto differs = [&](const Program& same, const RunOptions& how) {
        Core core = base;
        const auto run = core.run(same, how);
        return !run || run->fault || !difference(timed, core).empty();
    };
    constexpr unsigned late = 2000;
    constexpr std::array<unsigned, 3> delays[] = {{0, late, 2 * late}, {2 * late, late, 0}, {late, 0, 2 * late}};
    for (const auto& nops : delays)
        if (differs(delayed(program, nops), {.max_cycles = most_cycles})) return true;
    if (differs(program, {.timing = Timing::instant, .max_cycles = most_cycles})) return true;
    for (std::uint64_t seed = 1; seed <= 4; ++seed)
        if (differs(program, {.max_cycles = most_cycles, .seed = seed})) return true;
    return false;
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

/// The part of a run's end that is available without time.
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
        if (traced.name.starts_with("kernels")) continue;  // APostBesideASeminitOfAnotherCoreIsARace
        RunOptions how = traced.job.options;
        how.seed.reset();
        Core timed = prepare(traced.job).value(), functional = timed;
        const auto clocked = run_job(traced.job, timed, how).value();
        if (has_race(clocked)) continue;
        how.timing = Timing::functional;
        const auto run = run_job(traced.job, functional, how).value();
        EXPECT_FALSE(run.has_clock);
        EXPECT_EQ(ending(run), ending(clocked));
        if (clocked.fault) continue;  // threads that do not block others have come further, or less far
        EXPECT_EQ(difference(timed, functional), "");
        EXPECT_EQ(run.instructions, clocked.instructions);
        ++compared;
    }
    EXPECT_GT(compared, 20u);
}

class FunctionalOnChips : public testing::TestWithParam<Arch> {};

struct Compared {
    unsigned same = 0, decided_by_time = 0, races = 0, faults = 0;

    std::string text() const {
        return fmt::format("{} the same, {} that time decides, {} with a race, {} with a fault\n", same, decided_by_time, races, faults);
    }
};

/// Random programs, shortened by `cut`. Each ends like the timed run, unless that reports a race or a fault, or time
/// decides.
template <class Cut>
Compared compare_random_programs(Arch arch, unsigned sequences, Cut cut) {
    RandomPrograms make(arch, random_seed(91, arch, "TESSERA_SEQUENCES_SEED"));
    Compared compared;
    for (unsigned i = 0; i < sequences && !testing::Test::HasFailure(); ++i) {
        SCOPED_TRACE(i);
        const Core& base = make.base();
        Program program = i % 3 == 0 ? make.loops() : i % 3 == 1 ? make.long_program() : make.program();
        cut(program, i);
        Core timed = base, functional = base;
        const auto clocked = timed.run(program, {.max_cycles = most_cycles});
        const auto run = functional.run(program, {.timing = Timing::functional, .max_cycles = most_cycles});
        EXPECT_EQ(clocked.has_value(), run.has_value());
        if (!clocked || !run) continue;
        if (clocked->fault) {
            ++compared.faults;
            continue;
        }
        if (has_race(*clocked)) {
            ++compared.races;
            continue;
        }
        const std::string differs = difference(timed, functional);
        if (!run->fault && differs.empty() && run->instructions == clocked->instructions) {
            ++compared.same;
        } else if (time_decides(base, program, timed)) {
            ++compared.decided_by_time;
        } else {
            EXPECT_FALSE(run->fault) << run->fault->describe() << run->describe_blocked();
            EXPECT_EQ(run->instructions, clocked->instructions);
            EXPECT_EQ(differs, "") << listing(program);
        }
    }
    return compared;
}

TEST_P(FunctionalOnChips, RandomProgramsOfOneThreadEndAsTheTimedRunDoes) {
    const unsigned sequences = asked_cases(400, "TESSERA_SEQUENCES");
    const Compared compared = compare_random_programs(GetParam(), sequences, [](Program& program, unsigned i) {
        for (unsigned t = 0; t < 3; ++t)
            if (t != i / 3 % 3) program.threads[t].clear();
    });
    std::cout << compared.text();
    EXPECT_GT(compared.same, sequences / 5);
    EXPECT_LE(compared.decided_by_time, sequences / 100);
}

// The order of threads affects more than findings show: counters and configuration of another thread, random numbers,
// LRegs.
TEST_P(FunctionalOnChips, RandomProgramsOfThreeThreadsEndAsTheTimedRunDoesUnlessTimeDecides) {
    const unsigned sequences = asked_cases(400, "TESSERA_SEQUENCES");
    const Compared compared = compare_random_programs(GetParam(), sequences, [](Program& program, unsigned) {
        for (auto& ops : program.threads) ops.resize(std::min<std::size_t>(ops.size(), 12));
    });
    std::cout << compared.text();
    EXPECT_GT(compared.same, sequences / 5);
}

// The unpacker's instruction waits in its queue for the bank, which the matrix unit gives back only behind a semaphore that the thread posts after it.
TEST_P(FunctionalOnChips, AThreadGoesOnBehindAnInstructionThatWaitsInFrontOfItsUnit) {
    const Job job = load_job(std::string(TESSERA_SOURCE_DIR) + "/examples/deadlock/runs/job.toml").value();
    expect_same(prepare(job).value(), job.program);
}

// SETRWC waits for no bank. T0's instruction that hands SrcB over waits at its gate until T1 has given a bank back, and comes before T1
// gives back the next one.
TEST(Functional, UnpackersGoOnBeforeABankThatTheyOwnIsGivenBack) {
    const std::string program =
        ".thread unpack\n"
        ".cfg THCON_SEC0_REG0_TileDescriptor_InDataFormat = Float16_b\n.cfg "
        "THCON_SEC0_REG0_TileDescriptor_IsUncompressed = 1\n"
        ".cfg THCON_SEC0_REG0_TileDescriptor_XDim = 256\n.cfg THCON_SEC0_REG0_TileDescriptor_YDim = 1\n"
        ".cfg THCON_SEC0_REG0_TileDescriptor_ZDim = 4\n.cfg THCON_SEC0_REG2_Out_data_format = Float16_b\n"
        ".cfg THCON_SEC0_REG3_Base_address = 0x2000\n.cfg UNP0_ADDR_BASE_REG_1_Base = 4 * 16 * 2\n.cfg "
        "SRCA_SET_SetOvrdWithAddr = 1\n"
        "SETADCXX unpackers=A x0=0 x1=255\nSTALLWAIT block=0x1FF wait=trisc_cfg\n"
        ".repeat 6\n"
        "UNPACR Unpack_block_selection=0 SetDatValid=1 Last=1\n"
        "UNPACR_NOP.clear Unpack_block_selection=1\n"
        "UNPACR_NOP.set-dvalid Unpack_block_selection=1\n"
        ".end\n"
        ".thread math\n"
        ".repeat 6\n"
        "MOVA2D instr_mod=2\nMOVA2D instr_mod=2\nSETRWC clear_ab_vld=a|b BitMask=a|b\n"
        ".end\n";
    expect_same(Core(Arch::wormhole), *assemble(program, Arch::wormhole));
}

// The vendor's kernels for Wormhole have an UNPACR without hand-over behind each unpack to Dst, and T1 may give SrcB back before T0 has
// handed it over.
TEST_P(FunctionalOnChips, WhatDependsOnTimeOrIsNeverReadIsNotTold) {
    const auto told = [&](const std::string& unpack, std::string_view code, Timing timing) {
        const std::string ready =
            std::string(unpack_bf16) + ".cfg THCON_SEC0_REG0_TileDescriptor_InDataFormat = Int32\n" +
            ".cfg THCON_SEC0_REG2_Out_data_format = Int32\n.cfg UNP0_ADDR_BASE_REG_1_Base = 256\n" +
            "SETADCXX CntSetMask=1 x_start=0 x_end2=15\n" + wait_for_stores(GetParam());
        const auto program = assemble(ready + unpack, GetParam(), "unpack", 0).value();
        const tessera::Run run = Core(GetParam()).run(program, {.timing = timing}).value();
        return std::ranges::any_of(run.findings, [&](const Finding& finding) { return finding.code == code; });
    };
    const std::string early = ".thread math\nSETRWC clear_ab_vld=b\n";
    EXPECT_TRUE(told(early, "matrix.bank-not-held", Timing::documented));
    EXPECT_FALSE(told(early, "matrix.bank-not-held", Timing::functional));
    for (const Timing timing : {Timing::documented, Timing::functional}) {
        EXPECT_TRUE(told("UNPACR SetDatValid=1 Last=1\n", "unpack.int32-to-src", timing));
        EXPECT_FALSE(told("UNPACR Last=1\n", "unpack.int32-to-src", timing));
        EXPECT_FALSE(told("UNPACR ZeroWrite2=1 SetDatValid=1 Last=1\n", "unpack.int32-to-src", timing))
            << "all datums are 0";
    }
}

// Nobody waits for it any more when the last scheduled instruction has executed.
TEST_P(FunctionalOnChips, AWaitForTheVectorUnitEndsWithWhatSfploadmacroHasScheduled) {
    const std::string begin =
        "SFPLOADI lreg_ind=7 instr_mod0=0 imm16=0x4000\nSFPMUL lreg_src_a=0 lreg_src_b=7 lreg_src_c=9 lreg_dest=12\n"
        "SFPLOADI lreg_ind=0 instr_mod0=10 imm16=0xA400\nSFPLOADI lreg_ind=0 instr_mod0=8 imm16=0\n"
        "SFPCONFIG config_dest=4\nSFPCONFIG imm16_math=0xF0 config_dest=8 instr_mod1=1\nSETRWC BitMask=0xF\n"
        "SFPLOADMACRO lreg_ind=0 instr_mod0=3 dest_reg_addr=0\nSTALLWAIT block=sync wait=sfpu\n";
    for (const unsigned nops : {0u, 1u, 4u, 12u}) {
        SCOPED_TRACE(nops);
        expect_same(
            Core(GetParam(), Reset::vendor_sim),
            assemble(fmt::format(".thread math\n{}.repeat {}\nSFPNOP\n.end\n", begin, nops), GetParam()).value());
    }
}

// A SEMINIT forgets a post of before. Only the time of their cores orders T0's post after T1's SEMINIT, so both end states are
// right. Runs with and without time agree once one of the cores is late enough.
TEST_P(FunctionalOnChips, APostBesideASeminitOfAnotherCoreIsARace) {
    struct {
        std::uint32_t t0_counts, t1_counts;
        bool ends_well;
    } constexpr cases[] = {{5000, 0, true}, {0, 5000, false}};
    for (const auto& [t0_counts, t1_counts, ends_well] : cases) {
        SCOPED_TRACE(ends_well);
        const Job job = kernel_job(GetParam(), t0_counts, t1_counts);
        Core timed = prepare(job).value(), functional = timed;
        const auto clocked = run_job(job, timed, {}).value();
        const auto run = run_job(job, functional, {.timing = Timing::functional}).value();
        EXPECT_EQ(!clocked.fault, ends_well);
        EXPECT_EQ(ending(run), ending(clocked));
        EXPECT_EQ(run.instructions, clocked.instructions);
    }
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

// Recorded instructions and the REPLAYs and MOPs themselves are none.
TEST_P(FunctionalOnChips, TheLimitOfAProgramCountsItsInstructions) {
    const auto ends = [&](const std::string& text, std::uint64_t limit) {
        Core core(GetParam());
        const auto run = core.run(*assemble(text, GetParam()), {.timing = Timing::functional, .max_cycles = limit}).value();
        return std::pair{run.fault ? run.fault->message : "", run.instructions[0]};
    };
    const std::string replays = "REPLAY load_mode=1 len=8\n.repeat 8\nNOP\n.end\n.repeat 20\nREPLAY len=8\n.end\n",
                      mop = ".mop flags0 = 0\n.mop a0 = NOP\nMOP mop_type=template0 loop_count=7\n";
    for (const auto& [text, count] : {std::pair{std::string("NOP\nNOP\n"), 2u}, {replays, 160u}, {mop + mop, 16u}}) {
        EXPECT_EQ(ends(text, count), std::pair(std::string(), std::uint64_t{count})) << text;
        for (const std::uint64_t limit : {1u, count - 1})
            EXPECT_EQ(ends(text, limit),
                      std::pair(fmt::format("the program has not ended within the limit of {} instructions", limit), limit))
                << text;
    }
    EXPECT_EQ(ends("NOP\nSEMWAIT block=thread sem_sel=sem1 wait=zero\nNOP\n", 2).first,
              "every actor waits, and no wait can end")
        << "no third one can follow";
}

// A core that has met the program before takes instructions in traces. A limit ends both runs behind the same one.
TEST_P(FunctionalOnChips, WhatACoreHasLearntDoesNotChangeWhereALimitEndsARun) {
    RandomPrograms make(GetParam(), random_seed(92, GetParam(), "TESSERA_SEQUENCES_SEED"));
    unsigned ended = 0;
    for (unsigned i = 0; i < 20 && !HasFailure(); ++i) {
        SCOPED_TRACE(i);
        const Core& base = make.base();
        const Program program = make.loops();
        Core learnt = base;
        for (unsigned time = 0; time < 3; ++time) {
            learnt = base;
            (void)learnt.run(program, {.timing = Timing::functional, .max_cycles = most_cycles});
        }
        for (const std::uint64_t limit : {61, 173, 500, 1201}) {
            const RunOptions how{.timing = Timing::functional, .max_cycles = limit};
            learnt = base;
            Core fresh = base;
            const auto one = learnt.run(program, how), other = fresh.run(program, how);
            ASSERT_EQ(one.has_value(), other.has_value());
            if (!one) break;
            EXPECT_EQ(ending(*one), ending(*other)) << limit;
            EXPECT_EQ(one->instructions, other->instructions) << limit;
            EXPECT_EQ(difference(learnt, fresh), "") << limit;
            ended += one->fault && one->fault->code == "no-progress";
        }
    }
    EXPECT_GT(ended, 20u);
}

// A polling core yields to other cores and lets time pass.
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

// NoC/MemoryMap: REMOTE_DEST_BUF_SIZE of stream 7; a request of 16 bytes of the tile's own L1, until MST_RD_RESP_RECEIVED.
TEST_P(FunctionalKernels, ACoreUsesAStreamAndTheNocWithinItsTile) {
    using namespace rv;
    const bool blackhole = GetParam() == Arch::blackhole;
    constexpr std::uint32_t niu = 0xFFB2'0000, from = result + 0x100, to = result + 0x200;
    const std::uint32_t size = 0xFFB4'7000 + 4 * (blackhole ? 10 : 4);
    std::vector<std::uint32_t> b;
    poke(b, size, 0x1'0010);
    peek(b, a0, size);
    keep(b, a0, result);
    poke(b, from, 0x1234);
    peek(b, a0, niu + (blackhole ? 0x44 : 0x2C));  // the own place
    put(b, a1, 0xFFF);
    b.push_back(r(Op::and_, a0, a0, a1));
    b.push_back(i(Op::slli, a0, a0, blackhole ? 0 : 4));
    keep(b, a0, niu + (blackhole ? 0x08 : 0x04));
    keep(b, a0, niu + (blackhole ? 0x14 : 0x10));
    poke(b, niu, from);
    poke(b, niu + 0x0C, to);
    poke(b, niu + 0x1C, 1 << 4);
    poke(b, niu + 0x20, 16);
    poke(b, niu + (blackhole ? 0x40 : 0x28), 1);
    put(b, a6, niu + 0x208);
    b.push_back(i(Op::lw, a1, a6, 0));
    b.push_back(branch(Op::beq, a1, zero, -4));
    keep(b, a1, result + 4);
    b.push_back(halt);
    kernel(RiscvCore::b, b, 0x8000);
    const tessera::Run run = this->run({.timing = Timing::functional});
    EXPECT_FALSE(run.fault) << run.fault->describe();
    EXPECT_EQ(word(result), 0x1'0010u);
    EXPECT_EQ(word(to), 0x1234u);
    EXPECT_EQ(word(result + 4), 1u);
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
