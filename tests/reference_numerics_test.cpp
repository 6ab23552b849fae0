// SPDX-License-Identifier: Apache-2.0
// The reference's arithmetic against results of the vendor's simulator (docs/internals/numerics.md 2, 4 and 5).
#include "reference/numerics.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>

namespace tessera::test {
namespace {

using reference::MathMode;

MathMode mode(bool acc32, unsigned phase, bool E8) {
    MathMode how;
    how.acc32 = acc32;
    how.phase = phase;
    how.E8 = E8;
    return how;
}

TEST(ReferenceNumerics, Elwmul) {
    struct Line {
        std::string_view what;
        std::uint32_t a, b, d;
        bool acc32;
        unsigned phase;
        bool E8;
        std::uint32_t result;
    };
    constexpr Line lines[] = {
        {"1*1", 0x1FC00, 0x1FC00, 0, true, 0, true, 0x3F800000},
        {"1.5*1.5", 0x1FE00, 0x1FE00, 0, true, 0, true, 0x40100000},
        {"1.5*1.5 bf16", 0x1FE00, 0x1FE00, 0, false, 0, true, 0x40100000},
        {"pi*e", 0x20248, 0x20170, 0, true, 0, true, 0x4107F000},
        {"pi*e", 0x20248, 0x20170, 0, true, 1, true, 0x3D2E0000},
        {"pi*e", 0x20248, 0x20170, 0, true, 2, true, 0x00000000},
        {"pi*e", 0x20248, 0x20170, 0, true, 3, true, 0x00000000},
        {"inf*1", 0x3FC00, 0x1FC00, 0, true, 0, true, 0x7F800000},
        {"nan*1", 0x3FE00, 0x1FC00, 0, true, 0, true, 0x7F800000},
        {"inf*0", 0x3FC00, 0x00000, 0, true, 0, true, 0x00000000},
        {"max*2", 0x3FBF8, 0x20000, 0, true, 0, true, 0x7F800000},
        {"0*1 on a denormal", 0x00000, 0x1FC00, 0x00400000, true, 0, true, 0x00000000},
        {"0*1 on -0", 0x00000, 0x1FC00, 0x80000000, true, 0, true, 0x00000000},
        {"0*1 on 1", 0x00000, 0x1FC00, 0x3F800000, true, 0, true, 0x3F800000},
        {"0*1 on inf", 0x00000, 0x1FC00, 0x7F800000, true, 0, true, 0x7F800000},
        {"0*1 on nan", 0x00000, 0x1FC00, 0x7FC00000, true, 0, true, 0x7F800000},
        {"0*1 on 1+2^-8, bf16", 0x00000, 0x1FC00, 0x3F808000, false, 0, true, 0x3F810000},
        {"fp16 1*1", 0x03C00, 0x03C00, 0, false, 0, false, 0x07800000},
        {"fp16 1*1 acc32", 0x03C00, 0x03C00, 0, true, 0, false, 0x3F800000},
        {"fp16 max*2", 0x07BFF, 0x04000, 0, false, 0, false, 0x0FF80000},
        {"fp16 max*4", 0x07BFF, 0x04400, 0, false, 0, false, 0x0FFFE000},
        {"fp16 max*max", 0x07BFF, 0x07BFF, 0, false, 0, false, 0x0FFFE000},
    };
    for (const Line& line : lines) {
        SCOPED_TRACE(fmt::format("{} phase {}", line.what, line.phase));
        EXPECT_EQ(reference::elwmul(line.a, line.b, line.d, mode(line.acc32, line.phase, line.E8)), line.result);
    }
}

using Lanes = std::array<std::uint32_t, 16>;

constexpr std::uint32_t tf32(float x) { return std::bit_cast<std::uint32_t>(x) >> 13; }

template <class F>
Lanes lanes(F f) {
    Lanes result;
    for (unsigned i = 0; i < 16; ++i) result[i] = tf32(f(i));
    return result;
}

TEST(ReferenceNumerics, Mvmul) {
    const Lanes ones = lanes([](unsigned) { return 1.0f; });
    const Lanes counting = lanes([](unsigned i) { return float(i + 1); });
    const Lanes alternating = lanes([](unsigned i) { return i % 2 ? -float(i + 1) : float(i + 1); });
    const auto one_large = [](float x) { return lanes([x](unsigned i) { return i ? 1.0f : x; }); };
    const Lanes large_in_both_groups = lanes([](unsigned i) { return i % 8 ? 1.0f : 16384.0f; });
    const Lanes cancelling = lanes([](unsigned i) { return i == 0 ? 1.0f : i == 1 ? -1.0f : 0.0f; });
    struct Line {
        std::string_view what;
        Lanes a;
        std::uint32_t d;
        bool acc32;
        std::uint32_t result;
    };
    const Line lines[] = {
        {"16 ones", ones, 0, true, 0x41800000},
        {"16 ones, bf16", ones, 0, false, 0x41800000},
        {"16 ones on 0.5", ones, 0x3F000000, true, 0x41840000},
        {"1 to 16", counting, 0, true, 0x43080000},
        {"1 to 16, bf16", counting, 0, false, 0x43080000},
        {"1 to 16 with alternating signs", alternating, 0, true, 0xC1000000},
        {"4096 and ones, of which those of its group are lost", one_large(4096), 0, true, 0x45804000},
        {"1024 and ones", one_large(1024), 0, true, 0x4481E000},
        {"16384 and ones, of which those of its group are lost", one_large(16384), 0, true, 0x46801000},
        {"16384 in both groups", large_in_both_groups, 0, true, 0x47000000},
        {"zeros", Lanes{}, 0, true, 0x00000000},
        {"zeros on 1.5", Lanes{}, 0x3FC00000, true, 0x3FC00000},
        {"zeros on -0", Lanes{}, 0x80000000, true, 0x00000000},
        {"1-1", cancelling, 0, true, 0x00000000},
        {"1-1 on -0", cancelling, 0x80000000, true, 0x00000000},
    };
    for (const Line& line : lines) {
        SCOPED_TRACE(line.what);
        EXPECT_EQ(reference::mvmul(line.a, ones, line.d, mode(line.acc32, 0, true)), line.result);
    }
}

TEST(ReferenceNumerics, FourPhasesOfIntegersGiveTheProduct) {
    const auto stored = [](std::int32_t x) {
        return x < 0 ? 1u << 18 | static_cast<std::uint32_t>(-x) << 8 | 16 : static_cast<std::uint32_t>(x) << 8 | 16;
    };
    const auto product = [&](std::int32_t a, std::int32_t b, unsigned phase) {
        return reference::ReadSrcInt8(reference::SrcAInt8Bits(stored(a), phase), true) *
               reference::ReadSrcInt8(reference::SrcBInt8Bits(stored(b), phase), true);
    };
    EXPECT_EQ(product(31, 15, 3), 465);
    for (unsigned phase : {0u, 1u, 2u}) EXPECT_EQ(product(31, 15, phase), 0);
    EXPECT_EQ(product(-200, 100, 3), -8 * 4);
    EXPECT_EQ(product(-200, 100, 0), -192 * 96);
    for (std::int32_t a : {-255, -200, -1, 0, 7, 32, 255})
        for (std::int32_t b : {-1023, -100, -16, 0, 15, 16, 1023}) {
            std::int32_t sum = 0;
            for (unsigned phase = 0; phase < 4; ++phase) sum += product(a, b, phase);
            EXPECT_EQ(sum, a * b) << a << " * " << b;
        }
    EXPECT_EQ(product(1023, 1, 3) + product(1023, 1, 2), 255);  // the top two bits of SrcA's magnitude are not used
}

TEST(ReferenceNumerics, IntegersSaturateBelowTheTwosComplementsLimits) {
    EXPECT_EQ(reference::SaturateAddInt32(0x7FFFFFFF, 1), 0x7FFFFFFF);
    EXPECT_EQ(reference::SaturateAddInt32(-0x7FFFFFFF, -1), -0x7FFFFFFF);
    EXPECT_EQ(reference::SaturateAddInt32(0x7FFFFFFF, -0x7FFFFFFF), 0);
    for (std::int32_t x : {0, 1, -1, 0x12345678, -0x12345678, 0x7FFFFFFF, -0x7FFFFFFF})
        EXPECT_EQ(reference::ReadDstInt32(reference::WriteDstInt32(x)), x);
    EXPECT_EQ(reference::ReadDstInt32(reference::WriteDstFP32(0x80000005)), -5);
}

}  // namespace
}  // namespace tessera::test
