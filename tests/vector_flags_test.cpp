// SPDX-License-Identifier: Apache-2.0
// SFPENCC, SFPPUSHC, SFPPOPC, SFPCOMPC against their pages' models.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "support/vector_stepper.hpp"

namespace tessera {
namespace {

class VectorFlags : public test::VectorTest {};

constexpr std::uint32_t some = 0x0F35A6C9, others = 0x3C5AF099;

// BooleanOp of SFPPUSHC and SFPPOPC, lane by lane as the pages have it.
bool boolean_op(unsigned mode, bool a, bool b) {
    const bool results[] = {false,   b,       !b,       a && b,   a || b, a && !b, a || !b,
                            !a && b, !a || b, !a && !b, !a || !b, a != b, a == b};
    return results[mode];
}
std::uint32_t boolean_op(unsigned mode, std::uint32_t a, std::uint32_t b) {
    std::uint32_t result = 0;
    for (unsigned lane = 0; lane < 32; ++lane)
        result |= std::uint32_t{boolean_op(mode, (a >> lane & 1) != 0, (b >> lane & 1) != 0)} << lane;
    return result;
}

TEST_P(VectorFlags, EnccSetsBoth) {
    for (unsigned mode = 0; mode < 16; ++mode)
        for (unsigned imm = 0; imm < 4; ++imm)
            for (unsigned before = 0; before < 2; ++before) {
                set_flags(some, before);
                step(fmt::format("SFPENCC imm12_math={} instr_mod1={}", imm, mode));
                const unsigned expected = mode & 2 ? imm & 1 : mode & 1 ? !before : before;
                EXPECT_EQ(enable(), expected) << mode << ' ' << imm;
                EXPECT_EQ(flags(), mode & 8 && !(imm & 2) ? 0u : ~0u) << mode << ' ' << imm;
            }
}

TEST_P(VectorFlags, PushAndPop) {
    set_flags(some, 1);
    step("SFPPUSHC");
    set_flags(others, 0);
    step("SFPPUSHC");
    EXPECT_EQ(stack_size(), 2u);
    set_flags(0, 1);
    step("SFPPOPC");
    EXPECT_EQ(flags(), others);
    EXPECT_EQ(enable(), 0u);
    step("SFPPOPC");
    EXPECT_EQ(flags(), some);
    EXPECT_EQ(enable(), 1u);
    EXPECT_EQ(stack_size(), 0u);
    EXPECT_THAT(step.findings, testing::IsEmpty());
}

TEST_P(VectorFlags, PushModesOfBlackhole) {
    for (unsigned mode = 1; mode < 16; ++mode) {
        step.state.write(state::cells::cc_stack_size_block[0], 0);
        push(some, 0);
        set_flags(others, 1);
        step(fmt::format("SFPPUSHC instr_mod1={}", mode));
        const std::uint32_t top = cell(state::cells::cc_stack_block[0]),
                            top_enable = cell(state::cells::cc_stack_block[1]);
        if (!blackhole()) {
            EXPECT_EQ(stack_size(), 2u);  // Mod1 has no meaning (spec-notes V39)
            continue;
        }
        EXPECT_EQ(stack_size(), 1u);
        EXPECT_EQ(top_enable, 1u) << mode;
        EXPECT_EQ(flags(), mode == 13 ? ~others : others) << mode;
        EXPECT_EQ(top, mode <= 12   ? boolean_op(mode, some, others)
                       : mode == 13 ? ~others
                       : mode == 14 ? ~0u
                                    : 0u)
            << mode;
    }
}

TEST_P(VectorFlags, PeekModes) {
    for (unsigned mode = 1; mode < 16; ++mode)
        for (bool empty : {false, true}) {
            step.state.write(state::cells::cc_stack_size_block[0], 0);
            if (!empty) push(some, 1);
            set_flags(others, 0);
            step(fmt::format("SFPPOPC instr_mod1={}", mode));
            EXPECT_EQ(stack_size(), empty ? 0u : 1u);
            EXPECT_EQ(flags(), mode <= 12   ? boolean_op(mode, others, empty ? 0 : some)
                               : mode == 13 ? ~others
                               : mode == 14 ? ~0u
                                            : 0u)
                << mode;
            EXPECT_EQ(enable(), mode <= 12 ? !empty : mode == 13 ? 0u : 1u) << mode;
        }
}

TEST_P(VectorFlags, FullStack) {
    for (unsigned i = 0; i < 8; ++i) push(i, 1);
    step("SFPPUSHC");
    EXPECT_THAT(step.findings, testing::ElementsAre("vector.stack-full"));
    EXPECT_EQ(stack_size(), 8u);
    step("SFPPOPC instr_mod1=1");
    EXPECT_EQ(cell(state::cells::cc_stack_block[0]), blackhole() ? 0u : 7u);  // the bug of SFPPOPC's page
    EXPECT_EQ(step.findings.size(), blackhole() ? 1u : 2u);
    EXPECT_EQ(stack_size(), 8u);
}

TEST_P(VectorFlags, EmptyStack) {
    step("SFPPOPC");
    EXPECT_THAT(step.findings, testing::ElementsAre("vector.stack-empty"));
    EXPECT_EQ(stack_size(), 0u);
    EXPECT_EQ(flags(), 0u);
    EXPECT_EQ(enable(), 0u);
}

TEST_P(VectorFlags, Complement) {
    set_flags(some, 1);
    step("SFPCOMPC");
    EXPECT_EQ(flags(), ~some);
    push(others, 1);
    step("SFPCOMPC");
    EXPECT_EQ(flags(), others & some);
    push(others, 0);
    step("SFPCOMPC");
    EXPECT_EQ(flags(), 0u);
    step.state.write(state::cells::cc_stack_size_block[0], 0);
    set_flags(some, 0);
    step("SFPCOMPC");
    EXPECT_EQ(flags(), 0u);
}

constexpr std::uint32_t lanes_of_column_3 = 0x08080808;

// Flags change in the lanes that execute; enable and height of the stack are lane 0's (spec-notes V62).
TEST_P(VectorFlags, LanesWithoutLane0ChangeTheirFlagsOnly) {
    configure_column(3, 2);
    const auto start = [&] {
        set_flags(some, 0);
        step.state.write(state::cells::cc_stack_size_block[0], 0);
        push(others, 1);
        step.findings.clear();
    };
    const auto in_column_3 = [](std::uint32_t there, std::uint32_t elsewhere) {
        return (there & lanes_of_column_3) | (elsewhere & ~lanes_of_column_3);
    };
    const auto expect = [&](std::uint32_t expected) {
        EXPECT_EQ(flags(), in_column_3(expected, some));
        EXPECT_EQ(enable(), 0u);
        EXPECT_EQ(stack_size(), 1u);
        EXPECT_EQ(cell(state::cells::cc_stack_block[0]), others);
        EXPECT_EQ(cell(state::cells::cc_stack_block[1]), 1u);
        EXPECT_EQ(cell(state::cells::cc_stack_block[2]), 0u);
        EXPECT_THAT(step.findings, testing::ElementsAre("vector.divided-flags"));
    };
    start();
    step("SFPENCC lreg_dest=12 imm12_math=1 instr_mod1=10");
    expect(0);
    start();
    step("SFPPUSHC lreg_dest=12");
    expect(some);
    start();
    step("SFPPOPC lreg_dest=12");
    expect(others);
    start();
    step("SFPCOMPC lreg_dest=12");
    expect(0);
}

// SFPCONFIG page: an instruction that names LReg 12 to 15 is recorded, in the lane columns that do not forbid it.
TEST_P(VectorFlags, RecordedInsteadOfExecuted) {
    set_flags(some, 1);
    configure_column(3, 2);
    step("SFPENCC lreg_dest=14 imm12_math=0 instr_mod1=8");
    const std::uint32_t word = 0x8A000000 | 14 << 4 | 8;
    for (unsigned column = 0; column < 8; ++column)
        EXPECT_EQ(cell(state::cells::macro(column, state::Macro::template_2)), column == 3 ? 0 : word) << column;
    EXPECT_EQ(flags(), some & ~lanes_of_column_3);
    configure_lanes(2);
    step("SFPENCC lreg_dest=14 imm12_math=0 instr_mod1=8");
    EXPECT_EQ(flags(), 0u);
    EXPECT_EQ(cell(state::cells::macro(3, state::Macro::template_2)), 0u);
}

INSTANTIATE_TEST_SUITE_P(Archs, VectorFlags, testing::ValuesIn(all_archs), test::arch_name);

}  // namespace
}  // namespace tessera
