// SPDX-License-Identifier: Apache-2.0
// Atomic requests: the reference against the pages. Each test is named after a page or a register and has its words.
#include <bit>
#include <utility>

#include "support/noc_pages.hpp"

namespace tessera::test {
namespace {

class NocAtomics : public NocPages {};

TEST_P(NocAtomics, AtomicIncrement) {
    set_word(b, 0x2004, 0xFFFF'FFF0);
    targ(a, 0x2004, b);
    ret(a, 0x3004, a);
    ASSERT_EQ(go(a, atomic | marked, 1 << 12 | 31 << 2 | 1, 0x20), "");
    EXPECT_EQ(word(b, 0x2004), 0x10u);
    EXPECT_EQ(word(a, 0x3004), 0xFFFF'FFF0u);
    EXPECT_EQ(counters(a), (Counters{{0, 1}, {4, 1}, {6, 1}, {15, 1}}));
    EXPECT_EQ(counters(b), (Counters{{48, 1}, {52, 1}, {54, 1}}));
    // 8 bits, of another word than the result's.
    set_word(b, 0x200C, 0x1234'56F0);
    ASSERT_EQ(go(a, atomic | marked, 1 << 12 | 7 << 2 | 3, 0x20), "");
    EXPECT_EQ(word(b, 0x200C), 0x1234'5610u);
    EXPECT_EQ(word(a, 0x3004), 0x10u);
}

TEST_P(NocAtomics, AtomicPostedAndWithAnotherReturn) {
    set_word(b, 0x2000, 5);
    targ(a, 0x2000, b);
    ret(a, 0x3000, {0, 2});
    ASSERT_EQ(go(a, atomic, 1 << 12 | 31 << 2, 1), "");
    EXPECT_EQ(word(b, 0x2000), 6u);
    EXPECT_EQ(counters(a), (Counters{{4, 1}, {7, 1}}));
    EXPECT_EQ(counters(b), (Counters{{52, 1}, {55, 1}}));
    ret(a, 0x3000, c);
    ASSERT_EQ(go(a, atomic | marked, 1 << 12 | 31 << 2, 1), "");
    EXPECT_EQ(word(c, 0x3000), 6u);
    EXPECT_EQ(counters(c), (Counters{{0, 1}, {16 + 3, 255}}));
    EXPECT_EQ(counters(a).at(16 + 3), 1u);
}

TEST_P(NocAtomics, AtomicCompareAndSwap) {
    targ(a, 0x2008, b);
    ret(a, 0x3000, a);
    set_word(b, 0x2008, 5);
    ASSERT_EQ(go(a, atomic | marked, 4 << 12 | 9 << 6 | 5 << 2 | 2), "");
    EXPECT_EQ(word(b, 0x2008), 9u);
    EXPECT_EQ(word(a, 0x3000), 5u);
    set_word(b, 0x2008, 0x15);
    ASSERT_EQ(go(a, atomic | marked, 4 << 12 | 9 << 6 | 5 << 2 | 2), "");
    EXPECT_EQ(word(b, 0x2008), 0x15u);
}

TEST_P(NocAtomics, AtomicSwapMask) {
    for (unsigned i = 0; i < 4; ++i) set_word(b, 0x2000 + 4 * i, 0);
    targ(a, 0x2004, b);
    ASSERT_EQ(go(a, atomic, 3 << 12 | 0b1000'0110 << 2, 0xAABB'CCDD), "");
    EXPECT_EQ(word(b, 0x2000), 0xAABB'0000u);
    EXPECT_EQ(word(b, 0x2004), 0x0000'CCDDu);
    EXPECT_EQ(word(b, 0x2008), 0u);
    EXPECT_EQ(word(b, 0x200C), 0xAABB'0000u);
}

TEST_P(NocAtomics, AtomicSwapIndex) {
    targ(a, 0x2000, b);
    ret(a, 0x3000, a);
    const std::uint32_t before = word(b, 0x2000);
    ASSERT_EQ(go(a, atomic | marked, 6 << 12 | 1 << 2 | 2, 0x1111), "");
    EXPECT_EQ(word(b, 0x2008), 0x1111u);
    EXPECT_EQ(word(a, 0x3000), before);
    ASSERT_EQ(go(a, atomic | marked, 7 << 12 | 3 << 2, 0x2222), "");
    EXPECT_EQ(word(b, 0x200C), 0x2222u);
    expect_refused(a, atomic | marked, 6 << 12 | 2, "bit 2");
    expect_refused(a, atomic | marked, 2 << 12, "lists no atomic");
    if (!blackhole()) {  // bit 15 is ignored
        ASSERT_EQ(go(a, atomic | marked, 15 << 12 | 1 << 2, 0x3333), "");
        EXPECT_EQ(word(b, 0x2004), 0x3333u);
        return;
    }
    ASSERT_EQ(go(a, atomic | marked, 10 << 12 | 3 << 8 | 1, 0x3333), "");
    EXPECT_EQ(word(b, 0x2004), 0x3333u);
    expect_refused(a, atomic | marked, 15 << 12, "lists no atomic");
}

TEST_P(NocAtomics, AtomicZaamo) {
    targ(a, 0x2004, b);
    ret(a, 0x3000, a);
    if (!blackhole()) {
        expect_refused(a, atomic | marked, 10 << 12 | 1 << 11, "lists no atomic");
        return;
    }
    const std::uint32_t expected[] = {1, 0xFFFF'FFFD, 0xFFFF'FFFF, 2, 0xFFFF'FFFE, 3, 3, 0xFFFF'FFFE};
    for (unsigned Op = 0; Op < 8; ++Op) {
        set_word(b, 0x2004, 0xFFFF'FFFE);
        ASSERT_EQ(go(a, atomic | marked, 10 << 12 | 1 << 11 | Op << 8 | 1, 3), "");
        EXPECT_EQ(word(b, 0x2004), expected[Op]) << Op;
        EXPECT_EQ(word(a, 0x3000), 0xFFFF'FFFEu);
    }
}

TEST_P(NocAtomics, AtomicParallelAddition) {
    targ(a, 0x2004, b);
    ret(a, 0x3000, a);
    if (!blackhole()) {  // bit 15 is ignored: an increment of 1 bit
        set_word(b, 0x2000, 3);
        ASSERT_EQ(go(a, atomic, 9 << 12, 1), "");
        EXPECT_EQ(word(b, 0x2000), 2u);
        return;
    }
    const auto add = [&](std::uint32_t Fmt, std::array<std::uint32_t, 4> line, std::uint32_t data) {
        for (unsigned i = 0; i < 4; ++i) set_word(b, 0x2000 + 4 * i, line[i]);
        const std::string why = go(a, atomic, 9 << 12 | Fmt, data);
        std::array<std::uint32_t, 4> sums{};
        for (unsigned i = 0; i < 4; ++i) sums[i] = word(b, 0x2000 + 4 * i);
        return std::pair(why, sums);
    };
    using Result = std::pair<std::string, std::array<std::uint32_t, 4>>;
    const auto fp32 = [](float value) { return std::bit_cast<std::uint32_t>(value); };
    EXPECT_EQ(add(4, {1, 2, 3, 0xFFFF'FFFF}, 5), Result("", {6, 7, 8, 4}));
    EXPECT_EQ(add(13, {1, 2, 3, 0xFFFF'FFFF}, 5), Result("", {6, 7, 8, 4}));
    EXPECT_EQ(add(7, {0x80FF'01FE, 0, 0, 0}, 0x7F05'0505).second[0], 0xFFFF'06FFu);
    EXPECT_EQ(add(15, {0x80FF'01FE, 0, 0, 0}, 0x7F05'0505).second[0], 0xFF04'0603u);
    EXPECT_EQ(add(0, {fp32(1.5f), fp32(-3), 1, fp32(-0.25f)}, fp32(0.25f)),
              Result("", {fp32(1.75f), fp32(-2.75f), fp32(0.25f), 0}));
    EXPECT_EQ(add(10, {0x3F80'3F80, 0, 0, 0}, 0x4000'3F00).second[0], 0x4040'3FC0u);
    EXPECT_EQ(add(1, {0x3C00'3C00, 0, 0, 0}, 0x4000'3800).second[0], 0x4200'3E00u);
    EXPECT_NE(add(0, {fp32(1), 0, 0, 0}, fp32(1e-20f)).first, "");     // must be rounded
    EXPECT_NE(add(0, {fp32(3e38f), 0, 0, 0}, fp32(3e38f)).first, "");  // too large
    EXPECT_NE(add(0, {0x8000'0001, 0, 0, 0}, 0x8000'0000).first, "");  // zeros with signs
    EXPECT_NE(add(3, {}, 0).first, "");
    expect_refused(a, atomic | marked, 9 << 12 | 4, "undefined value");
}

TEST_P(NocAtomics, AtomicsAreForL1) {
    targ(a, 0xFFB2'0100, b);
    expect_refused(a, atomic, 1 << 12 | 31 << 2, "L1 only");
    address(a, 0x00, 0x40, blackhole() ? 18 | 13 << 6 : 16 | 18 << 6);
    expect_refused(a, atomic, 1 << 12 | 31 << 2, "L1 only");
    targ(a, 0x2002, b);
    expect_refused(a, atomic, 1 << 12 | 31 << 2, "multiple of 4");
    targ(a, 0x2000, b);
    ret(a, 0x3002, a);
    expect_refused(a, atomic | marked, 1 << 12 | 31 << 2, "word of L1");
}
INSTANTIATE_TEST_SUITE_P(Chips, NocAtomics, chips_and_nocs, chip_and_noc);

}  // namespace
}  // namespace tessera::test
