// SPDX-License-Identifier: Apache-2.0
// GMPOOL, SHIFTXA, SHIFTXB, CLREXPHIST and CLEARDVALID's reset by hand from their pages.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "state/inventory.hpp"
#include "support/random_state.hpp"
#include "support/stepper.hpp"

namespace tessera {
namespace {

using state::Rwc;
using state::Src;
using state::Storage;
using testing::Contains;

class MatrixByHand : public testing::TestWithParam<Arch> {
protected:
    MatrixByHand() {
        test::set_field(state(), "DISABLE_IMPLIED_SRCA_FMT_Base", 1);
        test::set_field(state(), "DISABLE_IMPLIED_SRCB_FMT_Base", 1);
        format(5);
        for (unsigned c = 0; c < 16; ++c) b(0, c, one);
    }

    static constexpr std::uint32_t one = 127;  // BF16 or TF32 in stored order: exponent 127, mantissa 0

    state::State& state() { return step_.state; }
    void format(std::uint32_t code) {
        test::set_field(state(), "ALU_FORMAT_SPEC_REG0_SrcA", code);
        test::set_field(state(), "ALU_FORMAT_SPEC_REG1_SrcB", code);
    }
    void wide() { test::set_field(state(), "ALU_ACC_CTRL_Fp32_enabled", 1); }
    void a(unsigned row, unsigned column, std::uint32_t stored) {
        state::write(state(), Storage::src_a, row * 16 + column, stored);
    }
    void b(unsigned row, unsigned column, std::uint32_t stored) {
        state::write(state(), Storage::src_b, row * 16 + column, stored);
    }
    std::uint32_t a(unsigned row, unsigned column) {
        return static_cast<std::uint32_t>(state::read(state(), Storage::src_a, row * 16 + column));
    }
    std::uint32_t dst(unsigned row, unsigned column = 0) {
        return static_cast<std::uint32_t>(state::read(state(), Storage::dst, row * 16 + column));
    }
    /// A 32-bit datum in stored order; the low half is eight rows further.
    std::uint32_t dst32(unsigned row) { return dst(row) << 16 | dst(row + 8); }
    void invalidate() { state().dst.valid.reset(); }

    test::Stepper step_{GetParam()};
};

TEST_P(MatrixByHand, GmpoolTakesTheLargestOfAColumnAndOfDst) {
    invalidate();
    for (unsigned r = 0; r < 16; ++r) a(r, 0, 1u << 18 | (120 + r));  // negative, the largest is the smallest
    a(3, 1, 3u << 16 | 130);
    step_("GMPOOL instr_mod19=1");
    EXPECT_EQ(dst(0, 0), 1u << 15 | 120u);
    EXPECT_EQ(dst(0, 1), 3u << 13 | 130u);
    EXPECT_EQ(dst(0, 2), 0u);  // zeros are larger than a row that is not valid
    for (unsigned r = 1; r < 4; ++r) {
        EXPECT_EQ(dst(r, 1), 0u);
        EXPECT_TRUE(state().dst.valid[r]);
    }
    EXPECT_FALSE(state().dst.valid[4]);
    state::write(state(), Storage::dst, 1, 131);
    step_("GMPOOL instr_mod19=1");
    EXPECT_EQ(dst(0, 1), 131u);
}

TEST_P(MatrixByHand, GmpoolScalesRowsByExponentsOfSrcB) {
    invalidate();
    a(0, 0, 128);           // 2.0
    a(1, 0, 129);           // 4.0
    b(0, 0, 0x7F00 | 131);  // 16.0 times something, which does not count
    step_("GMPOOL instr_mod19=1");
    EXPECT_EQ(dst(0), 132u);  // 32.0
    invalidate();
    for (unsigned c = 0; c < 16; ++c) b(0, c, 0);
    step_("GMPOOL instr_mod19=1");
    EXPECT_EQ(dst(0), 0xFFFFu);  // an exponent of zero makes each datum lower than the invalid row
}

TEST_P(MatrixByHand, GmpoolOfIntegersKeeps13Bits) {
    test::set_field(state(), "ALU_ACC_CTRL_INT8_math_enabled", 1);
    a(0, 0, 100u << 8 | 16);
    step_("GMPOOL instr_mod19=1");
    EXPECT_EQ(dst32(0), 100u);
    // 0x13005 as sign, middle 7, high 8, low 16 bits of magnitude.
    state::write(state(), Storage::dst, 0, 1u << 8);
    state::write(state(), Storage::dst, 8 * 16, 0x3005);
    step_("GMPOOL instr_mod19=1");
    EXPECT_EQ(dst32(0), 0x13005u & 0x1FFF);
}

TEST_P(MatrixByHand, GmpoolTellsTheIndexInTheLowBits) {
    wide();
    // All rows are equal: the last of 4 to 7, 0 to 3 counts, which is row 3 with the code 1.
    for (unsigned r = 0; r < 16; ++r) a(r, 0, 130);
    state::write(state(), Storage::dst, (1 + 8) * 16, 0x0234);
    step_("GMPOOL instr_mod19=1 max_pool_index_en=1");
    EXPECT_EQ(dst32(0), 130u << 16 | 0x111u);
    EXPECT_EQ(dst32(1), 0x300u);
    EXPECT_EQ(dst32(2), 0x100u);
    // A larger one in row 6 (code 2); the phase goes on.
    a(6, 0, 131);
    step_("GMPOOL instr_mod19=1 max_pool_index_en=1");
    EXPECT_EQ(dst32(0), 131u << 16 | 0x222u);
    // Beyond the first eight rows only the value is given.
    a(12, 0, 132);
    step_("GMPOOL instr_mod19=1 max_pool_index_en=1");
    EXPECT_EQ(dst32(0), 132u << 16 | 0x332u);
}

TEST_P(MatrixByHand, ShiftsMoveByOneColumn) {
    for (unsigned c = 0; c < 16; ++c) {
        a(32, c, 100 + c);
        b(5, c, 200 + c);
    }
    state().write(state::cells::rwc(0, Rwc::src_a), 32);
    step_("MOVA2D");  // from row 32 on
    step_("SHIFTXA shift_mode=2");
    EXPECT_EQ(a(0, 0), 0u);
    EXPECT_EQ(a(0, 1), 100u);
    EXPECT_EQ(a(0, 15), 114u);
    EXPECT_EQ(a(32, 0), 100u);
    EXPECT_THAT(step_.findings, Contains("matrix.shift-row"));
    step_("SHIFTXA shift_mode=3");
    EXPECT_EQ(a(0, 0), 101u);
    EXPECT_EQ(a(0, 15), 0u);
    const auto b = [&](unsigned c) { return state::read(state(), Storage::src_b, 5 * 16 + c); };
    step_("SHIFTXB shift_row=5");
    EXPECT_EQ(b(0), 201u);
    EXPECT_EQ(b(14), 215u);
    EXPECT_EQ(b(15), 200u);
    step_("SHIFTXB shift_row=5 rot_shift=1");
    EXPECT_EQ(b(14), 200u);
    EXPECT_EQ(b(15), 0u);
    step_("SHIFTXA shift_mode=1");
    EXPECT_THAT(step_.findings, Contains("matrix.shift-direction"));
}

TEST_P(MatrixByHand, DebugMovesDoNotWait) {
    a(0, 0, 130);
    step_("MOVDBGA2D");
    EXPECT_EQ(dst(0), 130u);
    EXPECT_THAT(step_.findings, Contains("matrix.debug-move"));
}

// MOVDBGA2D, Functional model: an invalid bank implies SFPU_DEST_FMT_Base. Formats are implied on Blackhole only.
TEST_P(MatrixByHand, DebugMovesOfAnInvalidBankTakeTheDefaultFormat) {
    constexpr std::uint32_t fp16 = 1, bf16 = 5, mantissa = 0x155, exponent = 15;
    constexpr std::uint32_t as_fp16 = mantissa << 5 | exponent, as_bf16 = mantissa >> 3 << 8 | exponent;
    const bool implies = GetParam() == Arch::blackhole;
    test::set_field(state(), "DISABLE_IMPLIED_SRCA_FMT_Base", 0);
    test::set_field(state(), "DISABLE_IMPLIED_SRCB_FMT_Base", 0);
    test::set_field(state(), "SFPU_DEST_FMT_Base", fp16);
    a(0, 0, mantissa << 8 | exponent);
    b(0, 0, mantissa << 8 | exponent);
    for (const Src src : {Src::a, Src::b}) state().write(state::cells::implied_format(src, 0), bf16);
    const auto moved = [&](const char* name, state::Owner owner) {
        for (const Src src : {Src::a, Src::b})
            state().write(state::cells::bank_owner(src, 0), static_cast<std::uint32_t>(owner));
        step_(name);
        return dst(0);
    };
    for (const char* name : {"MOVDBGA2D", "MOVDBGB2D"}) {
        if (!implies && std::string_view(name) == "MOVDBGB2D") continue;  // Wormhole does not have it
        EXPECT_EQ(moved(name, state::Owner::unpackers), implies ? as_fp16 : as_bf16) << name;
        EXPECT_EQ(moved(name, state::Owner::matrix), as_bf16) << name;
    }
    EXPECT_EQ(moved("MOVA2D", state::Owner::unpackers), as_bf16);
}

TEST_P(MatrixByHand, LegacyInstructionsAddZero) {
    for (const char* name : {"CONV3S1", "CONV3S2", "MFCONV3S1", "APOOL3S1", "APOOL3S2"}) {
        for (unsigned r = 0; r < 16; ++r) state::write(state(), Storage::dst, r * 16, 0x7F00 | (100 + r));
        for (unsigned c = 0; c < 16; ++c) {
            a(c, 0, 130);
            b(0, c, 130);
        }
        step_.findings.clear();
        step_(name);
        EXPECT_THAT(step_.findings, Contains("matrix.legacy")) << name;
        for (unsigned r = 0; r < 16; ++r) EXPECT_EQ(dst(r), 0x7F00 | (100 + r)) << name;
    }
    invalidate();
    step_("MPOOL3S1");
    EXPECT_EQ(dst(0), 0u);
}

TEST_P(MatrixByHand, ClrexphistForgetsTheHistograms) {
    const unsigned last = state().arch().packers - 1u;
    for (unsigned i : {0u, last}) {
        state().write(state::cells::exp_histogram_block[i * 32 + 31], 7);
        state().write(state::cells::packer(i, state::Packer::exp_histogram_max), 9);
    }
    step_("CLREXPHIST");
    for (unsigned i : {0u, last}) {
        EXPECT_EQ(state()[state::cells::exp_histogram_block[i * 32 + 31]], 0u);
        EXPECT_EQ(state()[state::cells::packer(i, state::Packer::exp_histogram_max)], 0u);
    }
}

// Formats are implied on Blackhole only.
TEST_P(MatrixByHand, CleardvalidResetForgetsImpliedFormats) {
    state().write(state::cells::implied_format(Src::b, 1), 5);
    step_("CLEARDVALID reset=1");
    EXPECT_EQ(state()[state::cells::implied_format(Src::b, 1)], GetParam() == Arch::blackhole ? 0u : 5u);
}

INSTANTIATE_TEST_SUITE_P(Archs, MatrixByHand, testing::ValuesIn(all_archs),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera
