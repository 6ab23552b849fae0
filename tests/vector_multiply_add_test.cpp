// SPDX-License-Identifier: Apache-2.0
// The MAD sub-unit: its multiply-add (docs/internals/numerics.md 8), the pages' statements, and its tables.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>

#include "reference/vector_machine.hpp"
#include "support/each_target.hpp"
#include "support/vector_machine.hpp"

namespace tessera {
namespace {

using test::VectorMachine;

constexpr unsigned lanes = VectorMachine::lanes;
constexpr std::uint32_t sign = 0x80000000;

float number(std::uint32_t bits) { return std::bit_cast<float>(bits); }
std::uint32_t bits(float x) { return std::bit_cast<std::uint32_t>(x); }
bool is_normal(std::uint32_t x) { return (x >> 23 & 255) != 0 && (x >> 23 & 255) != 255; }

class MultiplyAdd : public testing::TestWithParam<Arch> {
protected:
    bool blackhole() const { return GetParam() == Arch::blackhole; }
    VectorMachine machine{GetParam()};
};

struct Sample {
    std::uint32_t x, y, z, blackhole, wormhole;
};
// Observations of the vendor's simulator.
constexpr Sample samples[] = {
    {0x3F800000, 0x3F800000, 0x33800000, 0x3F800000, 0x3F800000},
    {0x3F800001, 0x3F800001, 0x00000000, 0x3F800002, 0x3F800002},
    {0x7F800000, 0x00000000, 0x00000000, 0x7FC00000, 0x7F800001},
    {0x7F7FFFFF, 0x40000000, 0x00000000, 0x7F800000, 0x7F800000},
    {0x00400000, 0x3F800000, 0x3F800000, 0x3F800000, 0x3F800000},
    {0x00800000, 0x3F000000, 0x00000000, 0x00000000, 0x00000000},
    {0x80800000, 0x3F000000, 0x00000000, 0x80000000, 0x00000000},
    {0x3F800000, 0x3F800000, 0xBF800000, 0x00000000, 0x00000000},
    {0x7F800000, 0x3F800000, 0xFF800000, 0x7FC00000, 0x7F800001},
    {0x80000000, 0x3F800000, 0x80000000, 0x80000000, 0x00000000},
    {0x80000000, 0x3F800000, 0x00000000, 0x00000000, 0x00000000},
    {0x00FFFFFF, 0x3F7FFFFF, 0x00000000, 0x00FFFFFE, 0x00FFFFFE},
    {0x7FC12345, 0x3F800000, 0x3F800000, 0x7FC00000, 0x7F800001},
    {0x3F800000, 0x3F800000, 0xFFC00001, 0x7FC00000, 0xFF800001},
    {0x7F7FFFFF, 0x40000000, 0xFF7FFFFF, 0x7F800000, 0x7F800000},
    {0xFF910FB3, 0x00DE5E45, 0x4CC4126E, 0x7FC00000, 0xFFC4126D},
    {0x48360D31, 0xFE2E90EE, 0x7F800000, 0x7F800000, 0xFFF09021},
};

TEST_P(MultiplyAdd, OfTheVendorsSamples) {
    for (const Sample& s : samples) {
        machine.fill(0, s.x);
        machine.fill(1, s.y);
        machine.fill(2, s.z);
        machine.run("SFPMAD lreg_src_b=1 lreg_src_c=2 lreg_dest=3");
        for (const std::uint32_t x : machine.lreg(3)) EXPECT_EQ(x, blackhole() ? s.blackhole : s.wormhole);
    }
}

// Limits of the loop's fast path: results near the smallest number, mantissas that are all ones or nearly; exponents
// near the largest; factors and addends that cancel; zeros. TESSERA_FMA_CASES is the number of instructions.
TEST_P(MultiplyAdd, AgreesNearItsLimitsOnEachSetOfVectorInstructions) {
    const char* asked = std::getenv("TESSERA_FMA_CASES");
    const int cases = asked ? std::atoi(asked) : 4000;
    std::mt19937 random(7);
    const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random()) % n; };
    const auto mantissa = [&]() -> std::uint32_t {
        switch (below(6)) {
            case 0: return 0x7FFFFF - below(4);
            case 1: return below(4);
            case 2: return below(128) << 16;
            case 3: return 0;
            default: return below(1 << 23);
        }
    };
    unsigned tiny = 0, huge = 0, ordinary = 0;
    test::on_each_target([&] {
        for (int i = 0; i < cases; ++i) {
            // All lanes of a kind now and then: one odd lane is enough to leave the short way.
            const std::uint32_t kind = below(5);
            for (unsigned lane = 0; lane < lanes; ++lane) {
                const std::uint32_t x = 1 + below(254);
                const std::uint32_t sum = kind == 0   ? 124 + below(8)
                                          : kind == 1 ? 374 + below(12)
                                          : kind == 2 ? below(511)
                                                      : 240 + below(28);
                const auto y = static_cast<std::uint32_t>(std::clamp(static_cast<int>(sum - x), below(8) ? 1 : 0, 255));
                const auto product = static_cast<std::uint32_t>(std::clamp(static_cast<int>(x + y) - 127, 0, 255));
                const std::uint32_t z =
                    below(6) ? std::clamp(static_cast<int>(product + below(60)) - 30, 0, 255) : below(256);
                const auto put = [&](unsigned lreg, std::uint32_t exponent) {
                    machine.lreg(lreg)[lane] = below(2) << 31 | exponent << 23 | mantissa();
                };
                put(0, x);
                put(1, y);
                put(2, below(5) ? z : 0);
                // An addend that cancels all of a product that FP32 can hold, or all but its last bit.
                if (below(4) == 0) {
                    const float whole = number(machine.lreg(0)[lane]) * number(machine.lreg(1)[lane]);
                    machine.lreg(2)[lane] = (bits(whole) ^ sign) + below(2);
                }
            }
            machine.run("SFPMAD lreg_src_b=1 lreg_src_c=2 lreg_dest=3");
            for (unsigned lane = 0; lane < lanes; ++lane) {
                const std::uint32_t x = machine.lreg(0)[lane], y = machine.lreg(1)[lane], z = machine.lreg(2)[lane];
                const std::uint32_t result = machine.lreg(3)[lane];
                ASSERT_EQ(result, reference::fma_model(x, y, z, !blackhole()))
                    << std::hex << x << " * " << y << " + " << z;
                const std::uint32_t exponent = result >> 23 & 255;
                ++(exponent < 2 ? tiny : exponent > 252 ? huge : ordinary);
            }
        }
    });
    EXPECT_GT(tiny, 1000u);
    EXPECT_GT(huge, 1000u);
    EXPECT_GT(ordinary, 1000u);
}

TEST_P(MultiplyAdd, ByOneAddsAndWithZeroMultipliesAsTheHost) {
    std::mt19937_64 random(1);
    const auto sum =
        machine.resolve(test::word("SFPMAD lreg_src_a=10 lreg_src_b=0 lreg_src_c=1 lreg_dest=2", GetParam()));
    const auto product =
        machine.resolve(test::word("SFPMAD lreg_src_a=0 lreg_src_b=1 lreg_src_c=9 lreg_dest=3", GetParam()));
    unsigned sums = 0, products = 0;
    for (int i = 0; i < 20000; ++i) {
        for (unsigned lane = 0; lane < lanes; ++lane) {
            const auto x = static_cast<std::uint32_t>(random()), near = static_cast<std::uint32_t>(random());
            machine.lreg(0)[lane] = x;
            const std::uint32_t exponent = ((x >> 23) + random() % 60 - 30) & 255;
            machine.lreg(1)[lane] = random() % 4 ? (near & ~(255u << 23)) | exponent << 23 : near;
        }
        plan::run_whole(sum, machine.state);
        plan::run_whole(product, machine.state);
        for (unsigned lane = 0; lane < lanes; ++lane) {
            const std::uint32_t a = machine.lreg(0)[lane], b = machine.lreg(1)[lane];
            if (!is_normal(a) || !is_normal(b)) continue;
            const std::uint32_t a_plus_b = bits(number(a) + number(b)), a_times_b = bits(number(a) * number(b));
            // At the edge of denormals rounding differs.
            if ((a_plus_b >> 23 & 255) > 1)
                sums += machine.lreg(2)[lane] == a_plus_b ? 1 : (ADD_FAILURE() << a << b, 0);
            if ((a_times_b >> 23 & 255) > 1)
                products += machine.lreg(3)[lane] == a_times_b ? 1 : (ADD_FAILURE() << a << b, 0);
        }
        ASSERT_FALSE(HasFailure());
    }
    EXPECT_GT(sums, 500000u);
    EXPECT_GT(products, 250000u);
}

TEST_P(MultiplyAdd, TakesDenormalsForZero) {
    machine.fill(0, 0x007FFFFFu);
    machine.fill(1, 0x7F000000u);
    machine.run("SFPMAD lreg_src_a=0 lreg_src_b=1 lreg_src_c=10 lreg_dest=2");
    EXPECT_EQ(machine.lreg(2)[0], bits(1.0f));
    machine.run("SFPMAD lreg_src_a=10 lreg_src_b=10 lreg_src_c=0 lreg_dest=2");
    EXPECT_EQ(machine.lreg(2)[0], bits(1.0f));
}

TEST_P(MultiplyAdd, ImmediatesAreBFloat16) {
    machine.fill_float(0, 3.0f);
    machine.run("SFPADDI imm16_math=0x3FC0 lreg_dest=0");
    EXPECT_EQ(number(machine.lreg(0)[5]), 4.5f);
    machine.run("SFPMULI imm16_math=0xC000 lreg_dest=0");
    EXPECT_EQ(number(machine.lreg(0)[5]), -9.0f);
    machine.fill(0, sign);
    machine.run("SFPMULI imm16_math=0x3F80 lreg_dest=0");
    EXPECT_EQ(machine.lreg(0)[5], 0u) << "the zero that is added makes it positive";
}

TEST(MultiplyAddModes, BlackholeNegates) {
    VectorMachine machine(Arch::blackhole);
    machine.fill_float(0, 2.0f);
    machine.fill_float(1, 3.0f);
    machine.fill_float(2, 10.0f);
    constexpr float expected[] = {16, 4, -4, -16};
    for (std::uint32_t mode = 0; mode < 4; ++mode) {
        const auto plan =
            machine.run(test::word("SFPMAD lreg_src_b=1 lreg_src_c=2 lreg_dest=3", Arch::blackhole) | mode);
        EXPECT_EQ(number(machine.lreg(3)[0]), expected[mode]);
        EXPECT_TRUE(plan.findings.empty());
    }
    machine.run("SFPADDI imm16_math=0x4000 lreg_dest=2 instr_mod1=2");
    EXPECT_EQ(number(machine.lreg(2)[0]), 2 - 10.0f);
    machine.run("SFPMULI imm16_math=0x4000 lreg_dest=2 instr_mod1=2");
    EXPECT_EQ(number(machine.lreg(2)[0]), 16.0f);
    machine.fill(0, sign);
    machine.run("SFPMUL lreg_src_a=10 lreg_src_b=0 lreg_src_c=9 lreg_dest=3 instr_mod1=2");
    EXPECT_EQ(machine.lreg(3)[0], sign) << "-0 is what leaves a sum alone";
}

TEST(MultiplyAddModes, WormholeDoesNot) {
    VectorMachine machine(Arch::wormhole);
    machine.fill_float(0, 2.0f);
    const auto plan = machine.run("SFPMAD lreg_src_b=10 lreg_src_c=9 lreg_dest=3 instr_mod1=3");
    EXPECT_EQ(number(machine.lreg(3)[0]), 2.0f);
    ASSERT_EQ(plan.findings.size(), 1u);
    EXPECT_EQ(plan.findings[0].id, findings::id("vector.reserved-mode"));
}

TEST(MultiplyAddModes, SumsAndProductsWithOtherOperandsAreTold) {
    VectorMachine machine(Arch::blackhole);
    EXPECT_EQ(machine.run("SFPADD lreg_src_a=1 lreg_dest=3").findings.size(), 1u);
    EXPECT_TRUE(machine.run("SFPADD lreg_src_a=10 lreg_dest=3").findings.empty());
    EXPECT_EQ(machine.run("SFPMUL lreg_src_c=1 lreg_dest=3").findings.size(), 1u);
    EXPECT_TRUE(machine.run("SFPMUL lreg_src_c=9 lreg_dest=3").findings.empty());
}

TEST_P(MultiplyAdd, LReg7NamesRegistersOfEachLane) {
    for (unsigned i = 0; i < 7; ++i)
        for (unsigned lane = 0; lane < lanes; ++lane) machine.lreg(i)[lane] = bits(static_cast<float>(100 * i + lane));
    for (unsigned lane = 0; lane < lanes; ++lane) machine.lreg(7)[lane] = 0xABCDEF00 | lane % 16;
    const auto before = machine.state;
    machine.run("SFPMAD lreg_src_a=3 lreg_src_b=10 lreg_src_c=9 lreg_dest=2 instr_mod1=4");
    for (unsigned lane = 0; lane < lanes; ++lane) {
        const unsigned named = lane % 16;
        // Small integers are denormals.
        EXPECT_EQ(machine.lreg(2)[lane], named == 15 ? 0 : before.lregs.lane[named * lanes + lane]) << lane;
    }
    machine.state = before;
    machine.use_flags(0x0000FFFF);
    machine.run("SFPMAD lreg_src_a=10 lreg_src_b=10 lreg_src_c=10 lreg_dest=2 instr_mod1=8");
    for (unsigned i = 0; i < state::LRegs::registers; ++i)
        for (unsigned lane = 0; lane < lanes; ++lane) {
            const bool written = lane < 16 && i == lane % 16 && i < 8;
            EXPECT_EQ(machine.lreg(i)[lane], written ? bits(2.0f) : before.lregs.lane[i * lanes + lane]) << i << lane;
        }
}

TEST_P(MultiplyAdd, OtherRegistersThanTheFirstEightStay) {
    for (const char* line : {"SFPMAD lreg_src_a=10 lreg_src_b=10 lreg_dest=9", "SFPADDI imm16_math=0x3F80 lreg_dest=11",
                             "SFPLUT lreg_ind=8", "SFPLUTFP32 lreg_dest=10"}) {
        const auto before = machine.state;
        machine.run(line);
        EXPECT_EQ(machine.state.lregs.lane, before.lregs.lane) << line;
    }
}

// Lut8ToFp32, its table of possible values.
float coefficient(unsigned byte) {
    if (byte == 0xFF) return 0;
    const float magnitude = std::ldexp(1 + static_cast<float>(byte & 15) / 16, -static_cast<int>(byte >> 4 & 7));
    return byte & 0x80 ? -magnitude : magnitude;
}

TEST_P(MultiplyAdd, EveryByteAsSlopeAndAsOffset) {
    for (unsigned byte = 0; byte < 256; ++byte) {
        for (unsigned i = 0; i < 3; ++i) machine.fill(i, 0xABCDFF00u | byte);
        machine.fill_float(3, 0.5f);
        machine.run("SFPLUT lreg_ind=4");
        EXPECT_EQ(number(machine.lreg(4)[0]), coefficient(byte)) << byte;
        for (unsigned i = 0; i < 3; ++i) machine.fill(i, 0xABCD00FFu | byte << 8);
        machine.fill_float(3, 1.0f);
        machine.run("SFPLUT lreg_ind=4");
        EXPECT_EQ(number(machine.lreg(4)[0]), coefficient(byte)) << byte;
    }
}

// Lut16ToFp32, its table of bit patterns.
float half_coefficient(unsigned half) {
    const int exponent = half >> 10 & 31;
    if (exponent == 31) return 0;
    const float magnitude = std::ldexp(1 + static_cast<float>(half & 1023) / 1024, exponent - 15);
    return half & 0x8000 ? -magnitude : magnitude;
}

TEST_P(MultiplyAdd, EveryHalfAsOffset) {
    machine.fill_float(3, 0.25f);
    const auto low = machine.resolve(test::word("SFPLUTFP32 lreg_dest=4 instr_mod1=2", GetParam()));
    for (unsigned half = 0; half < 65536; ++half) {
        machine.fill(0, 0x00007C00u);
        machine.fill(4, 0xABCD0000u | half);
        plan::run_whole(low, machine.state);
        ASSERT_EQ(number(machine.lreg(4)[0]), half_coefficient(half)) << half;
    }
}

// Slopes are 1, 2, 3, …; the product with the argument's magnitude shows the slope in use.
TEST_P(MultiplyAdd, TablesSplitWhereThePageSays) {
    constexpr std::uint32_t one_two_three[] = {0x3F800000, 0x40000000, 0x40400000};
    constexpr std::uint32_t halves[] = {0x40003C00, 0x44004200, 0x46004500};  // 1, 2; 3, 4; 5, 6
    struct Split {
        float below;
        unsigned three, six, six_to_4;
    };
    constexpr Split splits[] = {{0.5f, 0, 0, 0}, {1, 0, 1, 1}, {1.5f, 1, 2, 2}, {2, 1, 3, 3},
                                {3, 2, 4, 4},    {4, 2, 5, 4}, {9, 2, 5, 5}};
    for (const Split& split : splits)
        for (const float x : {std::nextafter(split.below, 0.0f), -std::nextafter(split.below, 0.0f)}) {
            machine.fill_float(3, x);
            for (unsigned i = 0; i < 3; ++i) machine.fill(i, one_two_three[i]);
            for (unsigned i = 4; i < 7; ++i) machine.fill(i, 0u);
            machine.run("SFPLUTFP32 lreg_dest=7");
            EXPECT_EQ(number(machine.lreg(7)[0]), std::fabs(x) * static_cast<float>(split.three + 1)) << x;
            machine.run("SFPLUTFP32 lreg_dest=7 instr_mod1=4");
            EXPECT_EQ(number(machine.lreg(7)[0]), x * static_cast<float>(split.three + 1)) << x;
            for (unsigned i = 0; i < 3; ++i) machine.fill(i, halves[i]);
            for (unsigned i = 4; i < 7; ++i) machine.fill(i, 0x7C007C00u);
            machine.run("SFPLUTFP32 lreg_dest=7 instr_mod1=2");
            EXPECT_EQ(number(machine.lreg(7)[0]), std::fabs(x) * static_cast<float>(split.six + 1)) << x;
            machine.run("SFPLUTFP32 lreg_dest=7 instr_mod1=3");
            EXPECT_EQ(number(machine.lreg(7)[0]), std::fabs(x) * static_cast<float>(split.six_to_4 + 1)) << x;
            // Slope above, offset below; a hardware bug makes LReg 7 name the result.
            for (unsigned i = 0; i < 3; ++i) machine.fill(i, (halves[i] & 0xFFFF) << 16 | 0x7C00);
            machine.fill(7, 6u);
            machine.run("SFPLUTFP32 lreg_dest=5 instr_mod1=10");
            EXPECT_EQ(number(machine.lreg(6)[0]), std::fabs(x) * static_cast<float>(2 * split.three + 1)) << x;
            EXPECT_EQ(machine.lreg(5)[0], 0x7C007C00u);
        }
}

INSTANTIATE_TEST_SUITE_P(Chips, MultiplyAdd, testing::ValuesIn(all_archs),
                         [](const auto& test) { return std::string(name(test.param)); });

TEST(Multiply24, GivesBothHalvesOfTheProduct) {
    VectorMachine machine(Arch::blackhole);
    std::mt19937_64 random(2);
    for (int i = 0; i < 2000; ++i) {
        for (unsigned lane = 0; lane < lanes; ++lane)
            for (unsigned r = 0; r < 2; ++r) machine.lreg(r)[lane] = static_cast<std::uint32_t>(random());
        machine.run("SFPMUL24 lreg_src_b=1 lreg_src_c=9 lreg_dest=2");
        const auto plan = machine.run("SFPMUL24 lreg_src_b=1 lreg_src_c=9 lreg_dest=3 instr_mod1=1");
        ASSERT_TRUE(plan.findings.empty());
        for (unsigned lane = 0; lane < lanes; ++lane) {
            const std::uint64_t a = machine.lreg(0)[lane] & 0x7FFFFF, b = machine.lreg(1)[lane] & 0x7FFFFF;
            ASSERT_EQ((std::uint64_t{machine.lreg(3)[lane]} << 23) + machine.lreg(2)[lane], a * b);
        }
    }
}

TEST(Multiply24, AddendsAreShiftedAsTheirExponentSays) {
    VectorMachine machine(Arch::blackhole);
    machine.fill(0, 5u);
    machine.fill(1, 7u);
    // 2^(129 - 127) is aligned with the product: 1.0 of it is bit 26, beyond the 23 that are kept.
    machine.fill(2, 0x40800008u);
    const auto plan = machine.run("SFPMUL24 lreg_src_b=1 lreg_src_c=2 lreg_dest=3");
    EXPECT_EQ(machine.lreg(3)[0], 35u + 64u);
    ASSERT_EQ(plan.findings.size(), 1u);
    EXPECT_EQ(plan.findings[0].id, findings::id("vector.multiply-addend"));
    machine.fill(2, 0x007FFFFFu);
    machine.run("SFPMUL24 lreg_src_b=1 lreg_src_c=2 lreg_dest=3");
    EXPECT_EQ(machine.lreg(3)[0], 35u) << "an exponent of 0 adds nothing";
}

}  // namespace
}  // namespace tessera
