// SPDX-License-Identifier: Apache-2.0
// Packers by hand, with an instruction or two. Random states against the reference are in reference_pack_test.cpp.
#include <gmock/gmock.h>

#include "registers/field.hpp"
#include "state/inventory.hpp"
#include "support/random_state.hpp"
#include "support/stepper.hpp"

namespace tessera {
namespace {

using state::Adc;
using state::AdcUnit;
using state::Packer;
using testing::Contains;
using testing::Not;

constexpr std::uint32_t l1_address = 0x1000;

// Packer 0 takes two FP32 datums of a row to L1, as they are.
class Packing : public testing::TestWithParam<Arch> {
protected:
    Packing() : step(GetParam()) {
        set("PCK_DEST_RD_CTRL_Read_32b_data", 1);
        set("THCON_SEC0_REG1_Disable_zero_compress", 1);
        set("THCON_SEC0_REG1_Sub_l1_tile_header_size", 1);
        set("THCON_SEC0_REG1_L1_Dest_addr", l1_address / 16);
        set("THCON_SEC0_REG9_Pack_0_2_limit_address", 0xFFFF);
        for (unsigned i = 0; i < 4; ++i) set("PCK_EDGE_OFFSET_SEC" + std::to_string(i) + "_mask", 0xFFFF);
        step.state.write(state::cells::adc(0, AdcUnit::packers, 1, Adc::x), 1);
    }
    void set(const std::string& name, std::uint32_t value) { test::set_field(step.state, name, value, 0); }
    std::uint32_t packer(Packer item) const { return step.state[state::cells::packer(0, item)]; }
    const char* pacr() const { return GetParam() == Arch::blackhole ? "PACR ReadIntfSel=1\n" : "PACR PackSel=1\n"; }

    test::Stepper step;
};

TEST_P(Packing, UndocumentedFieldsAreTold) {
    step(pacr());
    EXPECT_THAT(step.findings, Not(Contains("pack.undocumented-field")));
    unsigned fields = 0;
    for (const std::string name :
         {"THCON_SEC0_REG1_Enable_out_fifo", "THCON_SEC0_REG1_Downsample_rate", "THCON_SEC0_REG1_pack_start_intf_pos",
          "THCON_SEC0_REG1_pack_dis_y_pos_start_offset", "PACK_COUNTERS_SEC0_pack_per_xy_plane",
          "PACK_COUNTERS_SEC0_pack_xys_per_tile", "PACK_COUNTERS_SEC0_auto_ctxt_inc_xys_cnt",
          "PACK_CONCAT_MASK_SEC0_pack_concat_mask", "PACK_COUNTERS_SEC0_pack_per_xy_plane_offset",
          "THCON_SEC0_REG1_Read_mode", "THCON_SEC0_REG1_Force_pack_per_max_xy_plane",
          "PACK_GLOBAL_CFG_CTL_pack_disable_fast_tile_end_drain", "ALU_ROUNDING_MODE_GS_LF",
          "ALU_ROUNDING_MODE_Bfp8_HF"}) {
        if (!registers::find_field(name, GetParam())) continue;
        ++fields;
        set(name, 1);
        step.findings.clear();
        step(pacr());
        EXPECT_THAT(step.findings, Contains("pack.undocumented-field")) << name;
        set(name, 0);
    }
    EXPECT_EQ(fields, GetParam() == Arch::blackhole ? 11u : 10u);
}

// Spec-notes E62: Wormhole has a mask beside the override, Blackhole none.
TEST_P(Packing, TheOverrideDecidesAboutCompression) {
    const auto compresses = [&](unsigned disabled, unsigned overridden, unsigned mask) {
        set("THCON_SEC0_REG1_Disable_zero_compress", disabled);
        set("THCON_SEC0_REG1_All_pack_disable_zero_compress_ovrd", overridden);
        set("THCON_SEC0_REG1_All_pack_disable_zero_compress", mask);
        step.state.write(state::cells::packer(0, Packer::data_needs_address), 1);
        step(pacr());
        return packer(Packer::compressing) != 0;
    };
    EXPECT_FALSE(compresses(1, 0, 0));
    EXPECT_TRUE(compresses(0, 0, 1));
    EXPECT_FALSE(compresses(0, 1, 1));
    EXPECT_EQ(compresses(1, 1, 0), GetParam() == Arch::wormhole);
    EXPECT_EQ(compresses(0, 1, 2), GetParam() == Arch::wormhole) << "another packer's bit";
}

TEST_P(Packing, SetregEndsTheStreams) {
    state::write(step.state, state::Storage::dst, 0, 0x1234);
    step(pacr());
    EXPECT_EQ(packer(Packer::data_filled), 8u);
    EXPECT_EQ(packer(Packer::data_needs_address), 0u);
    EXPECT_EQ(packer(Packer::data_address), l1_address);
    step.state.l1.open()[l1_address + 8] = 0xAA;
    step("PACR_SETREG Flush=1\n");
    EXPECT_EQ(packer(Packer::data_needs_address), 1u);
    EXPECT_NE(step.state.l1.bytes[l1_address + 3] | step.state.l1.bytes[l1_address + 2], 0);
    EXPECT_EQ(step.state.l1.bytes[l1_address + 8], 0u);  // padding
    EXPECT_THAT(step.findings, Contains("pack.decided"));
}

TEST_P(Packing, ClrexphistForgetsWhatWasCounted) {
    const auto bin = [&](unsigned exponent) { return step.state[state::cells::exp_histogram_block[exponent % 32]]; };
    const auto enabled = registers::find_field("ENABLE_ACC_STATS_Enable", GetParam());
    ASSERT_TRUE(enabled);
    const auto& at = enabled->spec->at(GetParam());
    step.state.write(state::cells::thread_config(2, at.addr32), at.insert(0, 1));  // any thread's bit
    state::write(step.state, state::Storage::dst, 0, 127);                         // stored: an exponent of 127
    step(pacr());
    EXPECT_EQ(bin(127), 1u);
    EXPECT_EQ(bin(0), 1u);
    EXPECT_EQ(packer(Packer::exp_histogram_max), 127u);
    step("CLREXPHIST\n");
    EXPECT_EQ(bin(127), 0u);
    EXPECT_EQ(bin(0), 0u);
    EXPECT_EQ(packer(Packer::exp_histogram_max), 0u);
}

TEST_P(Packing, TilesAreCountedInUnitsOf16Bytes) {
    step.state.write(state::cells::adc(0, AdcUnit::packers, 1, Adc::x), 15);
    set("THCON_SEC0_REG1_Add_tile_header_size", 1);
    const bool blackhole = GetParam() == Arch::blackhole;
    step(blackhole ? "PACR ReadIntfSel=1\nPACR ReadIntfSel=1 Last=1\n" : "PACR PackSel=1\nPACR PackSel=1 Last=1\n");
    EXPECT_EQ(packer(Packer::last_tile_size), 8u);
    EXPECT_EQ(packer(Packer::acc_tile_size_t0), 9u);  // and a header
    EXPECT_EQ(packer(Packer::last_thread), 0u);
    EXPECT_EQ(packer(Packer::tile_size), 0u);
}

// Spec-notes H12: the pages' generator is moved by rows alone.
TEST_P(Packing, TheTilePositionGoesOnBehindTheLastPacr) {
    step.state.write(state::cells::adc(0, AdcUnit::packers, 1, Adc::x), 15);
    set("PACK_COUNTERS_SEC0_pack_reads_per_xy_plane", 3);
    for (const unsigned row : {1u, 2u, 0u}) {
        step(GetParam() == Arch::blackhole ? "PACR ReadIntfSel=1 Last=1\n" : "PACR PackSel=1 Last=1\n");
        EXPECT_EQ(packer(Packer::tile_y), row);
    }
    EXPECT_EQ(packer(Packer::tile_z), 1u);
}

// Spec-notes H12: Blackhole's page counts interfaces, Wormhole's counts datums.
TEST_P(Packing, HalfARowIsARowOfTheTilePositionOnBlackhole) {
    step.state.write(state::cells::adc(0, AdcUnit::packers, 1, Adc::x), 7);
    set("PACK_COUNTERS_SEC0_pack_reads_per_xy_plane", 4);
    step(pacr());
    EXPECT_EQ(packer(Packer::tile_y), GetParam() == Arch::blackhole ? 1u : 0u);
    step(pacr());
    EXPECT_EQ(packer(Packer::tile_y), GetParam() == Arch::blackhole ? 2u : 1u);
    EXPECT_EQ(packer(Packer::tile_x), 0u);
}

INSTANTIATE_TEST_SUITE_P(Packer, Packing, testing::ValuesIn(all_archs),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera
