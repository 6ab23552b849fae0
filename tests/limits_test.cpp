// SPDX-License-Identifier: Apache-2.0
// RunOptions::deadline and max_memory in each kind of run.
#include <gtest/gtest.h>

#include <array>

#include "support/kernel_image.hpp"
#include "support/riscv_words.hpp"
#include "tessera/assembly.hpp"
#include "tessera/chip.hpp"
#include "tessera/execution.hpp"

namespace tessera {
namespace {

const Program& endless() {
    static const Program program = [] {
        std::string text = ".thread math\n.mop 0 = 127\n.mop 1 = 127\n";
        for (int i = 2; i < 9; ++i) text += ".mop " + std::to_string(i) + " = ttnop\n";
        return assemble(text + ".repeat 1000000\nMOP mop_type=1\n.end\n", Arch::blackhole).value();
    }();
    return program;
}

RunOptions past() { return {.deadline = std::chrono::steady_clock::now()}; }

TEST(HostLimits, EndARunOfEachTiming) {
    for (const Timing timing : {Timing::silicon, Timing::documented, Timing::instant, Timing::functional}) {
        Core core(Arch::blackhole);
        RunOptions how = past();
        how.timing = timing;
        const tessera::Run late = core.run(endless(), how).value();
        ASSERT_TRUE(late.fault);
        EXPECT_EQ(late.fault->code, "limit.time");
        EXPECT_FALSE(late.fault->cure.empty());
        EXPECT_FALSE(late.blocked.empty());
        const tessera::Run large = core.run(endless(), {.timing = timing, .max_memory = 4096}).value();
        ASSERT_TRUE(large.fault);
        EXPECT_EQ(large.fault->code, "limit.memory");
    }
}

TEST(HostLimits, EndARunInSteps) {
    Core core(Arch::blackhole);
    auto execution = Execution::begin(core, endless(), past()).value();
    execution.finish();
    ASSERT_TRUE(execution.run().fault);
    EXPECT_EQ(execution.run().fault->code, "limit.time");
}

TEST(HostLimits, ThatAreNotReachedChangeNothing) {
    const Program program = assemble(".thread math\n.repeat 2000\nNOP\n.end\n", Arch::blackhole).value();
    Core a(Arch::blackhole), b(Arch::blackhole);
    const auto far = std::chrono::steady_clock::now() + std::chrono::hours(1);
    const tessera::Run with = a.run(program, {.deadline = far, .max_memory = std::uint64_t{1} << 50}).value();
    const tessera::Run without = b.run(program).value();
    EXPECT_FALSE(with.fault);
    EXPECT_EQ(with.cycles, without.cycles);
}

TEST(HostLimits, EndARunOfAChip) {
    for (const Arch arch : all_archs) {
        // Two tiles that count to 2^32.
        Kernels kernels;
        kernels.arch = arch;
        const std::array<std::uint32_t, 3> code = {test::rv::i(test::rv::Op::addi, test::rv::a0, test::rv::a0, 1),
                                                   test::rv::branch(test::rv::Op::bne, test::rv::a0, test::rv::zero, -4), test::rv::halt};
        kernels.images[0] = test::image_of("", code, 0x6000);
        for (const unsigned threads : {1u, 2u}) {
            Chip chip = Chip::make(arch, {.grid = ChipOptions::Size{2, 1}}).value();
            for (const unsigned column : {0u, 1u}) ASSERT_TRUE(chip.load(column, 0, kernels));
            ChipRunOptions how{.threads = threads};
            how.tile.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(20);
            const ChipRun run = chip.run(how).value();
            ASSERT_TRUE(run.fault);
            EXPECT_EQ(run.fault->code, "limit.time");
        }
    }
}

}  // namespace
}  // namespace tessera
