// SPDX-License-Identifier: Apache-2.0
// MOVB2D in every pair of formats: the units against the reference, and against the rule of which bits of SrcB reach Dst
// (MOVB2D, Functional model; spec-notes E1, E5).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "reference/matrix.hpp"
#include "support/reference_pair.hpp"

namespace tessera {
namespace {

using registers::field;
using state::Src;
using state::Storage;

constexpr unsigned thread = 1, rows = 64, moved_rows = 4;
constexpr std::uint32_t fp16 = 1, tf32 = 4;

bool five_bits_of_exponent(std::uint32_t format) {
    constexpr std::uint32_t eight[] = {0, 4, 5, 6, 7, 8, 9, 15};  // MOVA2D, Functional model
    return std::find(std::begin(eight), std::end(eight), format) == std::end(eight);
}

/// A datum of SrcB or Dst by its fields.
struct Fields {
    std::uint32_t sign, mantissa, exponent;
};
Fields of_source(std::uint32_t stored) { return {stored >> 18, stored >> 8 & 0x3FF, stored & 0xFF}; }

// The bits of a datum that move. SrcB's format selects them: TF32 all, FP16 five of the exponent, other formats seven
// of the mantissa. If both formats have five exponent bits and neither is FP16, all bits that Dst accepts move.
Fields moved(Fields x, std::uint32_t a, std::uint32_t b, bool flush) {
    if (flush && x.exponent == 0) return {0, 0, 0};
    const bool both_narrow = five_bits_of_exponent(a) && five_bits_of_exponent(b) && a != fp16 && b != fp16;
    if (b == fp16)
        x.exponent &= 0x1F;
    else if (b != tf32 && !both_narrow)
        x.mantissa &= ~7u;
    return x;
}

/// As Dst stores it; of TF32 32 bits, whose low half is eight rows further.
struct InDst {
    std::uint32_t high, low;
};
InDst in_dst(const Fields& x, std::uint32_t a) {
    if (five_bits_of_exponent(a)) return {x.sign << 15 | x.mantissa << 5 | (x.exponent & 0x1F), 0};
    return {x.sign << 15 | x.mantissa >> 3 << 8 | x.exponent, (x.mantissa & 7) << 13};
}
unsigned high_row(unsigned row, bool wide) { return wide ? (row & 0x1F8) << 1 | (row & 0x207) : row; }

class Movb2d : public testing::TestWithParam<Arch> {
protected:
    // Each exponent with four mantissas, whose low bits are in one of them all there, and both signs.
    void fill_source() {
        for (unsigned i = 0; i < rows * 16; ++i) {
            const std::uint32_t mantissa = i % 4 == 0 ? 0x3FF : i % 4 == 1 ? 0x007 : pair_.choice.below(1024);
            const std::uint32_t sign = pair_.choice.below(2);
            pair_.write(Storage::src_b, i, sign << 18 | mantissa << 8 | i / 4);
        }
    }

    // How the formats come about: by configuration, or on Blackhole by the bank, then for both alike.
    void set_formats(std::uint32_t a, std::uint32_t b, bool implied, bool flush) {
        pair_.write(thread, field("DISABLE_IMPLIED_SRCA_FMT_Base"), !implied);
        pair_.write(thread, field("DISABLE_IMPLIED_SRCB_FMT_Base"), !implied);
        pair_.write(state::cells::implied_format(Src::b, 0), implied ? b : 5);
        pair_.write(thread, field("ALU_FORMAT_SPEC_REG0_SrcA"), implied ? 5 : a);
        pair_.write(thread, field("ALU_FORMAT_SPEC_REG1_SrcB"), implied ? 5 : b);
        pair_.write(thread, field("ALU_ACC_CTRL_Zero_Flag_disabled_src"), !flush);
    }

    void expect_moved(std::uint32_t a, std::uint32_t b, bool flush) {
        const auto read = [&](Storage storage, unsigned row, unsigned column) {
            return static_cast<std::uint32_t>(state::read(pair_.state(), storage, row * 16 + column));
        };
        const bool wide = a == tf32;
        for (unsigned row = 0; row < rows; row += moved_rows) {
            pair_.run(thread, word(row), reference::movb2d, false);
            for (unsigned r = row; r < row + moved_rows; ++r)
                for (unsigned column = 0; column < 16; ++column) {
                    const std::uint32_t source = read(Storage::src_b, r, column);
                    const InDst expected = in_dst(moved(of_source(source), a, b, flush), a);
                    const unsigned to = high_row(r, wide);
                    ASSERT_EQ(read(Storage::dst, to, column), expected.high)
                        << fmt::format("{:05x}, SrcA {}, SrcB {}{}", source, a, b, flush ? ", flushed" : "");
                    if (wide) {
                        ASSERT_EQ(read(Storage::dst, to + 8, column), expected.low)
                            << fmt::format("{:05x}, SrcB {}, low half", source, b);
                    }
                }
        }
    }

    static std::uint32_t word(unsigned row) {
        const unsigned mode = GetParam() == Arch::blackhole ? 11 : 12;
        return 0x13000000 | row << 17 | 4u << mode | row;
    }

    test::ReferencePair pair_{GetParam(), 0x4D4F5642};
};

TEST_P(Movb2d, EveryPairOfFormatsAsTheRuleAndTheReference) {
    fill_source();
    for (std::uint32_t a = 0; a < 16; ++a)
        for (std::uint32_t b = 0; b < 16; ++b)
            for (const bool flush : {false, true}) {
                if (a == 12 || a == 13) continue;  // no formats, and the reference has nothing for them
                set_formats(a, b, false, flush);
                expect_moved(a, b, flush);
                if (HasFatalFailure() || pair_.hopeless()) return;
            }
    EXPECT_EQ(pair_.differences, 0u);
}

/// Only Blackhole's banks imply formats.
class Movb2dOfImpliedFormats : public Movb2d {};

TEST_P(Movb2dOfImpliedFormats, FormatsThatTheBankImplies) {
    fill_source();
    for (std::uint32_t format = 0; format < 16; ++format) {
        if (format == 12 || format == 13) continue;
        set_formats(format, format, true, true);
        expect_moved(format, format, true);
        if (HasFatalFailure()) return;
    }
    EXPECT_EQ(pair_.differences, 0u);
}

INSTANTIATE_TEST_SUITE_P(Archs, Movb2dOfImpliedFormats, testing::Values(Arch::blackhole),
                         [](const auto& arch) { return std::string(name(arch.param)); });
INSTANTIATE_TEST_SUITE_P(Archs, Movb2d, testing::ValuesIn(all_archs),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera
