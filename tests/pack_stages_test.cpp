// SPDX-License-Identifier: Apache-2.0
// Packer stages other than conversions that round to nearest: sums in L1 and stochastic rounding against the reference,
// and the table GOLDEN_FACTS.
#include "formats/pack_stages.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <random>

#include "formats/layouts.hpp"
#include "reference/numerics.hpp"
#include "reference/pack_numerics.hpp"
#include "support/pack_cases.hpp"
#include "util/shift_register.hpp"

namespace tessera {
namespace {

using F = DataFormat;

std::uint32_t summed(F format, std::uint32_t l1, std::uint32_t x) {
    std::uint8_t here[16] = {}, line[16] = {};
    std::memcpy(here, &l1, 4);
    std::memcpy(line, &x, 4);
    formats::pack_accumulate(format)(line, here);
    std::uint32_t result;
    std::memcpy(&result, here, 4);
    return format == F::Float32 || format == F::Int32 ? result : result & 0xFFFF;
}

TEST(PackStages, SumsExistWhereTheReferenceHasThem) {
    for (unsigned format = 0; format < 16; ++format)
        EXPECT_EQ(formats::pack_accumulate(F(format)) != nullptr, reference::Accumulate(format, 0, 0).has_value())
            << format;
}

TEST(PackStages, SumsAsReference) {
    std::mt19937 random(20261120);
    for (const F format : {F::Float32, F::Float16, F::Float16_b, F::Int32}) {
        const bool wide = format == F::Float32 || format == F::Int32;
        for (unsigned i = 0; i < 300000; ++i) {
            std::uint32_t l1 = static_cast<std::uint32_t>(random()), x = static_cast<std::uint32_t>(random());
            // Neighbours, opposite signs and near exponents, where sums cancel or round.
            if (i % 3 == 0) x = l1 ^ (x & (wide ? 0x80000FFF : 0x800F));
            if (i % 3 == 1) x = (x & (wide ? 0x807FFFFF : 0x83FF)) | (l1 & (wide ? 0x7F800000 : 0x7C00));
            if (!wide) l1 &= 0xFFFF, x &= 0xFFFF;
            ASSERT_EQ(summed(format, l1, x), *reference::Accumulate(static_cast<std::uint32_t>(format), l1, x))
                << fmt::format("{} {:08x} + {:08x}", name(format), l1, x);
        }
    }
}

// In both orders.
TEST(PackStages, SumsOfSpecialNumbersWithEveryOtherAsReference) {
    const auto expect = [](F format, std::uint32_t l1, std::uint32_t x) {
        ASSERT_EQ(summed(format, l1, x), *reference::Accumulate(static_cast<std::uint32_t>(format), l1, x))
            << fmt::format("{} {:04x} + {:04x}", name(format), l1, x);
    };
    for (std::uint32_t any = 0; any < 0x10000 && !HasFatalFailure(); ++any) {
        for (const std::uint32_t special : {0x0080u, 0x7F7Fu, 0x7F80u, 0x7F81u, 0xFF81u}) {
            expect(F::Float16_b, special, any);
            expect(F::Float16_b, any, special);
        }
        for (const std::uint32_t special : {0x03FFu, 0x0400u, 0x7800u, 0x7FFFu, 0xFBFFu}) {
            expect(F::Float16, special, any);
            expect(F::Float16, any, special);
        }
    }
}

// "Packer L1 accumulation"
TEST(GoldenFacts, SumsInL1) {
    struct Sum {
        F format;
        std::uint32_t l1, x, expected;
    };
    constexpr Sum sums[] = {{F::Float16_b, 0x3F80, 0x3F80, 0x4000},
                            {F::Float16_b, 0x3F80, 0x3B80, 0x3F80},
                            {F::Float16_b, 0x7F7F, 0x7F7F, 0x7F80},
                            {F::Float16_b, 0x7F80, 0xFF80, 0x7FC0},
                            {F::Float16_b, 0x0040, 0x0040, 0x0000},
                            {F::Float16_b, 0x7FC0, 0x3F80, 0x7F80},
                            {F::Float16, 0x3C00, 0x3C00, 0x4000},
                            {F::Float16, 0x7BFF, 0x7BFF, 0x7FFF},
                            {F::Float16, 0x7FFF, 0x7FFF, 0x7FFF},
                            {F::Float16, 0x3C00, 0xBC00, 0x0000},
                            {F::Float16, 0x7800, 0xF800, 0x7FFF},
                            {F::Float16, 0x0400, 0x8401, 0xFFFF},
                            {F::Float16, 0x0001, 0x0001, 0x0000},
                            {F::Float32, 0x7F800000, 0xFF800000, 0x7FC00000},
                            {F::Float32, 0x3F800000, 0x33800000, 0x3F800000}};
    for (const Sum& sum : sums)
        EXPECT_EQ(summed(sum.format, sum.l1, sum.x), sum.expected)
            << fmt::format("{} {:x} + {:x}", name(sum.format), sum.l1, sum.x);
}

// Numerics 9: a NaN in L1 is a huge finite number, an incoming one a number with exponent 255; infinity exceeds both.
TEST(PackStages, SumsOfBf16WithInfinityAndNaN) {
    constexpr std::uint32_t infinity = 0x7F80, negative = 0x8000, nan = 0x7FC0, largest = 0x7F7F;
    EXPECT_EQ(summed(F::Float16_b, largest | negative, infinity), infinity);
    EXPECT_EQ(summed(F::Float16_b, largest, infinity | negative), infinity | negative);
    EXPECT_EQ(summed(F::Float16_b, nan, infinity | negative), infinity | negative);
    EXPECT_EQ(summed(F::Float16_b, nan | negative, infinity), infinity);
    EXPECT_EQ(summed(F::Float16_b, nan | negative, largest), infinity | negative);
    EXPECT_EQ(summed(F::Float16_b, infinity, nan | negative), infinity);
    // 1.5 * 2^128 - (2 - 2^-7) * 2^127
    EXPECT_EQ(summed(F::Float16_b, largest | negative, nan), 0x7F01u);
}

// Sign and magnitude (spec-notes E31).
TEST(PackStages, SumsOfIntegersSaturateAndZeroHasNoSign) {
    constexpr std::uint32_t negative = 0x80000000, largest = 0x7FFFFFFF;
    for (const std::uint32_t a : {0u, negative})
        for (const std::uint32_t b : {0u, negative}) EXPECT_EQ(summed(F::Int32, a, b), 0u) << a << ' ' << b;
    for (const std::uint32_t sign : {0u, negative}) {
        const std::uint32_t other = sign ^ negative;
        EXPECT_EQ(summed(F::Int32, sign | 5, other | 5), 0u);
        EXPECT_EQ(summed(F::Int32, sign | largest, other | largest), 0u);
        EXPECT_EQ(summed(F::Int32, sign | 5, other | 7), other | 2);
        EXPECT_EQ(summed(F::Int32, sign | (largest - 1), sign | 1), sign | largest);
        EXPECT_EQ(summed(F::Int32, sign | largest, sign | 1), sign | largest);
        EXPECT_EQ(summed(F::Int32, sign | largest, sign | largest), sign | largest);
        EXPECT_EQ(summed(F::Int32, sign | 3, negative), sign | 3);
        EXPECT_EQ(summed(F::Int32, negative, sign | 3), sign | 3);
    }
}

// FP32 to BF16 in two ways: as the reference, and as often up as the page's bias says.
TEST(PackStages, StochasticRoundingRoundsUpAsOftenAsItsBitsSay) {
    formats::EarlyConversion how;
    how.read_32b = true;
    how.intermediate = how.late_from = how.late_to = F::Float16_b;
    const auto early = formats::pack_early(how);
    ASSERT_TRUE(early && early->random);
    constexpr std::uint32_t below = 0x3F80, n = 16384;
    for (const std::uint32_t dropped : {0x0000u, 0x4000u, 0x8000u, 0xC000u, 0xFFFFu}) {
        std::uint32_t generator = 0x12345678, up = 0;
        for (std::uint32_t i = 0; i < n; ++i) {
            const std::uint32_t in = below << 16 | dropped;
            std::uint32_t out;
            early->random(&in, &out, 1, 0, generator);
            ASSERT_TRUE(out == below || out == below + 1);
            up += out - below;
        }
        EXPECT_NEAR(up, n * (dropped + 1.0) / 0x10000, n / 50.0) << dropped;
    }
}

TEST(PackStages, StochasticRoundingLeavesInfinityAndFlushesDenormals) {
    formats::EarlyConversion how;
    how.read_32b = true;
    how.intermediate = how.late_from = how.late_to = F::Float16_b;
    const auto early = formats::pack_early(how);
    ASSERT_TRUE(early && early->random);
    std::uint32_t generator = 1;
    for (unsigned i = 0; i < 100000; ++i) {
        const std::uint32_t in[] = {0x7F800000, 0xFF812345, 0x00400000, 0x80000000};
        std::uint32_t out[4];
        early->random(in, out, 4, 0, generator);
        ASSERT_EQ(out[0], 0x7F80u);
        ASSERT_EQ(out[1], 0xFF80u);
        ASSERT_EQ(out[2], 0u);
        ASSERT_EQ(out[3], 0u);
    }
}

// The two generators of the two implementations are one.
TEST(PackStages, StochasticBlocksAsReference) {
    const auto late = formats::pack_late(formats::PackType::bf16, F::Bfp8_b, false);
    ASSERT_TRUE(late && late->random);
    std::mt19937 random(7);
    std::uint32_t generator = 0;
    reference::Random other;
    for (unsigned n = 0; n < 20000; ++n) {
        std::uint16_t in[16];
        std::array<std::uint32_t, 16> words{};
        for (unsigned i = 0; i < 16; ++i)
            words[i] = in[i] = static_cast<std::uint16_t>((random() & 0x80FF) | 0x3C00 | (random() & 0x380));
        std::uint8_t out[16];
        const unsigned exponent = late->random(in, out, generator);
        const auto expected = reference::AssembleBFP(words, 8, &other);
        ASSERT_EQ(exponent, expected.Exponent);
        for (unsigned i = 0; i < 16; ++i) ASSERT_EQ(out[i], expected.Datums[i]);
    }
    EXPECT_EQ(generator, other.State);
}

// From distance 8 on nothing of a datum remains, whatever the random bits.
TEST(PackStages, StochasticBlocksAtEveryDistanceAsReference) {
    std::mt19937 random(8);
    for (const F format : {F::Bfp8_b, F::Bfp4_b, F::Bfp2_b}) {
        const auto late = formats::pack_late(formats::PackType::bf16, format, false);
        ASSERT_TRUE(late && late->random);
        const unsigned bits = late->datum_bits;
        std::uint32_t generator = 1;
        reference::Random other{1};
        for (unsigned n = 0; n < 5000; ++n) {
            std::uint16_t in[16];
            std::array<std::uint32_t, 16> words{};
            for (unsigned i = 0; i < 16; ++i) {
                const unsigned exponent = 100 - (i ? (n + i) % 20 : 0);  // of the block: 100
                words[i] = in[i] = static_cast<std::uint16_t>((random() & 0x807F) | exponent << 7);
            }
            std::uint8_t out[16] = {};
            ASSERT_EQ(late->random(in, out, generator), 100u);
            const auto expected = reference::AssembleBFP(words, bits, &other);
            for (unsigned i = 0; i < 16; ++i)
                ASSERT_EQ(out[i * bits / 8] >> i * bits % 8 & ((1u << bits) - 1), expected.Datums[i])
                    << name(format) << ", datum " << i;
        }
        EXPECT_EQ(generator, other.State);
    }
}

// The dropped bits are those that the generator gives next, one more or one less; exponents at the ends and between.
TEST(PackStages, StochasticEarlyConversionsAsReference) {
    using test::pack_case;
    const test::PackCase cases[] = {pack_case({.wide = true}, F::Tf32, F::Tf32),
                                    pack_case({.wide = true}, F::Float16_b, F::Float16_b),
                                    pack_case({.wide = true}, F::Bfp8_b, F::Float16_b),
                                    pack_case({}, F::Bfp8_b, F::Float16_b),
                                    pack_case({}, F::Bfp8, F::Float16),
                                    pack_case({.wide = true}, F::Int8, F::Int8),
                                    pack_case({.wide = true, .is_unsigned = true}, F::Int8, F::Int8)};
    std::mt19937 random(35);
    const auto word = [&] { return static_cast<std::uint32_t>(random()); };
    for (const test::PackCase& c : cases) {
        const auto loops = test::pack_loops(c);
        ASSERT_TRUE(loops && loops->early.random) << c.describe();
        const bool integer = c.early.intermediate == F::Int8;
        for (unsigned i = 0; i < 60000; ++i) {
            std::uint32_t generator = word();
            reference::Random other{generator};
            auto how = c.reference();
            how.EarlyRandom = &other;
            how.ShiftAmount = integer ? i % 32 : 0;
            std::uint32_t x = word();
            if (c.early.read_32b) {
                const unsigned dropped = integer ? how.ShiftAmount : c.early.intermediate == F::Tf32 ? 13 : 16;
                const std::uint32_t mask = (1u << dropped) - 1;
                const std::uint32_t next = dropped ? next_random(generator) >> (32 - dropped) : 0;
                if (integer)
                    x = (x & 0x80000000) | ((word() % 300 << dropped) & 0x7FFFFFFF);  // on both sides of the largest
                else if (i % 4 == 0)
                    x = (x & 0x80000000) | (i % 8 ? 0x00800000 : 0x7F800000) | (word() % 3 << dropped);
                x = (x & ~mask) | ((next + i % 3 - 1) & mask);
            }
            const std::uint32_t stored = c.early.read_32b ? reference::WriteDstFP32(x)
                                         : c.early.intermediate == F::Bfp8 ? reference::WriteDstFP16(x & 0xFFFF)
                                                                           : reference::WriteDstBF16(x & 0xFFFF);
            const std::uint32_t in = test::plain_datum(stored, c.early.read_32b);
            std::uint32_t datum = 0;
            std::uint8_t bytes[4] = {};
            loops->early.random(&in, &datum, 1, how.ShiftAmount, generator);
            loops->late.convert(&datum, bytes, 1);
            const auto expected = reference::LateFormatConversion(how, *reference::EarlyFormatConversion(how, stored));
            ASSERT_EQ(test::from_bytes(bytes, loops->late.word_bytes), *expected)
                << fmt::format("{}: {:08x}, shift {}", c.describe(), stored, how.ShiftAmount);
            ASSERT_EQ(generator, other.State) << c.describe();
        }
    }
}

// Packers, Format conversion, second table; if both formats are integers the datum becomes the intermediate one
// (spec-notes E33).
TEST(PackStages, DatumsFromL1AndTheirExponentsAsReference) {
    for (unsigned format = 0; format < 16; ++format)
        for (unsigned intermediate = 0; intermediate < 16; ++intermediate) {
            SCOPED_TRACE(fmt::format("{}, intermediate {}", name(F(format)), name(F(intermediate))));
            reference::Conversions how;
            how.LateFromFormat = format;
            how.IntermediateFormat = intermediate;
            const auto units = formats::pack_from_l1(F(format), F(intermediate));
            auto probe = how;
            ASSERT_EQ(units.has_value(), reference::FromL1(probe, 0).has_value());
            if (!units) continue;
            ASSERT_EQ(units->bytes, reference::BytesPerDatum(format));
            const auto exponents = formats::pack_exponents(units->type);
            const std::uint32_t patterns = units->bytes == 1 ? 0x100 : 0x10000;
            for (std::uint32_t i = 0; i < patterns; ++i) {
                const std::uint32_t x = units->bytes == 4 ? i * 0x9E3779B1 : i;
                auto from = how;
                const auto datum = *reference::FromL1(from, x);
                std::uint8_t bytes[4];
                std::memcpy(bytes, &x, 4);
                std::uint32_t got = 0, exponent = 0;
                units->convert(bytes, &got, 1);
                // Numbers with an exponent of 5 bits are held as an FP16.
                const unsigned places = datum.ExpBits == 5 ? 10 - datum.ManBits : 0;
                const std::uint32_t number = (datum.Sign << datum.ExpBits | datum.Exp) << datum.ManBits | datum.Man;
                ASSERT_EQ(got, datum.ExpBits ? number << places : datum.Integer) << fmt::format("{:x}", x);
                const auto expected = reference::HistogramExponent(from, datum);
                ASSERT_EQ(exponents != nullptr, expected.has_value());
                if (!exponents) continue;
                exponents(&got, &exponent, 1);
                ASSERT_EQ(exponent, *expected) << fmt::format("{:x}", x);
            }
        }
}

}  // namespace
}  // namespace tessera
