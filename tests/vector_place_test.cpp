// SPDX-License-Identifier: Apache-2.0
// Blackhole's place in front of the vector unit, under measured costs: an instruction waits there for the unit while its thread goes on
// (spec-notes S14). Expected cycles per vector are those of rows S4 to S7 and S13 of docs/silicon.md, without what happens once a tile.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "support/timeline.hpp"
#include "tessera/assembly.hpp"
#include "tessera/core.hpp"

namespace tessera {
namespace {

const std::string load = "SFPLOAD lreg_ind=3 sfpu_addr_mode=7\n", store = "SFPSTORE lreg_ind=3 sfpu_addr_mode=7\n";
const std::string table = load + "SFPLUT lreg_ind=3 instr_mod0=sgn_retain\n", half = "SFPADDI imm16_math=0x3F00 lreg_dest=3\n";
const std::string clamp = load + "SFPMOV lreg_c=2 lreg_dest=1\nSFPSWAP lreg_src_c=1 lreg_dest=3 instr_mod1=1\n"
                                 "SFPSWAP lreg_src_c=9 lreg_dest=3 instr_mod1=9\n";
const std::string next = "INCRWC rwc_d=2\n";

RunOptions with(Timing timing) {
    RunOptions options;
    options.timing = timing;
    for (const char* code : {"hazard.dst", "hazard.vector-result", "state.read-before-write"}) options.levels[code] = Level::off;
    return options;
}

/// Cycles from one vector's load to the next one's.
std::uint64_t cycles_of_vector(Arch arch, Timing timing, const std::string& vector) {
    const auto timeline = test::run(arch, {"", vector + vector + vector, ""}, with(timing));
    EXPECT_FALSE(timeline.run.fault);
    return timeline.at(1, "sfpload", 2).start - timeline.at(1, "sfpload", 1).start;
}

TEST(VectorPlace, AnInstructionThatWaitsLetsItsThreadGoOn) {
    const auto silicon = [](const std::string& vector) { return cycles_of_vector(Arch::blackhole, Timing::silicon, vector); };
    EXPECT_EQ(silicon(table + store + next), 4u);         // S4
    EXPECT_EQ(silicon(table + half + store + next), 6u);  // S6: one of two waits
    EXPECT_EQ(silicon(clamp + store + next), 7u);         // S13: the second SFPSWAP waits for the first, the store for the second
    EXPECT_EQ(silicon(table + store), 4u);                // S4 in place: nothing hides the wait
}

TEST(VectorPlace, ItIsBlackholesAndMeasured) {
    EXPECT_EQ(cycles_of_vector(Arch::blackhole, Timing::documented, table + store + next), 5u);
    EXPECT_EQ(cycles_of_vector(Arch::blackhole, Timing::documented, clamp + store + next), 8u);
    std::string on_wormhole = clamp + store + next;
    for (std::size_t at; (at = on_wormhole.find("mode=7")) != std::string::npos;) on_wormhole.replace(at, 6, "mode=3");
    for (const Timing timing : {Timing::documented, Timing::silicon})
        EXPECT_EQ(cycles_of_vector(Arch::wormhole, timing, on_wormhole), 8u);  // S18
}

TEST(VectorPlace, AnEventSaysWhenTheUnitBegins) {
    const auto timeline = test::run(Arch::blackhole, {"", table + store + next, ""}, with(Timing::silicon));
    const Event& waits = timeline.at(1, "sfpstore");
    EXPECT_EQ(waits.start, timeline.at(1, "sfplut").start + 2);
    EXPECT_EQ(waits.issue, waits.start - 1);
    EXPECT_EQ(waits.land, waits.start);
    EXPECT_EQ(waits.end, waits.start + 1);
    EXPECT_EQ(timeline.at(1, "incrwc").start, waits.start);
}

// INCRWC does not reach the address of a store that waits.
TEST(VectorPlace, WhatWaitsKeepsItsOperands) {
    const auto rows_of = [](Timing timing) {
        const auto timeline = test::run(Arch::blackhole, {"", table + store + next + table + store, ""}, with(timing));
        return std::pair(timeline.at(1, "sfpstore", 0).writes, timeline.at(1, "sfpstore", 1).writes);
    };
    const auto rows = rows_of(Timing::silicon);
    EXPECT_EQ(rows, rows_of(Timing::documented));
    EXPECT_NE(rows.first, rows.second);
}

/// Instructions that wait for each other, and others in between.
std::string mixed(std::mt19937& random, unsigned count) {
    std::string text;
    const auto reg = [&] { return random() % 8; };
    for (unsigned i = 0; i < count; ++i) switch (random() % 8) {
            case 0: text += fmt::format("SFPMAD lreg_src_a={} lreg_src_b={} lreg_src_c={} lreg_dest={}\n", reg(), reg(), reg(), reg()); break;
            case 1: text += fmt::format("SFPADDI imm16_math=0x3F00 lreg_dest={}\n", reg()); break;
            case 2: text += fmt::format("SFPSWAP lreg_src_c={} lreg_dest={} instr_mod1=1\n", reg(), reg()); break;
            case 3: text += fmt::format("SFPMOV lreg_c={} lreg_dest={}\n", reg(), reg()); break;
            case 4: text += "SFPNOP\n"; break;
            case 5: text += "NOP\n"; break;
            default: text += next; break;
        }
    return text;
}

// A loop that is issued as a whole takes as long as one that is issued step by step, for an observer.
TEST(VectorPlace, TakesAsLongInLoops) {
    std::mt19937 random(29);
    std::uint64_t followed = 0;
    for (unsigned n = 0; n < 60; ++n) {
        const unsigned length = 2 + random() % 30;
        const std::string loop = mixed(random, length), between = mixed(random, random() % 4);
        const std::string other = n % 3 ? "" : mixed(random, 50);
        const std::string text =
            fmt::format(".thread math\nREPLAY load_mode=1 len={}\n{}.repeat 40\nREPLAY len={}\n{}.end\n.thread unpack\n{}", length,
                        loop, length, between, other);
        const auto program = assemble(text, Arch::blackhole);
        ASSERT_TRUE(program) << program.error().describe();
        RunOptions options = with(Timing::silicon);
        Core core{Arch::blackhole}, watched{Arch::blackhole};
        const auto run = core.run(*program, options);
        ASSERT_TRUE(run && !run->fault);
        followed += core.plan_counts().followed;
        options.on_event = [](const Event&) {};
        EXPECT_EQ(watched.run(*program, options)->cycles, run->cycles) << text;
    }
    EXPECT_GT(followed, 8000u);
}

}  // namespace
}  // namespace tessera
