// SPDX-License-Identifier: Apache-2.0
// Results of the reference's vector unit against statements and tables of the pages and of docs/internals/numerics.md.
#include <bit>
#include <cmath>

#include "support/vector_bench.hpp"

namespace tessera::test {
namespace {

constexpr std::uint32_t one = 0x3F800000;

float as_float(std::uint32_t x) { return std::bit_cast<float>(x); }
std::uint32_t bits(double x) { return std::bit_cast<std::uint32_t>(static_cast<float>(x)); }

class VectorValues : public OnVectorBench {
protected:
    std::uint32_t mad(std::uint32_t x, std::uint32_t y, std::uint32_t z, std::uint32_t mod = 0) {
        bench.fill(0, x);
        bench.fill(1, y);
        bench.fill(2, z);
        bench.run(vector_word(opcode::sfpmad, {0, 1, 2, 3, mod}));
        return bench.lane(3, 31);
    }
    std::uint32_t of_one(std::uint32_t word, std::uint32_t c) {
        bench.fill(1, c);
        bench.run(word);
        return bench.lane(2, 17);
    }
};

// Observed in the vendor's simulator, which says of itself that it is exact (docs/internals/numerics.md 8).
TEST_P(VectorValues, PartiallyFusedMultiplyAdd) {
    struct Line {
        std::uint32_t x, y, z, blackhole, wormhole;
    };
    constexpr Line lines[] = {
        {0x3F800000, 0x3F800000, 0x33800000, 0x3F800000, 0x3F800000},
        {0x3F800001, 0x3F800001, 0, 0x3F800002, 0x3F800002},
        {0x7F800000, 0, 0, 0x7FC00000, 0x7F800001},
        {0x7F7FFFFF, 0x40000000, 0, 0x7F800000, 0x7F800000},
        {0x00400000, 0x3F800000, 0x3F800000, 0x3F800000, 0x3F800000},
        {0x00800000, 0x3F000000, 0, 0, 0},
        {0x80800000, 0x3F000000, 0, 0x80000000, 0},
        {0x3F800000, 0x3F800000, 0xBF800000, 0, 0},
        {0x7F800000, 0x3F800000, 0xFF800000, 0x7FC00000, 0x7F800001},
        {0x80000000, 0x3F800000, 0x80000000, 0x80000000, 0},
        {0x80000000, 0x3F800000, 0, 0, 0},
        {0x00FFFFFF, 0x3F7FFFFF, 0, 0x00FFFFFE, 0x00FFFFFE},
        {0x7FC12345, 0x3F800000, 0x3F800000, 0x7FC00000, 0x7F800001},
        {0x3F800000, 0x3F800000, 0xFFC00001, 0x7FC00000, 0xFF800001},
        {0x7F7FFFFF, 0x40000000, 0xFF7FFFFF, 0x7F800000, 0x7F800000},
        {0xFF910FB3, 0x00DE5E45, 0x4CC4126E, 0x7FC00000, 0xFFC4126D},
        {0x48360D31, 0xFE2E90EE, 0x7F800000, 0x7F800000, 0xFFF09021},
    };
    for (const Line& l : lines)
        EXPECT_EQ(mad(l.x, l.y, l.z), bench.blackhole() ? l.blackhole : l.wormhole) << std::hex << l.x << " " << l.y;
}

// docs/internals/numerics.md 8: what shifting drops is noted while something remains; Blackhole shifts a result below 2^-126 by one
// place, so that the largest of them round up, where Wormhole drops them all.
TEST_P(VectorValues, GuardBitsOfTheMultiplyAdd) {
    EXPECT_EQ(mad(0x3F800001, 0x33800000, one), 0x3F800001u);  // 2^-24 and a little
    EXPECT_EQ(mad(0x3F800000, 0x33800000, one), one);
    EXPECT_EQ(mad(0x00FFFFFF, 0x3F000000, 0), bench.blackhole() ? 0x00800000u : 0u);
    EXPECT_EQ(mad(0x00FFFFFE, 0x3F000000, 0), 0u);
    EXPECT_EQ(mad(0x00FFFFFF, 0x3E800000, 0), 0u);
}

// SFPMAD: NEGATE_VA is 1, NEGATE_VC 2, on Blackhole alone; INDIRECT_VA 4 and INDIRECT_VD 8 take LReg7's low four bits.
TEST_P(VectorValues, ModifiersOfSfpmad) {
    const bool bh = bench.blackhole();
    EXPECT_EQ(mad(bits(3), bits(5), bits(7), 1), bits(bh ? -8 : 22));
    EXPECT_EQ(mad(bits(3), bits(5), bits(7), 2), bits(bh ? 8 : 22));
    EXPECT_EQ(mad(bits(3), bits(5), bits(7), 3), bits(bh ? -22 : 22));
    for (std::uint32_t n = 0; n < 32; ++n) bench.set(7, n, 0xFFFFFFF0 | (n % 2 ? 1 : 4));
    bench.fill(4, bits(10));
    bench.fill(5, 0);
    bench.run(vector_word(opcode::sfpmad, {0, 1, 2, 5, 4}));
    EXPECT_EQ(bench.lane(5, 0), bits(57));
    EXPECT_EQ(bench.lane(5, 1), bits(32));
    bench.run(vector_word(opcode::sfpmad, {0, 0, 2, 5, 8}));
    EXPECT_EQ(bench.lane(4, 0), bits(16));
    EXPECT_EQ(bench.lane(1, 1), bits(16));
    EXPECT_EQ(bench.lane(5, 0), bits(57));
}

TEST_P(VectorValues, ImmediatesAreBf16) {
    bench.fill(3, bits(1.5));
    bench.run(vector_immediate16(opcode::sfpaddi, 0xC020, 3, 0));  // -2.5
    EXPECT_EQ(bench.lane(3, 9), bits(-1));
    bench.run(vector_immediate16(opcode::sfpmuli, 0xC020, 3, 0));
    EXPECT_EQ(bench.lane(3, 9), bits(2.5));
    bench.run(vector_immediate16(opcode::sfpmuli, 0x3F80, 3, 2));  // NEGATE_VC
    EXPECT_EQ(bench.lane(3, 9), bits(bench.blackhole() ? -2.5 : 2.5));
}

// SFPLUT, the table of the 256 values of Lut8ToFp32; with LReg3 = 0 the result is the offset.
TEST_P(VectorValues, EightBitCoefficients) {
    bench.fill(3, 0);
    for (std::uint32_t x = 0; x < 256; ++x) {
        bench.fill(0, x);
        bench.run(exchange_word(opcode::sfplut, 5, 0, 0));
        const double magnitude = (1 + (x & 15) / 16.0) * std::ldexp(1.0, -static_cast<int>(x >> 4 & 7));
        EXPECT_EQ(bench.lane(5, 3), x == 0xFF ? 0 : bits(x & 0x80 ? -magnitude : magnitude)) << x;
    }
}

// SFPLUT's table of input ranges; slope in bits 15 to 8; SGN_RETAIN.
TEST_P(VectorValues, RangesOfSfplut) {
    bench.fill(0, 0x0010);  // 1 * x + 0.5
    bench.fill(1, 0x1010);  // x / 2 + 0.5
    bench.fill(2, 0x2010);  // x / 4 + 0.5
    const auto result = [&](double x, std::uint32_t mod0) {
        bench.fill(3, bits(x));
        bench.run(exchange_word(opcode::sfplut, 6, mod0, 0));
        return bench.lane(6, 12);
    };
    for (double x : {0.0, 0.75, 0x1.FFFFFEp-1}) EXPECT_EQ(result(-x, 0), bits(static_cast<float>(x + 0.5))) << x;
    for (double x : {1.0, 1.5}) EXPECT_EQ(result(-x, 4), bits(-(x / 2 + 0.5))) << x;
    for (double x : {2.0, 1000.0}) EXPECT_EQ(result(x, 4), bits(x / 4 + 0.5)) << x;
}

// SFPLUTFP32, its four tables: which coefficients a magnitude takes.
TEST_P(VectorValues, RangesOfSfplutfp32) {
    enum { fp32_3 = 0, fp16_6_1 = 2, fp16_6_2 = 3, fp16_3 = 10 };
    struct Line {
        double from;
        int entry[4];  // of the modes below
    };
    constexpr Line lines[] = {{0, {0, 0, 0, 0}}, {0.5, {0, 1, 1, 0}}, {1, {1, 2, 2, 1}}, {1.5, {1, 3, 3, 1}},
                              {2, {2, 4, 4, 2}}, {3, {2, 5, 4, 2}},   {4, {2, 5, 5, 2}}, {1e30, {2, 5, 5, 2}}};
    constexpr std::uint32_t modes[] = {fp32_3, fp16_6_1, fp16_6_2, fp16_3}, fp16_one = 0x3C00, zero_fp16 = 0x7C00;
    for (std::size_t m = 0; m < 4; ++m) {
        // Slopes are 0, entry i has the offset 2^i.
        for (std::uint32_t i = 0; i < 3; ++i) {
            const std::uint32_t low = fp16_one + (2 * i << 10), high = fp16_one + ((2 * i + 1) << 10);
            bench.fill(i, modes[m] == fp32_3   ? 0
                          : modes[m] == fp16_3 ? zero_fp16 << 16 | (fp16_one + (i << 10))
                                               : zero_fp16 << 16 | zero_fp16);
            bench.fill(4 + i, modes[m] == fp32_3 ? bits(std::ldexp(1.0, static_cast<int>(i))) : high << 16 | low);
        }
        bench.fill(7, 7);  // the three-entry table of FP16 writes to the register that LReg7 names
        for (std::size_t l = 0; l < std::size(lines); ++l)
            for (double x :
                 {lines[l].from,
                  l + 1 < std::size(lines) ? std::nextafter(static_cast<float>(lines[l + 1].from), 0.0f) : 2e30}) {
                bench.fill(3, bits(-x));
                bench.run(vector_word(opcode::sfplutfp32, {0, 0, 0, 7, modes[m]}));
                EXPECT_EQ(bench.lane(7, 5), bits(std::ldexp(1.0, lines[l].entry[m])))
                    << "mode " << modes[m] << " " << x;
                bench.fill(7, 7);
            }
    }
}

// SFPLUTFP32, the table of Lut16ToFp32: exponent 31 is zero, exponent 0 is a number as any other.
TEST_P(VectorValues, SixteenBitCoefficients) {
    bench.fill(3, 0);
    for (std::uint32_t x = 0; x < 0x10000; x += 37) {
        bench.fill(0, 0);
        bench.fill(4, x);
        bench.run(vector_word(opcode::sfplutfp32, {0, 0, 0, 5, 2}));
        const std::uint32_t exponent = x >> 10 & 31;
        const double magnitude =
            exponent == 31 ? 0 : (1 + (x & 1023) / 1024.0) * std::ldexp(1.0, static_cast<int>(exponent) - 15);
        EXPECT_EQ(as_float(bench.lane(5, 8)), static_cast<float>(x >> 15 ? -magnitude : magnitude)) << x;
    }
}

TEST_P(VectorValues, RandomBits) {
    constexpr std::uint32_t lines[][2] = {
        {0, 0x80000000}, {1, 0}, {0x80000000, 0x40000000}, {0xDEADBEEF, 0xEF56DF77}, {0x00200003, 0x00100001}};
    for (const auto& [before, after] : lines) {
        bench.state().write(state::cells::prng_block[4], before);
        bench.run(vector_word(opcode::sfpmov, {0, 0, 9, 2, 8}));
        EXPECT_EQ(bench.lane(2, 4), before);
        EXPECT_EQ(bench.state()[state::cells::prng_block[4]], after);
    }
}

TEST_P(VectorValues, Casts) {
    const auto cast = [&](std::uint32_t mod) { return vector_word(opcode::sfpcast, {0, 0, 1, 2, mod}); };
    constexpr std::uint32_t to_float[][2] = {{1, one},
                                             {0x80000001, 0xBF800000},
                                             {0x80000000, 0x80000000},
                                             {0x7FFFFFFF, 0x4F000000},
                                             {0x01000001, 0x4B800000},
                                             {0x01000003, 0x4B800002}};
    for (const auto& [from, to] : to_float) EXPECT_EQ(of_one(cast(0), from), to) << std::hex << from;
    // Exact up to 2^24.
    for (std::uint32_t x : {2u, 3u, 12345u, 0xFFFFFFu, 0x1000000u})
        EXPECT_EQ(as_float(of_one(cast(0), x)), static_cast<float>(x));
    if (!bench.blackhole()) {
        EXPECT_EQ(of_one(cast(2), 5), bits(5));  // the low bit alone counts
        return;
    }
    constexpr std::uint32_t integers[][3] = {{5, 5, 5},
                                             {0xFFFFFFFB, 5, 0x80000005},
                                             {0x80000000, 0x80000000, 0x80000000},
                                             {0x80000005, 0x7FFFFFFB, 0xFFFFFFFB}};
    for (const auto& [x, magnitude, other] : integers) {
        EXPECT_EQ(of_one(cast(2), x), magnitude) << std::hex << x;
        EXPECT_EQ(of_one(cast(3), x), other) << std::hex << x;
    }
}

TEST_P(VectorValues, Rounding) {
    const auto round = [&](std::uint32_t mod, std::uint32_t mode) {
        return vector_word(opcode::sfp_stoch_rnd, {mode << 5, 0, 1, 2, mod});
    };
    constexpr std::uint32_t lines[][3] = {{1, 0x3F808000, 0x3F810000}, {1, 0x3F807FFF, 0x3F800000},
                                          {1, 0x7F7FFFFF, 0x7F800000}, {1, 0x007FFFFF, 0},
                                          {1, 0xFFC00000, 0xFF800000}, {7, 0x3F000000, 1},
                                          {7, 0x3EFFFFFF, 0},          {3, 0xC2FF0000, 0x8000007F},
                                          {6, 0x47000000, 0x8000},     {2, 0xBF800000, 1}};
    for (const auto& [mod, from, to] : lines)
        EXPECT_EQ(of_one(round(mod, 0), from), to) << mod << std::hex << " " << from;
    if (!bench.blackhole()) return;
    // To zero: three numbers between 0.5 and 2 go the other way, by a bug.
    for (double x : {0.9999998807907, 0.9999999403954, 1.999999880791})
        EXPECT_EQ(of_one(round(7, 2), bits(x)), static_cast<std::uint32_t>(std::ceil(x))) << x;
    for (double x : {0.5, 0.99, 0.9999997, 1.0, 1.5, 1.9999997})
        EXPECT_EQ(of_one(round(7, 2), bits(x)), static_cast<std::uint32_t>(x)) << x;
}

// Integers are shifted by an immediate or a register, and bounded.
TEST_P(VectorValues, IntegersAreShiftedAndBounded) {
    const auto shift = [&](std::uint32_t mod, std::uint32_t imm5) {
        return vector_word(opcode::sfp_stoch_rnd, {imm5, 4, 1, 2, mod});
    };
    bench.fill(4, 35);  // 3, modulo 32
    for (std::uint32_t by_immediate : {0u, 8u}) {
        EXPECT_EQ(of_one(shift(5 | by_immediate, 3), 0x80000050), 0x8000000A);
        EXPECT_EQ(of_one(shift(5 | by_immediate, 3), 0x80000054), 0x8000000B);
        EXPECT_EQ(of_one(shift(5 | by_immediate, 3), 0x80000003), 0);
        EXPECT_EQ(of_one(shift(5 | by_immediate, 3), 0x00001000), 127);
        EXPECT_EQ(of_one(shift(4 | by_immediate, 3), 0x80001000), 255);
    }
}

// The generator steps in every enabled lane, in every rounding mode (spec-notes V34).
TEST_P(VectorValues, RoundingStepsTheGenerators) {
    for (std::uint32_t mode = 0; mode < (bench.blackhole() ? 4 : 2); ++mode) {
        for (unsigned n = 0; n < 32; ++n) bench.state().write(state::cells::prng_block[n], 1);
        bench.set_flags(0x0000FFFF);
        bench.run(vector_word(opcode::sfp_stoch_rnd, {mode << 5, 0, 1, 2, 1}));
        EXPECT_EQ(bench.state()[state::cells::prng_block[15]], 0u);
        EXPECT_EQ(bench.state()[state::cells::prng_block[16]], 1u);
    }
}

// Vector Unit, FP32 field manipulation instructions.
TEST_P(VectorValues, FieldsOfNumbers) {
    const auto op = [&](std::uint32_t opcode, std::uint32_t imm, std::uint32_t mod, std::uint32_t c) {
        bench.fill(2, 0x8543210F);  // VD: sign, exponent 10, mantissa 0x43210F
        return of_one(vector_immediate(opcode, imm, {0, 0, 1, 2, mod}), c);
    };
    constexpr std::uint32_t divp2 = 0x76, exexp = 0x77, exman = 0x78, setexp = 0x82, setman = 0x83, setsgn = 0x89;
    EXPECT_EQ(op(divp2, 0xFF, 1, 0x40490FDB), 0x3FC90FDBu);
    EXPECT_EQ(op(divp2, 0x80, 1, 0xC0490FDB), 0x80490FDBu);  // wraps
    EXPECT_EQ(op(divp2, 1, 1, 0xFF800000), 0xFF800000u);     // infinities and NaNs stay
    EXPECT_EQ(op(divp2, 1, 0, 0xFF812345), 0x80812345u);
    EXPECT_EQ(op(exexp, 0, 0, 0x40490FDB), 1u);
    EXPECT_EQ(op(exexp, 0, 0, 0x3F000000), 0xFFFFFFFFu);
    EXPECT_EQ(op(exexp, 0, 1, 0x40490FDB), 128u);
    EXPECT_EQ(op(exman, 0, 0, 0xC0490FDB), 0x00C90FDBu);
    EXPECT_EQ(op(exman, 0, 1, 0xC0490FDB), 0x00490FDBu);
    EXPECT_EQ(op(setexp, 0x7F, 1, 0xC0490FDB), 0xBFC90FDBu);
    EXPECT_EQ(op(setexp, 0x7F, 2, 0xC0490FDB), 0x85490FDBu);
    EXPECT_EQ(op(setexp, 0x7F, 0, 0xC0490FDB), 0x87C90FDBu);
    EXPECT_EQ(op(setman, 0x801, 1, 0xC0490FDB), 0xC0400800u);
    EXPECT_EQ(op(setman, 0, 0, 0xC0490FDB), 0xC043210Fu);
    EXPECT_EQ(op(setsgn, 0, 1, 0xC0490FDB), 0x40490FDBu);
    EXPECT_EQ(op(setsgn, 0, 0, 0x40490FDB), 0xC0490FDBu);
}

// SFPABS: negative infinity is not a NaN (spec-notes V37).
TEST_P(VectorValues, AbsoluteValues) {
    const std::uint32_t as_fp32 = vector_word(opcode::sfpabs, {0, 0, 1, 2, 1}),
                        as_integer = vector_word(opcode::sfpabs, {0, 0, 1, 2, 0});
    EXPECT_EQ(of_one(as_fp32, 0xFF800000), 0x7F800000u);
    EXPECT_EQ(of_one(as_fp32, 0xFF800001), 0xFF800001u);
    EXPECT_EQ(of_one(as_fp32, 0x80000000), 0u);
    EXPECT_EQ(of_one(as_integer, 0xFFFFFFFF), 1u);
    EXPECT_EQ(of_one(as_integer, 0x80000000), 0x80000000u);
}

INSTANTIATE_TEST_SUITE_P(Archs, VectorValues, testing::ValuesIn(all_archs),
                         [](const auto& arch) { return std::string(name(arch.param)); });

// SFPARECIP, Approximation accuracy; and examples from the vendor's simulator.
class Reciprocals : public testing::Test {
protected:
    VectorBench bench{Arch::blackhole};
    std::uint32_t approximate(std::uint32_t mod, std::uint32_t x) {
        bench.fill(1, x);
        bench.run(vector_word(opcode::sfparecip, {0, 3, 1, 2, mod}));
        return bench.lane(2, 30);
    }
};

TEST_F(Reciprocals, AreWithinTheirAccuracy) {
    EXPECT_EQ(as_float(approximate(0, one)), 0.99609375f);
    for (std::uint32_t upper = 0x0080; upper < 0x7E80; ++upper)
        for (std::uint32_t lower : {0u, 0xFFFFu}) {
            const double x = as_float(upper << 16 | lower), y = as_float(approximate(0, upper << 16 | lower));
            ASSERT_GT(y, 0.9944 / x) << x;
            ASSERT_LT(y, 1.0054 / x) << x;
        }
    constexpr std::uint32_t lines[][2] = {{0x3F800000, 0x3F7F0000}, {0x40000000, 0x3EFF0000}, {0xC0400000, 0xBEAA0000},
                                          {0x41200000, 0x3DCC0000}, {0, 0x7F800000},          {0x7E800000, 0},
                                          {0x7E7FFFFF, 0x00800000}, {0x00800000, 0x7E7F0000}};
    for (const auto& [x, y] : lines) EXPECT_EQ(approximate(0, x), y) << std::hex << x;
}

TEST_F(Reciprocals, OfNegativeVbAlone) {
    bench.fill(3, 0x80000000);
    EXPECT_EQ(approximate(1, 0xC0400000), 0x3EAA0000u);  // without its sign
    bench.fill(3, 0x7FFFFFFF);
    EXPECT_EQ(approximate(1, 0xC0400000), 0xC0400000u);
}

TEST_F(Reciprocals, ExponentialsAreWithinTheirAccuracy) {
    for (std::uint32_t mod : {2u, 3u, 15u}) EXPECT_EQ(as_float(approximate(mod, one)), 2.703125f);
    EXPECT_EQ(as_float(approximate(2, 0xBF800000)), -2.703125f);
    for (std::uint32_t upper = 0; upper < 0x4000; ++upper)
        for (std::uint32_t lower : {0u, 0xFFFFu}) {
            const double x = as_float(upper << 16 | lower), y = as_float(approximate(2, upper << 16 | lower));
            ASSERT_GT(y, 0.9922 * std::exp(x)) << x;
            ASSERT_LT(y, 1.016 * std::exp(x)) << x;
        }
}

// SFPMUL24: the low or the high 23 bits of the product of 23 bits.
TEST_F(Reciprocals, ProductsOf23Bits) {
    for (std::uint32_t a : {0u, 3u, 0x7FFFFFu, 0xFF812345u})
        for (std::uint32_t b : {1u, 0x654321u, 0xFFFFFFFFu}) {
            const std::uint64_t product = std::uint64_t{a & 0x7FFFFF} * (b & 0x7FFFFF);
            bench.fill(0, a);
            bench.fill(1, b);
            bench.run(vector_word(opcode::sfpmul24, {0, 1, 9, 2, 0}));
            bench.run(vector_word(opcode::sfpmul24, {0, 1, 9, 3, 1}));
            EXPECT_EQ(bench.lane(2, 0), product & 0x7FFFFF);
            EXPECT_EQ(bench.lane(3, 0), product >> 23);
        }
}

}  // namespace
}  // namespace tessera::test
