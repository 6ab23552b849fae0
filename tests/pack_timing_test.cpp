// SPDX-License-Identifier: Apache-2.0
// Documented cost of PACR; silicon_costs_test.cpp has the measured one. L1, Packers: each of Wormhole's packers has one line of 16 bytes per cycle, an accumulated one every
// five. Assumptions for Blackhole are marked as such (units/costs).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/timeline.hpp"
#include "units/costs/costs.hpp"

namespace tessera {
namespace {

using Limit = units::PackCost::Limit;

/// Cycles in which the packers take nothing else: between the starts of two equal PACRs.
std::uint64_t cycles(Arch arch, const std::string& configuration, const std::string& pacr) {
    std::string text = R"(
.cfg ALU_FORMAT_SPEC_REG2_Dstacc = Float32
.cfg PCK_DEST_RD_CTRL_Read_32b_data = 1
.cfg PCK_EDGE_OFFSET_SEC0_mask = 0xFFFF
)";
    for (unsigned i = 0; i < 4; ++i) {
        const std::string at = fmt::format("THCON_SEC{}_REG{}_", i / 2, i % 2 ? 8 : 1);
        for (const auto* field : {"In_data_format = Float32", "Out_data_format = Float32", "Disable_zero_compress = 1"})
            text += fmt::format(".cfg {}{}\n", at, field);
        text += fmt::format(".cfg {}L1_Dest_addr = {}\n", at, 0x1000 * (i + 1));
        text += fmt::format(".cfg THCON_SEC{}_REG9_Pack_{}_limit_address = 0xFFFF\n", i / 2, i % 2 ? "1_3" : "0_2");
    }
    text += "SETADCXX CntSetMask=4 x_start=0 x_end2=" + std::string(arch == Arch::blackhole ? "15\n" : "255\n");
    text += configuration;
    text += test::wait_for_stores(arch);
    const auto timeline = test::run(arch, {text + pacr + pacr, "", ""}, {.timing = Timing::documented});
    EXPECT_FALSE(timeline.run.fault) << timeline.run.fault->describe();
    return timeline.at(0, "pacr", 1).start - timeline.at(0, "pacr", 0).start;
}
std::uint64_t wormhole(const std::string& configuration, const std::string& pacr = "PACR\n") {
    return cycles(Arch::wormhole, configuration, pacr);
}
std::uint64_t blackhole(const std::string& configuration, const std::string& pacr = "PACR\n") {
    return cycles(Arch::blackhole, configuration, pacr);
}

constexpr const char *to_bf16 = ".cfg THCON_SEC0_REG1_Out_data_format = Float16_b\n",
                     *to_bfp8 =
                         ".cfg THCON_SEC0_REG1_Out_data_format = Bfp8_b\n"
                         ".cfg THCON_SEC0_REG1_Exp_section_size = 4\n",
                     *added = ".cfg THCON_SEC0_REG1_Pack_L1_Acc = 1\n";

TEST(PackTiming, WormholeWritesALinePerCycle) {
    EXPECT_EQ(wormhole(""), 64u);  // 256 FP32
    EXPECT_EQ(wormhole(to_bf16), 32u);
    EXPECT_EQ(wormhole(to_bfp8), 17u);  // 16 lines of data and one of exponents
    EXPECT_EQ(wormhole("SETADCXX CntSetMask=4 x_start=0 x_end2=15\n"), 4u);
    EXPECT_EQ(wormhole("SETADCXX CntSetMask=4 x_start=0 x_end2=3\n"), 1u);
    EXPECT_EQ(wormhole("SETADCXX CntSetMask=4 x_start=0 x_end2=0\n"), 1u) << "no line is full, but a PACR it is";
}

TEST(PackTiming, FourPackersWorkSideBySide) { EXPECT_EQ(wormhole("", "PACR PackSel=15\n"), 64u); }

// Packer 0 needs 17 cycles for block floats, packer 1 needs 32 for BF16.
TEST(PackTiming, TheSlowestOfSeveralPackersCounts) {
    const std::string second_to_bf16 = ".cfg THCON_SEC0_REG8_Out_data_format = Float16_b\n";
    EXPECT_EQ(wormhole(to_bfp8 + second_to_bf16, "PACR PackSel=3\n"), 32u);
    EXPECT_EQ(wormhole(to_bf16 + second_to_bf16, "PACR PackSel=3\n"), 32u);
    EXPECT_EQ(wormhole(second_to_bf16, "PACR PackSel=3\n"), 64u);
}

TEST(PackTiming, WhatIsAddedTakesFiveCyclesPerLine) {
    EXPECT_EQ(wormhole(added), 64u * 5);
    EXPECT_EQ(wormhole(std::string(to_bf16) + added), 32u * 5);
    EXPECT_EQ(blackhole(added), 16u * 5 / 4);
}

// As many as without a single zero: 64 lines of FP32, and a counter of four bits for each datum.
TEST(PackTiming, CompressedOutputTakesItsLargestSize) {
    EXPECT_EQ(wormhole(".cfg THCON_SEC0_REG1_Disable_zero_compress = 0\n"), 64u + 8);
    EXPECT_EQ(wormhole(std::string(to_bf16) + ".cfg THCON_SEC0_REG1_Disable_zero_compress = 0\n"), 32u + 8);
}

TEST(PackTiming, FromL1AsFastAsToIt) {
    EXPECT_EQ(wormhole(".cfg THCON_SEC0_REG1_Source_interface_selection = 1\n"), 64u);
    EXPECT_EQ(wormhole(std::string(".cfg THCON_SEC0_REG1_Source_interface_selection = 1\n") +
                       ".cfg THCON_SEC0_REG1_Out_data_format = Float16\n"),
              64u)
        << "64 lines are read, 32 written";
}

TEST(PackTiming, BlackholeTakesFourLinesPerCycle) {
    EXPECT_EQ(blackhole(""), 4u);  // 64 FP32: 16 lines
    EXPECT_EQ(blackhole("", "PACR ReadIntfSel=1\n"), 1u);
    EXPECT_EQ(blackhole("", "PACR ReadIntfSel=7\n"), 3u);
    EXPECT_EQ(blackhole(to_bf16), 2u);
    EXPECT_EQ(blackhole(to_bfp8, "PACR Last=1\n"), 2u);  // 4 lines of data and one of exponents
}

TEST(PackTiming, WhatLimitsIsToldWithItsSource) {
    const auto& cost = units::costs(Arch::wormhole, Timing::documented).pack;
    EXPECT_EQ(cost.speed({256, 0, 64, false}).limit, Limit::writes);
    EXPECT_EQ(cost.speed({256, 0, 64, true}).limit, Limit::accumulation);
    EXPECT_EQ(cost.speed({256, 0, 4, false}).limit, Limit::reads);
    EXPECT_EQ(cost.speed({0, 64, 32, false}).limit, Limit::from_l1);
    EXPECT_EQ(cost.speed({1, 0, 0, false}).limit, Limit::start);
    EXPECT_EQ(cost.source_of(Limit::writes).kind, units::Source::document);
    EXPECT_EQ(cost.source_of(Limit::from_l1).kind, units::Source::document);
    EXPECT_EQ(cost.source_of(Limit::reads).kind, units::Source::assumed);
    EXPECT_EQ(cost.source_of(Limit::accumulation).kind, units::Source::assumed);
    EXPECT_EQ(units::costs(Arch::blackhole, Timing::documented).pack.source_of(Limit::writes).kind,
              units::Source::assumed);
}

}  // namespace
}  // namespace tessera
