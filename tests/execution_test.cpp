// SPDX-License-Identifier: Apache-2.0
// A run in steps ends as a whole run does: by state, report and waits, from any snapshot and after any way back.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/kernel_image.hpp"
#include "support/made_job.hpp"
#include "support/random_programs.hpp"
#include "support/riscv_words.hpp"
#include "support/same_state.hpp"
#include "tessera/assembly.hpp"
#include "tessera/execution.hpp"
#include "tessera/job.hpp"

namespace tessera::test {
namespace {

using Why = Pause::Why;

/// Two cores that share a counter in L1 and push instructions; source lines are instruction numbers.
Kernels two_kernels(Arch arch) {
    using namespace rv;
    const std::uint32_t add =
        assemble("ADDDMAREG OpBisConst=1 ResultRegIndex=3 OpBRegIndex=7 OpARegIndex=3", arch)->threads[0].at(0).value;
    const std::vector<std::uint32_t> sender{lui(a6, 0x20),
                                            i(Op::addi, a0, zero, 5),
                                            ttinsn(add),
                                            i(Op::addi, a0, a0, -1),
                                            store(Op::sw, a0, 0, a6),
                                            branch(Op::bne, a0, zero, -12),
                                            i(Op::addi, a0, zero, 77),
                                            store(Op::sw, a0, 4, a6),
                                            halt};
    const std::vector<std::uint32_t> receiver{lui(a6, 0x20),
                                              i(Op::lw, a0, a6, 4),
                                              branch(Op::beq, a0, zero, -4),
                                              i(Op::lw, a1, a6, 0),
                                              ttinsn(add),
                                              store(Op::sw, a0, 8, a6),
                                              halt};
    Kernels kernels;
    kernels.arch = arch;
    auto place = [&](RiscvCore core, const std::vector<std::uint32_t>& code, std::uint32_t entry) {
        kernels.images[static_cast<std::size_t>(core)] = image_of(core, code, entry);
    };
    place(RiscvCore::t0, sender, 0x6000);
    place(RiscvCore::t1, receiver, 0xA000);
    return kernels;
}

MadeJob make(std::string_view name) {
    MadeJob made;
    if (name == "add" || name == "matmul") {
        made = made_of(name);
    } else if (name.starts_with("kernels-")) {
        made.job.arch = name == "kernels-blackhole" ? Arch::blackhole : Arch::wormhole;
        made.job.kernels = two_kernels(made.job.arch);
    } else {
        made.job = load_job(TESSERA_SOURCE_DIR "/examples/seeds/" + std::string(name) + ".toml").value();
    }
    if (name == "9.5-double-buffer") made.job.options.seed = 11;
    return made;
}

class InSteps : public testing::TestWithParam<const char*> {
protected:
    InSteps() : made_(make(GetParam())), whole_core_(prepare(made_.job).value()) {
        whole_ = run_job(made_.job, whole_core_, made_.job.options).value();
    }
    void expect_the_same_end(Execution& execution) {
        EXPECT_EQ(execution.finish().why, Why::end);
        EXPECT_TRUE(execution.ended());
        const tessera::Run run = execution.run();
        EXPECT_EQ(run.cycles, whole_.cycles);
        EXPECT_EQ(run.instructions, whole_.instructions);
        EXPECT_EQ(run.fault.has_value(), whole_.fault.has_value());
        EXPECT_EQ(run.findings.size(), whole_.findings.size());
        EXPECT_EQ(run.waits.size(), whole_.waits.size());
        EXPECT_EQ(difference(execution.core(), whole_core_), "");
    }

    MadeJob made_;
    Core whole_core_;
    tessera::Run whole_;
};

TEST_P(InSteps, ByInstructionIsTheSameRun) {
    Core core = prepare(made_.job).value();
    Execution execution = begin(made_.job, core, made_.job.options).value();
    std::uint64_t issued = 0, cycle = 0;
    for (;;) {
        const Pause pause = execution.step();
        if (pause.why == Why::end) break;
        ASSERT_EQ(pause.why, Why::instruction);
        EXPECT_EQ(execution.instructions(), ++issued);
        EXPECT_GE(pause.cycle, cycle);
        EXPECT_FALSE(pause.where.instruction.empty());
        cycle = pause.cycle;
    }
    EXPECT_EQ(issued, whole_.instructions[0] + whole_.instructions[1] + whole_.instructions[2]);
    expect_the_same_end(execution);
}

TEST_P(InSteps, ByCycleIsTheSameRun) {
    Core core = prepare(made_.job).value();
    Execution execution = begin(made_.job, core, made_.job.options).value();
    std::uint64_t cycle = 0;
    while (execution.step_cycles().why == Why::cycle) {
        EXPECT_GE(execution.cycle(), cycle);
        cycle = execution.cycle();
    }
    expect_the_same_end(execution);
}

// Steps add up: five of 20 cycles end where one of 100 does, with and without observers, and from a snapshot on.
TEST_P(InSteps, CyclesAddUp) {
    for (const bool observed : {false, true}) {
        RunOptions options = made_.job.options;
        if (observed) options.on_wait = [](const Wait&) {};
        for (const std::uint64_t cycles : {60u, 100u, 180u}) {
            Core core = prepare(made_.job).value(), stepped = prepare(made_.job).value(), other = prepare(made_.job).value();
            Execution at_once = begin(made_.job, core, options).value();
            Breakpoints until;
            until.cycle = cycles;
            at_once.run_until(until);
            Execution in_steps = begin(made_.job, stepped, options).value();
            for (unsigned i = 0; i < 2; ++i) in_steps.step_cycles(cycles / 5);
            Execution goes_on = Execution::begin(other, in_steps.snapshot(), options).value();
            for (unsigned i = 2; i < 5; ++i) {
                in_steps.step_cycles(cycles / 5);
                goes_on.step_cycles(cycles / 5);
            }
            for (Execution* one : {&in_steps, &goes_on}) {
                if (observed) {  // else cores push ahead
                    EXPECT_EQ(one->cycle(), at_once.cycle()) << cycles;
                }
                EXPECT_EQ(one->instructions(), at_once.instructions()) << cycles << observed;
                EXPECT_EQ(difference(one->core(), core), "") << cycles << observed;
            }
        }
    }
}

// A snapshot behind every instruction (of the longest job, some sixty of them), each gone on with in a core that had something
// else in it.
TEST_P(InSteps, GoesOnFromEverySnapshot) {
    Core core = prepare(made_.job).value();
    Execution execution = begin(made_.job, core, made_.job.options).value();
    Core other(made_.job.arch, Reset::vendor_sim);
    std::fill(other.dst().begin(), other.dst().end(), std::uint16_t{0x1234});
    const auto all = whole_.instructions[0] + whole_.instructions[1] + whole_.instructions[2];
    const std::uint64_t every = all > 500 ? all / 60 : 1;
    std::uint64_t issued = 0;
    do {
        if (issued++ % every != 0) continue;
        SCOPED_TRACE(issued);
        const Execution::Snapshot snapshot = execution.snapshot();
        EXPECT_EQ(snapshot.instructions(), issued - 1);
        Execution again = Execution::begin(other, snapshot, made_.job.options).value();
        EXPECT_EQ(again.instructions(), snapshot.instructions());
        expect_the_same_end(again);
    } while (!HasFailure() && execution.step().why == Why::instruction);
    expect_the_same_end(execution);
}

// Back from the end, in the same core, by ever longer ways.
TEST_P(InSteps, GoesBack) {
    Core core = prepare(made_.job).value();
    Execution execution = begin(made_.job, core, made_.job.options).value();
    std::vector<Execution::Snapshot> snapshots;
    const auto issued = whole_.instructions[0] + whole_.instructions[1] + whole_.instructions[2];
    for (std::uint64_t next = 0;; next += issued / 20 + 1) {
        while (execution.instructions() < next && execution.step().why == Why::instruction) {
        }
        if (execution.ended()) break;
        snapshots.push_back(execution.snapshot());
    }
    execution.finish();
    const auto l1 = execution.core().l1().data();
    for (; !snapshots.empty(); snapshots.pop_back()) {
        SCOPED_TRACE(snapshots.size());
        ASSERT_TRUE(execution.restore(snapshots.back()));
        EXPECT_EQ(execution.cycle(), snapshots.back().cycle());
        EXPECT_EQ(execution.instructions(), snapshots.back().instructions());
        EXPECT_FALSE(execution.ended());
        expect_the_same_end(execution);
    }
    EXPECT_EQ(execution.core().l1().data(), l1) << "views of memory stay good";
}

INSTANTIATE_TEST_SUITE_P(Jobs, InSteps,
                         testing::Values("add", "matmul", "5.2-tilize", "7.3-through-the-packer", "9.5-double-buffer",
                                         "kernels-blackhole", "kernels-wormhole"),
                         [](const auto& job) {
                             std::string name = job.param;
                             for (char& c : name)
                                 if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
                             return name;
                         });

// An unobserved core may push words later than in their cycle. An observer of waits still gets their true times, also
// from the middle of such a run on. The store after the pushes shows when the core reached it.
TEST(Snapshots, AreGoneOnWithByWhoeverIsToldOfWaits) {
    std::string text = ".thread pack\n.mop 0 = 2\n.mop 1 = 20\n";
    for (unsigned i = 2; i < 9; ++i) text += fmt::format(".mop {} = 0x02000000\n", i);
    text += "MOP mop_type=1\n.repeat 87\nNOP\n.end\n.cfg 1 = 40\nRDCFG GprAddress=5 CfgReg=1\nNOP\n";
    const Program program = assemble(text, Arch::blackhole).value();
    Core whole{Arch::blackhole};
    const std::string expected = reported(*whole.run(program));
    EXPECT_NE(expected.find("config.undocumented-field"), expected.npos);
    Core core{Arch::blackhole};
    Execution first = Execution::begin(core, program, {}).value();
    RunOptions watching;
    watching.on_wait = [](const Wait&) {};
    while (first.step_cycles(9).why == Why::cycle) {
        SCOPED_TRACE(first.cycle());
        Core other{Arch::blackhole};
        Execution again = Execution::begin(other, first.snapshot(), watching).value();
        again.finish();
        EXPECT_EQ(reported(again.run()), expected);
    }
}

// A wait that goes on is told at the end alone, however often someone asks for the report.
TEST(Waiting, IsToldOnce) {
    const Program program = assemble(".thread math\nMOVA2D instr_mod=2\n.thread unpack\n.repeat 3\nNOP\n.end\n", Arch::blackhole).value();
    const auto told = [&](bool asks) {
        std::vector<std::string> waits;
        RunOptions options;
        options.on_wait = [&](const Wait& wait) { waits.push_back(fmt::format("{} {}-{} {}", wait.reason, wait.begin, wait.end, wait.over)); };
        Core core{Arch::blackhole};
        Execution execution = Execution::begin(core, program, options).value();
        for (unsigned i = 0; i < 4; ++i) {
            execution.step();
            if (asks) execution.run();
        }
        execution.finish();
        return waits;
    };
    EXPECT_FALSE(told(false).empty());
    EXPECT_EQ(told(true), told(false));
}

// T0 waits for a semaphore that nobody posts, from the cycle in which it meets the wait.
TEST(Waiting, AfterTheEndIsThatOfTheReport) {
    const char* text = "SEMWAIT stall_res=0x1FF sem_sel=1<<3 wait_sem_cond=1\nNOP\n.thread math\n.repeat 50\nNOP\n.end\n";
    Core core(Arch::blackhole);
    Execution execution = Execution::begin(core, assemble(text, Arch::blackhole).value()).value();
    execution.run_until({});
    ASSERT_TRUE(execution.ended());
    const tessera::Run run = execution.run();
    const std::vector<Blocked> waiting = execution.waiting();
    ASSERT_EQ(waiting.size(), run.blocked.size());
    for (std::size_t i = 0; i < waiting.size(); ++i) {
        EXPECT_EQ(waiting[i].who, run.blocked[i].who);
        EXPECT_EQ(waiting[i].since, run.blocked[i].since) << waiting[i].who;
    }
    const auto waits = std::find_if(waiting.begin(), waiting.end(), [](const Blocked& one) { return one.who == "T0 front end"; });
    ASSERT_NE(waits, waiting.end());
    EXPECT_FALSE(waits->finished);
    EXPECT_LT(waits->since, 20u) << "T1 goes on for 50 cycles";
}

}  // namespace
}  // namespace tessera::test
