// SPDX-License-Identifier: Apache-2.0
// Timing::silicon in the coprocessor: what measurements on chips say in place of documents. Each expected figure is the measured one; the
// publications are in bench/silicon/silicon.cpp.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/timeline.hpp"

namespace tessera {
namespace {

RunOptions with(Timing timing) {
    RunOptions options;
    options.timing = timing;
    return options;
}

std::string times(unsigned count, const std::string& text) {
    std::string all;
    for (unsigned i = 0; i < count; ++i) all += text + "\n";
    return all;
}

/// Cycles between the second and the last of `count` instructions of T1 while so many threads issue the same.
std::uint64_t span(Arch arch, Timing timing, const std::string& name, const std::string& instruction,
                   unsigned threads) {
    constexpr unsigned count = 20;
    const std::string text = times(count, instruction);
    const auto timeline = test::run(arch, {threads > 1 ? text : "", text, threads > 2 ? text : ""}, with(timing));
    EXPECT_FALSE(timeline.run.fault);
    return timeline.at(1, name, count - 2).start - timeline.at(1, name, 1).start;
}

// tensixbench: on 1, 2 and 3 threads an instruction takes 1, 2 and 3 cycles of each thread, also SFPNOP; ADDDMAREG 3, 6 and 9.
TEST(ThreadsTakeTurns, OneUnitServesThreeThreadsAlike) {
    for (const Arch arch : {Arch::blackhole, Arch::wormhole})
        for (const Timing timing : {Timing::documented, Timing::silicon})
            for (const unsigned threads : {1u, 2u, 3u}) {
                EXPECT_EQ(span(arch, timing, "sfpmov", "SFPMOV lreg_dest=1", threads), 17u * threads);
                EXPECT_EQ(span(arch, timing, "sfpnop", "SFPNOP", threads), 17u * threads);
                EXPECT_EQ(span(arch, timing, "setrwc", "SETRWC", threads), 17u * threads);
                EXPECT_EQ(span(arch, timing, "adddmareg", "ADDDMAREG ResultRegIndex=60", threads), 17u * 3 * threads);
            }
}

TEST(ThreadsTakeTurns, NobodyStarves) {
    const std::string text = times(12, "SFPMOV lreg_dest=1");
    const auto timeline = test::run(Arch::blackhole, {text, text, text});
    for (unsigned n = 1; n < 11; ++n)
        for (int thread = 0; thread < 2; ++thread)
            EXPECT_EQ(timeline.at(thread + 1, "sfpmov", n).start, timeline.at(thread, "sfpmov", n).start + 1) << n;
}

// SyncUnit, Throughput: up to three ATGETM and ATRELM per cycle, if their mutexes differ; of SEMPOST and its like one per cycle.
TEST(ThreadsTakeTurns, EachMutexHasTurnsOfItsOwn) {
    static constexpr unsigned count = 20;
    const auto pairs = [](unsigned mutex) { return times(count, fmt::format("ATGETM mutex_index={0}\nATRELM mutex_index={0}", mutex)); };
    const std::string posts = times(2 * count, "SEMPOST sem_sel=sem1");
    const auto cycles = [](const test::Timeline& timeline, int thread, const std::string& name, std::size_t last) {
        return timeline.at(thread, name, last).start - timeline.at(thread, name, 0).start;
    };
    for (const Arch arch : {Arch::blackhole, Arch::wormhole})
        for (const Timing timing : {Timing::documented, Timing::silicon}) {
            const auto own = test::run(arch, {pairs(0), pairs(2), pairs(3)}, with(timing));
            for (const int thread : {0, 1, 2}) EXPECT_EQ(cycles(own, thread, "atrelm", count - 1), 2 * (count - 1)) << thread;
            const auto beside = test::run(arch, {pairs(0), posts, pairs(3)}, with(timing));
            EXPECT_EQ(cycles(beside, 0, "atrelm", count - 1), 2 * (count - 1));
            EXPECT_EQ(cycles(beside, 1, "sempost", 2 * count - 1), 2 * count - 1);
            EXPECT_EQ(cycles(beside, 2, "atrelm", count - 1), 2 * (count - 1));
            // Two instructions a pair, in turn.
            const auto common = test::run(arch, {pairs(2), pairs(2), ""}, with(timing));
            EXPECT_EQ(common.at(1, "atrelm", count - 1).start - common.at(0, "atgetm", 0).start, 4 * count - 1);
        }
}

// ConfigurationUnit: WRCFG enters a stage before RMWCIB and RDCFG, and so much of it starves them (Blackhole); excessive use of WRCFG can
// starve RMWCIB and RDCFG of other threads (Wormhole).
TEST(ThreadsTakeTurns, WrcfgStarvesWhatEntersTheConfigurationUnitLater) {
    constexpr unsigned count = 60;
    for (const Arch arch : {Arch::blackhole, Arch::wormhole})
        for (const Timing timing : {Timing::documented, Timing::silicon})
            for (const auto& [name, later] : {std::pair{"rmwcib0", "RMWCIB0"}, {"rdcfg", "RDCFG GprAddress=60"}}) {
                const auto timeline = test::run(arch, {times(count, "WRCFG"), times(count, later), ""}, with(timing));
                ASSERT_FALSE(timeline.run.fault);
                const auto of_t0 = [&](unsigned n) { return timeline.at(0, "wrcfg", n).start; };
                EXPECT_EQ(of_t0(count - 1) - of_t0(1), count - 2) << later;
                EXPECT_GT(timeline.at(1, name, 1).start, of_t0(count - 1)) << later;
                // Those of one stage take turns.
                const auto alike = test::run(arch, {times(count, "WRCFG"), times(count, "WRCFG"), ""}, with(timing));
                for (const int thread : {0, 1})
                    EXPECT_EQ(alike.at(thread, "wrcfg", count - 2).start - alike.at(thread, "wrcfg", 1).start, 2 * (count - 3));
            }
}

// tensixbench: RDCFG on 1, 2 and 3 threads takes 1, 2 and 3 cycles on Blackhole, and 2 on Wormhole.
TEST(SiliconCosts, RdcfgOfThreadsTakesTurnsOnBlackholeAndHoldsItsThreadOnWormhole) {
    const auto rdcfg = [](Arch arch, Timing timing, unsigned threads) {
        return span(arch, timing, "rdcfg", "RDCFG GprAddress=60", threads);
    };
    for (const unsigned threads : {1u, 2u, 3u}) {
        EXPECT_EQ(rdcfg(Arch::blackhole, Timing::silicon, threads), 17u * threads);
        EXPECT_EQ(rdcfg(Arch::wormhole, Timing::silicon, threads), 17u * 2);
        EXPECT_EQ(rdcfg(Arch::blackhole, Timing::documented, threads), 17u * threads);
        EXPECT_EQ(rdcfg(Arch::wormhole, Timing::documented, threads), 17u * 2 * threads);
    }
}

/// Cycles between two instructions of the matrix unit with the same rows of Dst; the second one in a later fidelity phase, or in the same.
std::uint64_t between(Arch arch, Timing timing, const std::string& instruction, bool later_phase) {
    const auto timeline = test::run(arch,
                                    {"",
                                     fmt::format("SETDVALID setvalid=3\n.cfg ADDR_MOD_DST_SEC0_FidelityIncr = {}\n{}",
                                                 int{later_phase}, times(2, instruction)),
                                     ""},
                                    with(timing));
    EXPECT_FALSE(timeline.run.fault);
    std::string name = instruction.substr(0, instruction.find(' '));
    for (char& c : name) c = static_cast<char>(std::tolower(c));
    return timeline.at(1, name, 1).start - timeline.at(1, name, 0).start;
}

// tensixbench: 6 cycles, also for ELWADD that does not add to Dst. Blackhole FPU Math Kernel Measurements: the same from one fidelity phase
// to the next for ELWMUL, GAPOOL and MVMUL.
TEST(SiliconCosts, TheMatrixUnitReturnsToItsRowsAfterSixCycles) {
    for (const Arch arch : {Arch::blackhole, Arch::wormhole})
        for (const char* instruction : {"MVMUL", "ELWADD", "ELWMUL", "GAPOOL instr_mod19=1"})
            for (const bool later_phase : {false, true}) {
                EXPECT_EQ(between(arch, Timing::silicon, instruction, later_phase), 6u) << instruction;
                EXPECT_EQ(between(arch, Timing::documented, instruction, later_phase),
                          std::string_view(instruction) == "ELWADD" ? 1u : 5u)
                    << instruction;
            }
}

// tensixbench: 6, 12 and 18 cycles of each thread if all work on the same rows; 6 and 12 if those of T1 move on, although T1 alone has one
// product per cycle.
TEST(ThreadsTakeTurns, WhoWaitsForDstKeepsTheMatrixUnit) {
    constexpr unsigned count = 20;
    const std::string products = times(count, "MVMUL"), banks = "SETDVALID setvalid=3\n",
                      moves = banks + ".cfg ADDR_MOD_DST_SEC1_DestIncr = 8\n.drain\n" + times(count, "MVMUL addr_mode=1");
    const auto cycles = [&](Arch arch, unsigned threads, const std::string& of_t1) {
        const auto timeline =
            test::run(arch, {threads > 1 ? products : "", of_t1, threads > 2 ? products : ""}, with(Timing::silicon));
        EXPECT_FALSE(timeline.run.fault);
        return timeline.at(1, "mvmul", count - 6).start - timeline.at(1, "mvmul", 4).start;
    };
    for (const Arch arch : {Arch::blackhole, Arch::wormhole}) {
        for (const unsigned threads : {1u, 2u, 3u}) EXPECT_EQ(cycles(arch, threads, banks + products), 10u * 6 * threads);
        EXPECT_EQ(cycles(arch, 1, moves), 10u);
        EXPECT_EQ(cycles(arch, 2, moves), 10u * 6);
        EXPECT_EQ(cycles(arch, 3, moves), 10u * 12);
    }
}

// Kernels of the vector unit take six cycles more behind a copy to Dst than its latency explains; Blackhole FPU Math Kernel Measurements: such
// a wait behind a maximum and one behind a sum take 19.9 cycles together, 2 * 11 less the two that Dst makes the next instruction wait.
TEST(SiliconCosts, AStallwaitWaitsElevenCyclesForWhatWritesDst) {
    const auto cycles = [](Arch arch, Timing timing, const std::string& instruction, const char* name) {
        const auto timeline = test::run(arch,
                                        {"",
                                         "SETDVALID setvalid=3\n.drain\n" + instruction +
                                             "\nSTALLWAIT stall_res=cfg wait_res=math\nRMWCIB0",
                                         ""},
                                        with(timing));
        EXPECT_FALSE(timeline.run.fault);
        return timeline.at(1, "rmwcib0").start - timeline.at(1, name).start;
    };
    for (const Arch arch : {Arch::blackhole, Arch::wormhole}) {
        EXPECT_EQ(cycles(arch, Timing::silicon, "MVMUL", "mvmul"), 12u);
        EXPECT_EQ(cycles(arch, Timing::silicon, "MOVA2D", "mova2d"), 12u);
        EXPECT_EQ(cycles(arch, Timing::documented, "MVMUL", "mvmul"), 6u);
        EXPECT_EQ(cycles(arch, Timing::documented, "MOVA2D", "mova2d"), 5u);
        EXPECT_EQ(cycles(arch, Timing::silicon, "SETRWC", "setrwc"), cycles(arch, Timing::documented, "SETRWC", "setrwc"));
    }
}

// Blackhole FPU Math Kernel Measurements: in sums of a whole tile GAPOOL follows a ZEROACC of its rows; 41.1 cycles a tile leave no wait.
TEST(SiliconCosts, NothingWaitsForZeroacc) {
    const auto follows_after = [](Timing timing) {
        const auto timeline =
            test::run(Arch::blackhole, {"", "SETDVALID setvalid=3\nZEROACC clear_mode=3\nGAPOOL instr_mod19=1", ""},
                      with(timing));
        EXPECT_FALSE(timeline.run.fault);
        return timeline.at(1, "gapool").start - timeline.at(1, "zeroacc").start;
    };
    EXPECT_EQ(follows_after(Timing::silicon), 1u);
    EXPECT_EQ(follows_after(Timing::documented), 5u);
}

// tensixbench: a pair of BF16 tiles takes 17 cycles that the product cannot hide, so 2 KiB by each unpacker at 128 bytes per cycle.
TEST(SiliconCosts, BlackholesUnpackersDoNotSlowEachOther) {
    std::string text = ".cfg SRCA_SET_SetOvrdWithAddr = 1\n.cfg UNP0_ADDR_BASE_REG_1_Base = 128\n";
    for (unsigned u = 0; u < 2; ++u)
        text += fmt::format(
            ".cfg THCON_SEC{0}_REG0_TileDescriptor_InDataFormat = Float16_b\n"
            ".cfg THCON_SEC{0}_REG0_TileDescriptor_IsUncompressed = 1\n"
            ".cfg THCON_SEC{0}_REG0_TileDescriptor_XDim = 1024\n.cfg THCON_SEC{0}_REG0_TileDescriptor_YDim = 1\n"
            ".cfg THCON_SEC{0}_REG2_Out_data_format = Float16_b\n.cfg THCON_SEC{0}_REG3_Base_address = 0xFFF\n",
            u);
    text += "SETADCXX CntSetMask=3 x_end2=1023\n" + times(20, "NOP");
    for (const unsigned u : {1, 0, 1, 0}) text += fmt::format("UNPACR Unpack_block_selection={}\n", u);
    const auto cycles = [&](Timing timing, std::size_t n) {
        const auto timeline = test::run(Arch::blackhole, {text, "", ""}, with(timing));
        EXPECT_FALSE(timeline.run.fault);
        return timeline.at(0, "unpacr", n).end - timeline.at(0, "unpacr", n - 1 - n / 2).start;
    };
    EXPECT_EQ(cycles(Timing::silicon, 1), 16u + 5 + 2) << "the other one began its two cycles earlier";
    EXPECT_EQ(cycles(Timing::silicon, 2), 2u * (16 + 5));
    EXPECT_GT(cycles(Timing::documented, 1), 2u * 16);
}

constexpr const char* added = ".cfg THCON_SEC0_REG1_Pack_L1_Acc = 1\n";

/// Five PACRs of 64 datums to BF16.
test::Timeline packs(const RunOptions& options, const std::string& configuration) {
    const std::string setup = R"(
.cfg ALU_FORMAT_SPEC_REG2_Dstacc = Float16_b
.cfg PCK_EDGE_OFFSET_SEC0_mask = 0xFFFF
.cfg PACK_COUNTERS_SEC0_pack_reads_per_xy_plane = 16
.cfg THCON_SEC0_REG1_In_data_format = Float16_b
.cfg THCON_SEC0_REG1_Out_data_format = Float16_b
.cfg THCON_SEC0_REG1_Disable_zero_compress = 1
.cfg THCON_SEC0_REG1_L1_Dest_addr = 0x1000
SETADCXX CntSetMask=4 x_end2=15
)";
    auto timeline = test::run(
        Arch::blackhole,
        {"", "", setup + configuration + "STALLWAIT stall_res=0x1FF wait_res=1<<10\n" + times(5, "PACR")}, options);
    EXPECT_FALSE(timeline.run.fault);
    return timeline;
}

/// Cycles between the first and the last of them.
std::uint64_t four_packs(Timing timing, const std::string& configuration) {
    const auto timeline = packs(with(timing), configuration);
    return timeline.at(2, "pacr", 4).start - timeline.at(2, "pacr", 0).start;
}

// tt-metal issue 51901: 16 cycles a tile of 16 PACRs; 16 or 24 if it is added to L1.
TEST(SiliconCosts, BlackholePacksARowOfEachInterfacePerCycle) {
    EXPECT_EQ(four_packs(Timing::silicon, ""), 4u);
    EXPECT_EQ(four_packs(Timing::silicon_slow, ""), 4u);
    EXPECT_EQ(four_packs(Timing::silicon, added), 4u);
    EXPECT_EQ(four_packs(Timing::silicon_slow, added), 6u);
    EXPECT_EQ(four_packs(Timing::documented, ""), 4u * 2);
    EXPECT_EQ(four_packs(Timing::documented, added), 4u * 10);
}

TEST(SiliconCosts, OddSeedsReachTheSlowerState) {
    const auto rate = [](Timing timing, std::uint64_t seed) {
        RunOptions options = with(timing);
        options.seed = seed;
        options.explain = [](unsigned, std::int64_t, std::uint32_t word) { return word >> 24 == 0x41; };
        const auto run = packs(options, added).run;
        for (const Explanation& one : run.explanations)
            for (const auto& line : one.lines)
                if (line.topic == "speed" && line.name.find("rate") != std::string::npos) return line.value;
        return std::string("none");
    };
    EXPECT_EQ(rate(Timing::silicon, 4), "8 lines in 1 cycles");
    EXPECT_EQ(rate(Timing::silicon, 5), "16 lines in 3 cycles");
    EXPECT_EQ(rate(Timing::documented, 5), "4 lines in 5 cycles");
}

}  // namespace
}  // namespace tessera
