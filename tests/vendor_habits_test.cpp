// SPDX-License-Identifier: Apache-2.0
// Habits of the vendor's kernels that pages call undefined or leave open: the result here, and the level of the
// finding.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

#include "findings/catalogue.hpp"
#include "support/unpacker_test.hpp"

namespace tessera::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

Level level_of(std::string_view code) {
    const auto found = std::find_if(std::begin(findings::catalogue), std::end(findings::catalogue),
                                    [&](const findings::Entry& entry) { return entry.code == code; });
    return found == std::end(findings::catalogue) ? Level::error : found->level;
}

// Behind an unpack to Dst, since ZEROACC of the packers' thread may take the flags of the rows just unpacked.
TEST(VendorHabitsByHand, ZeroFlagsAreCleared) {
    Stepper step(Arch::blackhole);
    for (unsigned column = 0; column < 16; ++column)
        state::write(step.state, state::Storage::dst, 16 + column, 0x4000 + column);
    step("ZEROACC clear_mode=1 clear_zero_flags=1 where=0");
    EXPECT_THAT(step.findings, ElementsAre("matrix.zeroacc-revert"));
    EXPECT_EQ(level_of("matrix.zeroacc-revert"), Level::info);
    for (unsigned row = 0; row < 16; ++row)
        EXPECT_EQ(state::read(step.state, state::Storage::dst_valid, row), 1u) << row;
    for (unsigned column = 0; column < 16; ++column)
        EXPECT_EQ(state::read(step.state, state::Storage::dst, 16 + column), 0x4000 + column);
}

// 8 rows where INCRWC has which counters go on from their copies: bit 3 of rwc_cr is none of these.
TEST(VendorHabitsByHand, IncrwcWithRowsForItsFirstOperand) {
    for (const Arch arch : all_archs) {
        Stepper step(arch);
        step.execute(0x38220000);
        EXPECT_THAT(step.findings, ElementsAre("isa.undefined-bits"));
        EXPECT_EQ(level_of("isa.undefined-bits"), Level::warning);
        EXPECT_EQ(step.rwc(0, state::Rwc::dst), 8u);
        EXPECT_EQ(step.rwc(0, state::Rwc::dst_cr), 0u);
        EXPECT_EQ(step.rwc(0, state::Rwc::src_a), 0u);
        EXPECT_EQ(step.rwc(0, state::Rwc::src_b), 0u);
    }
}

// The pages give all strides a meaning.
TEST(VendorHabitsByHand, OverlappingStridesAreNoWarning) { EXPECT_EQ(level_of("pack.strides-overlap"), Level::info); }

class VendorHabits : public UnpackerTest {
protected:
    /// Unpacker 0's output for 256 datums, and its findings.
    std::vector<std::uint64_t> unpacked(F in, F out) {
        UnpackerBench bench(arch());
        bench.set("REG0_TileDescriptor_InDataFormat", static_cast<std::uint32_t>(in));
        bench.set("REG2_Out_data_format", static_cast<std::uint32_t>(out));
        const bool wide = out == F::Float32 || out == F::Tf32;
        set_field(bench.state(), "UNP0_ADDR_BASE_REG_1_Base", wide ? 256 : 64);
        bench.run();
        reported = bench.step_.findings;
        std::vector<std::uint64_t> datums;
        for (unsigned i = 0; i < 256; ++i) datums.push_back(state::read(bench.state(), state::Storage::src_a, i));
        return datums;
    }

    std::vector<std::string> reported;
};

TEST_P(VendorHabits, SmallBlockFloatsAsBfp8) {
    for (const F in : {F::Bfp4_b, F::Bfp2_b}) {
        const auto equal = unpacked(in, in);
        EXPECT_THAT(reported, IsEmpty());
        EXPECT_EQ(unpacked(in, F::Bfp8_b), equal) << name(in);
        EXPECT_THAT(reported, ElementsAre("unpack.format-expanded"));
    }
    EXPECT_EQ(level_of("unpack.format-expanded"), Level::info);
}

// Both chips' cunpack_common.h lists the same pairs; what narrows, or changes the kind of the exponents, is on neither list.
TEST_P(VendorHabits, ExpansionsAreThoseOfTheKernelHeaders) {
    for (const auto& [in, out] : {std::pair{F::Bfp8_b, F::Float16_b}, {F::Bfp8, F::Float16}, {F::Lf8, F::Float16}}) {
        unpacked(in, out);
        EXPECT_THAT(reported, Contains("unpack.format-expanded")) << name(in);
    }
    for (const auto& [in, out] : {std::pair{F::Bfp8_b, F::Bfp4_b},
                                  {F::Bfp4_b, F::Bfp2_b},
                                  {F::Bfp8_b, F::Float16},
                                  {F::Bfp8, F::Float16_b},
                                  {F::Float16_b, F::Float16},
                                  {F::Bfp4, F::Bfp8}}) {
        unpacked(in, out);
        EXPECT_THAT(reported, Contains("unpack.format-mismatch")) << name(in) << " to " << name(out);
    }
    EXPECT_EQ(level_of("unpack.format-mismatch"), Level::warning);
}

TEST_P(VendorHabits, Fp32ToSourceAsTf32) {
    const auto as_tf32 = unpacked(F::Float32, F::Tf32);
    EXPECT_THAT(reported, IsEmpty());
    EXPECT_EQ(unpacked(F::Float32, F::Float32), as_tf32);
    EXPECT_THAT(reported, ElementsAre("unpack.fp32-to-src"));
    EXPECT_EQ(level_of("unpack.fp32-to-src"), Level::warning);
}

TEST_P(VendorHabits, RowsBeyondSrcAWrap) {
    set_field(state(), "UNP0_ADDR_BASE_REG_1_Base", (4 + 63) * 16 * 2);
    last(31);
    run();
    EXPECT_THAT(row(63, 2), ElementsAre(0, 1));
    EXPECT_THAT(row(0, 2), ElementsAre(16, 17));
    if (blackhole())
        EXPECT_THAT(step_.findings, IsEmpty());
    else
        EXPECT_THAT(step_.findings, ElementsAre("unpack.srca-row-64"));
    EXPECT_EQ(level_of("unpack.srca-row-64"), Level::warning);
}

// Blackhole's llk_unpack_AB_custom_mm.h counts on it.
TEST_P(VendorHabits, RowsBeyondSrcBWrap) {
    set_field(state(), "UNP1_ADDR_BASE_REG_1_Base", 63 * 16 * 2);
    last(31);
    run(unpacr::to_src_b);
    EXPECT_THAT(row(63, 2, 1), ElementsAre(0, 1));
    EXPECT_THAT(row(0, 2, 1), ElementsAre(16, 17));
    if (blackhole())
        EXPECT_THAT(step_.findings, IsEmpty());
    else
        EXPECT_THAT(step_.findings, ElementsAre("unpack.srcb-row-wrap"));
}

// The same header clears so between two products. What waits for the unpacker's own bank may meet the matrix unit's.
TEST_P(VendorHabits, BothBanksAreClearedWhenNoneIsOut) {
    for (unsigned i = 1024; i < 2048; ++i) state::write(state(), state::Storage::src_b, i, untouched);
    const std::string both = blackhole() ? "UNPACR_NOP.clear Unpacker_Select=1 Bank_Clr_Ctrl=1"
                                         : "UNPACR_NOP.clear Unpack_block_selection=1 BothBanks=1";
    step_(both);
    EXPECT_THAT(step_.findings, IsEmpty());
    for (unsigned i = 0; i < 2048; ++i) ASSERT_EQ(state::read(state(), state::Storage::src_b, i), 0u) << i;
    step_(both + (blackhole() ? " Stall_Clr_Cntrl=1" : " WaitLikeUnpacr=1"));
    EXPECT_THAT(step_.findings, ElementsAre("unpack.both-banks"));
}

INSTANTIATE_TEST_SUITE_P(Archs, VendorHabits, testing::ValuesIn(all_archs), arch_name);

}  // namespace
}  // namespace tessera::test
