// SPDX-License-Identifier: Apache-2.0
// SFPCONFIG against its page's model, and the effect of lane configuration on the matrix unit's moves.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "formats/layouts.hpp"
#include "support/vector_stepper.hpp"

namespace tessera {
namespace {

using state::Macro;
using state::cells::lane_config_block, state::cells::macro;

class VectorConfig : public test::VectorTest {
protected:
    void config(unsigned dest, unsigned immediate, unsigned mode) {
        step(fmt::format("SFPCONFIG imm16_math={} config_dest={} instr_mod1={}", immediate, dest, mode));
    }
};

TEST_P(VectorConfig, ConstantsAreOfTheFirstEightLanes) {
    config(12, 0, 0);
    for (unsigned lane = 0; lane < 32; ++lane) EXPECT_EQ(get(12)[lane], lane % 8);
    const std::uint32_t defaults[] = {0xBF800000, 0x3B000000, 0xBF2CC4C7, 0xBEB08FF9};
    for (unsigned i = 0; i < 4; ++i) {
        set(11 + i, test::all(5));
        config(11 + i, 0, 1);
        EXPECT_EQ(get(11 + i), test::all(defaults[i]));  // -1, 1/512, -0.67487759, -0.34484843
    }
}

TEST_P(VectorConfig, LaneMaskAndFlagsChooseColumns) {
    // Bits 0, 4 and 14 of the immediate: columns 0, 2 and 7. Of these the flags of the first row leave 0 and 7.
    set_flags(0xFFFFFFFB);
    const test::Lanes before = get(13);
    config(13, 0x4011, 8);
    for (unsigned lane = 0; lane < 32; ++lane)
        EXPECT_EQ(get(13)[lane], lane % 8 == 0 || lane % 8 == 7 ? lane % 8 : before[lane]) << lane;
    // A row mask does not count, and neither do the flags of other rows.
    set_flags(0x000000FF);
    configure_lanes(0xF000);
    config(14, 0, 0);
    for (unsigned lane = 0; lane < 32; ++lane) EXPECT_EQ(get(14)[lane], lane % 8) << lane;
}

TEST_P(VectorConfig, MacroConfiguration) {
    set(0, test::distinct(0x8F000000));
    for (unsigned i = 0; i < 4; ++i) config(i, 0, 1);  // no immediate is long enough for an instruction
    for (unsigned i = 0; i < 4; ++i) config(4 + i, 0x1234 + i, 1);
    config(8, 0xFABC, 1);
    for (unsigned column = 0; column < 8; ++column) {
        for (unsigned i = 0; i < 4; ++i) {
            EXPECT_EQ(cell(macro(column, Macro::template_0, i)), 0x8F000000 + column);
            EXPECT_EQ(cell(macro(column, Macro::sequence_0, i)), 0x1234 + i);
        }
        EXPECT_EQ(cell(macro(column, Macro::misc)), 0xABCu);
    }
    config(8, 0x0F0, 1 | 2);
    EXPECT_EQ(cell(macro(5, Macro::misc)), 0xAFCu);
    config(8, 0x3F0, 1 | 4);
    EXPECT_EQ(cell(macro(5, Macro::misc)), 0x2F0u);
    config(8, 0x00F, 1 | 6);
    EXPECT_EQ(cell(macro(5, Macro::misc)), 0x2FFu);
    config(5, 0, 0);
    EXPECT_EQ(cell(macro(6, Macro::sequence_1)), 0x8F000006u);
    config(8, 0, 2);
    EXPECT_EQ(cell(macro(6, Macro::misc)), 0x2FFu);
}

TEST_P(VectorConfig, LaneConfigurationKeepsWhatAnImmediateDoesNotReach) {
    set(0, test::all(0x30005));
    config(15, 0, 0);
    EXPECT_EQ(cell(lane_config_block[4]), 0x30005u);
    config(15, 0x0102, 1);
    EXPECT_EQ(cell(lane_config_block[4]), 0x30102u);
    config(15, 0x0001, 1 | 2);
    EXPECT_EQ(cell(lane_config_block[4]), 0x30103u);
    config(15, 0x0006, 1 | 4);
    EXPECT_EQ(cell(lane_config_block[4]), 0x30002u);
    config(15, 0x0003, 1 | 6);
    EXPECT_EQ(cell(lane_config_block[4]), 0x30001u);
    set(0, test::all(0xFFFFFFFF));
    config(15, 0, 6);
    EXPECT_EQ(cell(lane_config_block[4]), 0x0FFFEu);
}

TEST_P(VectorConfig, NothingThere) {
    const state::State before = step.state;
    config(9, 0, 1);
    config(10, 0, 0);
    EXPECT_THAT(step.findings, testing::ElementsAre("vector.config-nowhere", "vector.config-nowhere"));
    for (unsigned i = 0; i < state::cells::total; ++i) ASSERT_EQ(step.state[state::Cell(i)], before[state::Cell(i)]);
    EXPECT_EQ(step.state.lregs.lane, before.lregs.lane);
    config(4, 1, 9);
    EXPECT_EQ(step.findings.back(), "vector.config-two-uses");
}

// BLOCK_DEST_MOV: bit 9 stands for the even column of the pair, bit 10 for the odd one.
TEST_P(VectorConfig, BlockedColumnsAreNotMoved) {
    configure_column(2, 1 << 9);
    configure_column(5, 1 << 10);
    constexpr std::uint32_t kept = 1u << 4 | 1u << 11;
    const auto bank = [&](state::Src src) -> state::SrcBank& { return step.state.bank(src, 0); };
    const std::string from_b = blackhole() ? "MOVB2D movb2d_instr_mod=4 dst=8" : "MOVB2D instr_mod=4 dst=8";
    for (const std::string& move : {std::string("MOVA2D instr_mod=2 dst=8"), from_b}) {
        for (state::Src src : {state::Src::a, state::Src::b}) bank(src).datums.fill(0x3F800000);
        step.state.dst.datums.fill(0x1234);
        step.state.dst.valid.set();
        step(move);
        for (unsigned c = 0; c < 16; ++c)
            EXPECT_EQ(step.state.dst.datums[8 * 16 + c], kept >> c & 1 ? 0x1234u : step.state.dst.datums[8 * 16])
                << move << ' ' << c;
        EXPECT_NE(step.state.dst.datums[8 * 16], 0x1234u);
    }
    for (state::Src src : {state::Src::a, state::Src::b}) {
        bank(src).datums.fill(0x11110000);
        step.state.dst.datums.fill(0x4000);
        step(src == state::Src::a ? "MOVD2A instr_mod=2 src=4 dst=0" : "MOVD2B instr_mod=2 src=4 dst=0");
        for (unsigned c = 0; c < 16; ++c)
            EXPECT_EQ(bank(src).datums[4 * 16 + c], kept >> c & 1 ? 0x11110000u : bank(src).datums[4 * 16]) << c;
        EXPECT_NE(bank(src).datums[4 * 16], 0x11110000u);
    }
}

INSTANTIATE_TEST_SUITE_P(Archs, VectorConfig, testing::ValuesIn(all_archs), test::arch_name);

}  // namespace
}  // namespace tessera
