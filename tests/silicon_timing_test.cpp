// SPDX-License-Identifier: Apache-2.0
// The kinds of time by name, sources of costs in words, and whole kernels under Timing::silicon.
#include <gtest/gtest.h>

#include "support/kernel_run.hpp"
#include "tessera/timing.hpp"
#include "units/costs/costs.hpp"

namespace tessera::test {
namespace {

using namespace rv;

TEST(SiliconTiming, EachIsReadAgain) {
    for (const Timing timing : all_timings) EXPECT_EQ(parse_timing(name(timing)), timing);
    EXPECT_EQ(name(Timing::silicon), "silicon");
    EXPECT_EQ(parse_timing("real"), std::nullopt);
}

TEST(SiliconTiming, EachTableKnowsItsTiming) {
    for (const Arch arch : all_archs)
        for (const Timing timing : {Timing::documented, Timing::silicon, Timing::instant})
            EXPECT_EQ(units::costs(arch, timing).timing, timing);
}

TEST(SiliconTiming, SourcesSayWhatTheyAreUnlessADocument) {
    using units::Source;
    EXPECT_EQ(in_words(Source{"Packers"}), "Packers");
    EXPECT_EQ(in_words(Source{"a card", Source::measured}), "a card (measured)");
    EXPECT_EQ(in_words(Source{"as MVMUL", Source::assumed}), "as MVMUL (assumed)");
}

// A whole run of a kernel: the cores of a tile take the costs of the run's timing.
TEST_P(KernelRun, CoresTakeTheTimingOfTheRun) {
    const auto cycles = [&](Timing timing) {
        std::vector<std::uint32_t> code(600, i(Op::addi, a0, a0, 1));
        code.push_back(ttinsn(instruction("NOP")));  // a run ends with its last instruction
        code.push_back(halt);
        kernel(RiscvCore::t1, code, 0xA000);
        RunOptions options;
        options.timing = timing;
        return run(options).cycles;
    };
    EXPECT_GT(cycles(Timing::silicon), cycles(Timing::documented) + 100) << "fetched for the first time";
}

// mesham/tt-sim, riscvbench: bursts until they are done take five (Wormhole) or six cycles longer than with the page's 3. The second
// round of a loop finds its code in the cache.
TEST_P(KernelRun, ADoneCheckTakesLongerThanDocumented) {
    const auto cycles = [&](Timing timing, unsigned rounds) {
        std::vector<std::uint32_t> code;
        put(code, s0, 0xFFE8'0000);
        put(code, t0, rounds);
        const std::size_t loop = code.size();
        for (int n = 0; n < 40; ++n) code.push_back(ttinsn(instruction("ADDDMAREG")));
        code.push_back(store(Op::sw, zero, 4, s0));
        code.push_back(i(Op::lw, a1, s0, 4));
        code.push_back(i(Op::addi, a1, a1, 0));
        code.push_back(i(Op::addi, t0, t0, -1));
        code.push_back(branch(Op::bne, t0, zero, -4 * static_cast<int>(code.size() - loop)));
        code.push_back(ttinsn(instruction("NOP")));
        code.push_back(halt);
        kernel(RiscvCore::t1, code, 0xA000);
        RunOptions options;
        options.timing = timing;
        return run(options).cycles;
    };
    const auto per_round = [&](Timing timing) { return (cycles(timing, 12) - cycles(timing, 2)) / 10; };
    EXPECT_EQ(per_round(Timing::silicon), per_round(Timing::documented) + (GetParam() == Arch::wormhole ? 5 : 6));
}

// Published by mesham/tt-sim, riscvbench: 5.2 cycles per store alone, 10 to 11 with T2 beside T1.
TEST_P(KernelRun, StoresThroughOnePortWaitForEachOther) {
    const auto per_store = [&](Timing timing, bool both) {
        constexpr int stores = 400;
        for (const RiscvCore core : {RiscvCore::t1, RiscvCore::t2}) {
            std::vector<std::uint32_t> code;
            const auto number = static_cast<std::uint32_t>(core);
            put(code, s0, 0x4'0000 + 0x1000 * number);
            for (int n = 0; n < (both || core == RiscvCore::t1 ? stores : 0); ++n)
                code.push_back(store(Op::sw, a0, n % 4 * 16, s0));
            if (core == RiscvCore::t1) code.push_back(ttinsn(instruction("NOP")));
            code.push_back(halt);
            kernel(core, code, 0xA000 + 0x2000 * number);
        }
        RunOptions options;
        options.timing = timing;
        return static_cast<double>(run(options).cycles) / stores;
    };
    EXPECT_NEAR(per_store(Timing::silicon, false), 5, 0.2);
    EXPECT_NEAR(per_store(Timing::silicon, true), 10, 0.5);
    EXPECT_NEAR(per_store(Timing::documented, true), 5, 0.2);
}

}  // namespace
}  // namespace tessera::test
