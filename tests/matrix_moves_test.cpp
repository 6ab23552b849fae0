// SPDX-License-Identifier: Apache-2.0
// What the matrix unit accepts behind a move into a source register (MOVD2A, MOVB2A, MOVD2B, Instruction scheduling).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>

#include "support/timeline.hpp"
#include "tessera/assembly.hpp"
#include "tessera/core.hpp"

namespace tessera {
namespace {

/// Cycles from the start of the first instruction to that of the second, on T1.
std::uint64_t between(Arch arch, Timing timing, const std::string& first, const std::string& second) {
    RunOptions options;
    options.timing = timing;
    options.levels["hazard.src"] = Level::off;
    const auto timeline =
        test::run(arch, {"", fmt::format("SETDVALID setvalid=3\n.drain\n{}\n{}", first, second), ""}, options);
    EXPECT_FALSE(timeline.run.fault) << first;
    const auto name = [](std::string text) {
        text.resize(std::min(text.find(' '), text.size()));
        std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
        return text;
    };
    const bool same = name(first) == name(second);
    return timeline.at(1, name(second), same ? 1 : 0).start - timeline.at(1, name(first), 0).start;
}

// MOVD2B: in the next three cycles only another one. MOVD2A and MOVB2A: in the next cycle only one of these two.
TEST(MatrixMoves, HoldBackAllButTheirLike) {
    for (const Arch arch : {Arch::blackhole, Arch::wormhole})
        for (const Timing timing : {Timing::documented, Timing::silicon}) {
            EXPECT_EQ(between(arch, timing, "MOVD2B", "MOVD2B"), 1u);
            EXPECT_EQ(between(arch, timing, "MOVD2B", "TRNSPSRCB"), 4u);
            EXPECT_EQ(between(arch, timing, "MOVD2B", "SETRWC"), 4u);
            EXPECT_EQ(between(arch, timing, "MOVD2B", "MOVD2A"), 4u);
            EXPECT_EQ(between(arch, timing, "MOVD2A", "MOVD2A"), 1u);
            EXPECT_EQ(between(arch, timing, "MOVD2A", "MOVB2A"), 1u);
            EXPECT_EQ(between(arch, timing, "MOVB2A", "MOVD2A"), 1u);
            EXPECT_EQ(between(arch, timing, "MOVB2A", "SETRWC"), 2u);
            EXPECT_EQ(between(arch, timing, "MOVD2A", "MOVD2B"), 2u);
        }
}

// Other units do not wait.
TEST(MatrixMoves, HoldBackOnlyTheirUnit) {
    EXPECT_EQ(between(Arch::wormhole, Timing::documented, "MOVD2B", "SFPMOV lreg_dest=1"), 1u);
}

// A loop that is issued as a whole takes as long as one that is issued step by step, for an observer.
TEST(MatrixMoves, TakeAsLongInLoops) {
    for (const Arch arch : {Arch::blackhole, Arch::wormhole})
        for (const Timing timing : {Timing::documented, Timing::silicon}) {
            const auto program = assemble(
                ".thread math\nSETDVALID setvalid=3\nREPLAY load_mode=1 len=8\nMOVD2B dst=64\nMOVD2B dst=68\nTRNSPSRCB\nMOVD2A dst=64\n"
                "MOVB2A\nMOVD2A dst=68\nSETRWC\nMVMUL\n.repeat 200\nREPLAY len=8\n.end\n",
                arch);
            ASSERT_TRUE(program) << program.error().describe();
            RunOptions options;
            options.timing = timing;
            options.levels["hazard.src"] = Level::off;
            Core core{arch}, watched{arch};
            const auto run = core.run(*program, options);
            ASSERT_TRUE(run && run->good());
            EXPECT_GT(core.plan_counts().followed, 500u);
            options.on_event = [](const Event&) {};
            EXPECT_EQ(watched.run(*program, options)->cycles, run->cycles);
            EXPECT_EQ(watched.plan_counts().followed, 0u);
            // 4 for the second MOVD2B, 2 for the last MOVD2A, a cycle for each other.
            EXPECT_NEAR(static_cast<double>(run->cycles), 200 * (6 + 4 + 2), 40);
        }
}

}  // namespace
}  // namespace tessera
