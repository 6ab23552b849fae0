// SPDX-License-Identifier: Apache-2.0
// DBG_FEATURE_DISABLE bit 11: Dst16b is the high half of Dst32b (Dst; spec-notes T21). Rows by hand: row 9 of Dst32b is physical row
// 17, its low half row 25. Random states of all units are held against the reference in reference_*_test.cpp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "state/inventory.hpp"
#include "support/stepper.hpp"

namespace tessera::test {
namespace {

using testing::Contains;
using testing::Not;

constexpr unsigned row = 9, high = 17, low = 25;

class UpperDst : public testing::TestWithParam<Arch> {
protected:
    UpperDst() { step.state.write(state::cells::feature_disable, state::cells::upper_dst); }

    void set_dst(unsigned physical, std::uint32_t first) {
        for (unsigned c = 0; c < 16; ++c) state::write(step.state, state::Storage::dst, physical * 16 + c, first + c);
    }
    std::uint32_t dst(unsigned physical, unsigned column) const {
        return static_cast<std::uint32_t>(state::read(step.state, state::Storage::dst, physical * 16 + column));
    }
    std::uint32_t src_a(unsigned which, unsigned column) const {
        return static_cast<std::uint32_t>(state::read(step.state, state::Storage::src_a, which * 16 + column));
    }
    // ShuffleBF16 of MOVD2A.
    static std::uint32_t as_bf16(std::uint32_t x) { return (x & 0xFF00) << 3 | (x & 0xFF); }

    Stepper step{GetParam()};
};

TEST_P(UpperDst, SixteenBitReadsAreHighHalves) {
    set_dst(row, 0x1100);
    set_dst(high, 0x2280);
    set_dst(low, 0x3380);
    step("MOVD2A instr_mod=0 src=0 dst=9");
    for (unsigned c = 0; c < 16; ++c) EXPECT_EQ(src_a(0, c), as_bf16(0x2280 + c));
    step.state.write(state::cells::feature_disable, 0);
    step("MOVD2A instr_mod=0 src=1 dst=9");
    for (unsigned c = 0; c < 16; ++c) EXPECT_EQ(src_a(1, c), as_bf16(0x1100 + c));
}

TEST_P(UpperDst, LowHalvesCanBeMovedWithFp32Off) {
    set_dst(high, 0x2280);
    set_dst(low, 0x3380);
    step("MOVD2A dest_32b_lo=1 instr_mod=0 src=0 dst=9");
    for (unsigned c = 0; c < 16; ++c) EXPECT_EQ(src_a(0, c), as_bf16(0x3380 + c));
    EXPECT_THAT(step.findings, Not(Contains("matrix.move-needs-32-bit-dst")));
    step.state.write(state::cells::feature_disable, 0);
    step("MOVD2A dest_32b_lo=1 instr_mod=0 src=0 dst=9");
    EXPECT_THAT(step.findings, Contains("matrix.move-needs-32-bit-dst"));
}

TEST_P(UpperDst, SixteenBitWritesLeaveLowHalvesAndRowsOfTheSixteenBitView) {
    set_dst(row, 0x1100);
    set_dst(high, 0x2280);
    set_dst(low, 0x3380);
    for (unsigned c = 0; c < 16; ++c) state::write(step.state, state::Storage::src_a, c, as_bf16(0x4455));
    step("MOVA2D instr_mod=0 src=0 dst=9");
    for (unsigned c = 0; c < 16; ++c) {
        EXPECT_EQ(dst(high, c), 0x4455u);
        EXPECT_EQ(dst(row, c), 0x1100 + c);
        EXPECT_EQ(dst(low, c), 0x3380 + c);
    }
}

// ZEROACC, one row: validity is that of the physical row.
TEST_P(UpperDst, OneRowIsClearedInTheUpperHalf) {
    step(GetParam() == Arch::blackhole ? "ZEROACC clear_mode=0 where=9" : "ZEROACC clear_mode=0 dst=9");
    EXPECT_FALSE(step.state.dst.valid[high]);
    EXPECT_TRUE(step.state.dst.valid[row]);
    EXPECT_TRUE(step.state.dst.valid[low]);
}

INSTANTIATE_TEST_SUITE_P(Archs, UpperDst, testing::ValuesIn(all_archs),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera::test
