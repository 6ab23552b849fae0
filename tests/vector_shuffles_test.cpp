// SPDX-License-Identifier: Apache-2.0
// SFPSWAP, SFPSHFT2, SFPTRANSP against their pages' models.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <random>

#include "support/vector_stepper.hpp"

namespace tessera {
namespace {

using test::Lanes;

class VectorShuffles : public test::VectorTest {};

constexpr std::uint32_t some = 0x0F35A6C9;

// Numbers and not-a-numbers of both signs in the order of the page: -NaN < -Inf < … < -0 < +0 < … < +Inf < +NaN.
constexpr std::uint32_t ascending[] = {0xFFFFFFFF, 0xFF800001, 0xFF800000, 0xC0000000, 0xBF800000,
                                       0x80000001, 0x80000000, 0x00000000, 0x00000001, 0x3F800000,
                                       0x40000000, 0x7F800000, 0x7F800001, 0x7FFFFFFF};

TEST_P(VectorShuffles, SwapAlways) {
    set_flags(some);
    const Lanes two = get(2), six = get(6);
    step("SFPSWAP lreg_src_c=2 lreg_dest=6");
    for (unsigned lane = 0; lane < 32; ++lane) {
        const bool taken = some >> lane & 1;
        EXPECT_EQ(get(2)[lane], taken ? six[lane] : two[lane]);
        EXPECT_EQ(get(6)[lane], taken ? two[lane] : six[lane]);
    }
    const Lanes constant = get(10);
    step("SFPSWAP lreg_src_c=10 lreg_dest=3");
    EXPECT_EQ(get(10), constant);
}

TEST_P(VectorShuffles, MinimumAndMaximumInTheTotalOrder) {
    for (std::size_t i = 0; i < std::size(ascending); ++i)
        for (std::size_t j = 0; j < std::size(ascending); ++j) {
            set(1, test::all(ascending[i]));
            set(2, test::all(ascending[j]));
            step("SFPSWAP lreg_src_c=1 lreg_dest=2 instr_mod1=1");
            EXPECT_EQ(get(2), test::all(ascending[std::min(i, j)])) << i << ' ' << j;
            EXPECT_EQ(get(1), test::all(ascending[std::max(i, j)])) << i << ' ' << j;
        }
}

TEST_P(VectorShuffles, RowsOfMinima) {
    // Rows in which VD gets the minimum, a bit each, by mode.
    constexpr unsigned minimum_rows[] = {0, 15, 3, 5, 9, 1, 2, 4, 8, 0, 0, 0, 0, 0, 0, 0};
    for (unsigned mode = 1; mode < 16; ++mode)
        for (bool exchanged : {false, true}) {
            configure_lanes(exchanged ? 0x100 : 0);
            set(1, test::all(7));
            set(2, test::all(5));
            step(fmt::format("SFPSWAP lreg_src_c=1 lreg_dest=2 instr_mod1={}", mode));
            for (unsigned lane = 0; lane < 32; ++lane) {
                const bool minimum = (minimum_rows[mode] >> lane / 8 & 1) != exchanged;
                EXPECT_EQ(get(2)[lane], minimum ? 5u : 7u) << mode << ' ' << lane;
                EXPECT_EQ(get(1)[lane], minimum ? 7u : 5u) << mode << ' ' << lane;
            }
        }
    EXPECT_THAT(step.findings, testing::SizeIs(2 * 6));
    EXPECT_THAT(step.findings, testing::Each("vector.swap-mode"));
}

TEST_P(VectorShuffles, PlacesGoWithTheirValues) {
    configure_column(1, 4);
    std::mt19937 random(1);
    Lanes one, two;
    for (unsigned lane = 0; lane < 32; ++lane) one[lane] = random() & 0x7FFFFFFF, two[lane] = random() & 0x7FFFFFFF;
    set(1, one);
    set(2, two);
    const Lanes five = get(5), six = get(6);
    step("SFPSWAP lreg_src_c=1 lreg_dest=2 instr_mod1=1");
    for (unsigned lane = 0; lane < 32; ++lane) {
        EXPECT_EQ(get(2)[lane], std::min(one[lane], two[lane]));
        const bool places = lane % 8 == 1 && one[lane] < two[lane];
        EXPECT_EQ(get(5)[lane], places ? six[lane] : five[lane]) << lane;
        EXPECT_EQ(get(6)[lane], places ? five[lane] : six[lane]) << lane;
    }
    // With LReg 4 and beyond only the places change.
    configure_lanes(4);
    set(4, test::all(1));
    set(7, test::all(2));
    step("SFPSWAP lreg_src_c=4 lreg_dest=7 instr_mod1=0");
    EXPECT_EQ(get(4), test::all(2));
    EXPECT_EQ(get(7), test::all(1));
}

TEST_P(VectorShuffles, CopiesDown) {
    std::array<Lanes, 4> was;
    for (unsigned r = 0; r < 4; ++r) was[r] = get(r);
    set_flags(some);
    step("SFPSHFT2 instr_mod1=1");
    for (unsigned lane = 0; lane < 32; ++lane) {
        const bool taken = some >> lane & 1;
        for (unsigned r = 0; r < 3; ++r) EXPECT_EQ(get(r)[lane], was[r + taken][lane]);
        EXPECT_EQ(get(3)[lane], !taken ? was[3][lane] : lane < 24 ? was[0][lane + 8] : 0);
    }
    set_flags(~0u);
    step("SFPSHFT2 instr_mod1=0");
    EXPECT_EQ(get(3), test::all(0));
    set(3, was[3]);
    set(2, was[2]);
    step("SFPSHFT2 lreg_src_c=2 instr_mod1=2");
    EXPECT_EQ(get(2), was[3]);
    for (unsigned lane = 0; lane < 32; ++lane) EXPECT_EQ(get(3)[lane], was[2][lane % 8 ? lane - 1 : lane + 7]) << lane;
}

TEST_P(VectorShuffles, RotateAndShiftLanes) {
    const Lanes was = get(5);
    set_flags(some);
    set(6, test::all(9));
    step("SFPSHFT2 lreg_src_c=5 lreg_dest=6 instr_mod1=3");
    for (unsigned lane = 0; lane < 32; ++lane)
        EXPECT_EQ(get(6)[lane], some >> lane & 1 ? was[lane % 8 ? lane - 1 : lane + 7] : 9) << lane;

    // Blackhole shifts in zeros; on Wormhole the bits are left over from the rotation.
    set_flags(~0u);
    step("SFPSHFT2 lreg_src_c=4 lreg_dest=6 instr_mod1=4");
    for (unsigned lane = 0; lane < 32; ++lane)
        EXPECT_EQ(get(6)[lane], lane % 8 ? get(4)[lane - 1] : blackhole() ? 0 : was[lane + 7]) << lane;
    EXPECT_EQ(step.findings.size(), blackhole() ? 0u : 1u);
    // The page's cure.
    set(9, test::all(0));
    step("SFPSHFT2 lreg_src_c=9 lreg_dest=9 instr_mod1=3\nSFPSHFT2 lreg_src_c=4 lreg_dest=6 instr_mod1=4");
    for (unsigned lane = 0; lane < 32; lane += 8) EXPECT_EQ(get(6)[lane], 0u);
    EXPECT_EQ(step.findings.size(), blackhole() ? 0u : 1u);
}

// Wormhole's bug is told where it changes a lane: the first of a row, active, with bits left over that are not zero.
TEST_P(VectorShuffles, BitsThatALaneShiftsInAreTold) {
    for (unsigned left_over = 0; left_over < 4; ++left_over)
        for (unsigned lane = 0; lane < 32; ++lane) {
            for (unsigned row = 0; row < 4; ++row) step.state.write(state::cells::last_rotated(row), row == left_over ? 8 : 0);
            set_flags(1u << lane);
            step.findings.clear();
            step("SFPSHFT2 lreg_src_c=4 lreg_dest=6 instr_mod1=4");
            const bool told = !blackhole() && lane == 8 * left_over;
            EXPECT_EQ(step.findings, told ? std::vector<std::string>{"vector.shift-takes-rotated"} : std::vector<std::string>{})
                << lane;
        }
    for (const unsigned mode : {3u, 5u}) {
        step.findings.clear();
        step(fmt::format("SFPSHFT2 lreg_src_c=4 lreg_dest=6 instr_mod1={}", mode));
        EXPECT_THAT(step.findings, testing::IsEmpty());
    }
}

TEST_P(VectorShuffles, ShiftsOfBits) {
    set(3, test::all(0x80000401));
    for (int by : {0, 1, 31, 32, 33, -1, -31, -32, -33}) {
        const std::uint32_t expected = by >= 0 ? 0x80000401u << (by & 31) : 0x80000401u >> (-by & 31);
        set(2, test::all(static_cast<std::uint32_t>(by)));
        step("SFPSHFT2 imm12_math=3 lreg_src_c=2 lreg_dest=6 instr_mod1=5");
        EXPECT_EQ(get(6), test::all(expected)) << by;
        // By an immediate, whose low four bits name the register too.
        const unsigned immediate = static_cast<unsigned>(by) & 0xFFF;
        if (immediate % 16 > 7) continue;
        set(immediate % 16, test::all(0x80000401));
        step(fmt::format("SFPSHFT2 imm12_math={} lreg_dest=7 instr_mod1=6", immediate));
        EXPECT_EQ(get(7), test::all(expected)) << by;
    }
    step("SFPSHFT2 lreg_dest=7 instr_mod1=7");
    EXPECT_THAT(step.findings, testing::ElementsAre("vector.undefined-mode"));
}

// Element (register i, row j) and (register j, row i) change places.
TEST_P(VectorShuffles, Transpose) {
    std::array<Lanes, 8> was;
    for (unsigned r = 0; r < 8; ++r) was[r] = get(r);
    for (std::uint32_t mask : {~0u, some}) {
        for (unsigned r = 0; r < 8; ++r) set(r, was[r]);
        set_flags(mask);
        step("SFPTRANSP");
        for (unsigned r = 0; r < 8; ++r)
            for (unsigned lane = 0; lane < 32; ++lane) {
                const unsigned row = lane / 8, from = r / 4 * 4 + row, from_lane = r % 4 * 8 + lane % 8;
                EXPECT_EQ(get(r)[lane], mask >> lane & 1 ? was[from][from_lane] : was[r][lane]) << r << ' ' << lane;
            }
    }
}

INSTANTIATE_TEST_SUITE_P(Archs, VectorShuffles, testing::ValuesIn(all_archs), test::arch_name);

}  // namespace
}  // namespace tessera
