// SPDX-License-Identifier: Apache-2.0
// SFPCAST, SFP_STOCH_RND and SFPARECIP: the pages' statements in words, over all upper halves of a register.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include "support/vector_machine.hpp"

namespace tessera {
namespace {

using test::VectorMachine;

constexpr unsigned lanes = VectorMachine::lanes;
constexpr std::uint32_t sign = 0x80000000;

float number(std::uint32_t bits) { return std::bit_cast<float>(bits); }
std::uint32_t exponent(std::uint32_t x) { return x >> 23 & 255; }

class Rounding : public testing::TestWithParam<Arch> {
protected:
    static constexpr unsigned source = 0, result = 1;

    /// Calls check(source, result, random bits before) for all upper halves, with lower halves at and around the middle,
    /// at both ends, and random ones.
    void for_all_upper_halves(std::string_view line,
                              const std::function<void(std::uint32_t, std::uint32_t, std::uint32_t)>& check) {
        constexpr std::uint32_t lower[] = {0,      1,      0xFFF,  0x1000, 0x1001, 0x2FFF, 0x3000, 0x7FFF,
                                           0x8000, 0x8001, 0xFFFE, 0xFFFF, 0x40,   0x80,   0xC0,   0x180};
        const plan::Plan plan = machine.resolve(test::word(line, GetParam()));
        ASSERT_FALSE(plan.fault);
        for (std::uint32_t upper = 0; upper < 65536; ++upper) {
            std::uint32_t before[lanes];
            for (unsigned lane = 0; lane < lanes; ++lane) {
                const auto low = lane < std::size(lower) ? lower[lane] : static_cast<std::uint32_t>(random()) & 0xFFFF;
                machine.lreg(source)[lane] = upper << 16 | low;
                before[lane] = machine.state[state::cells::prng_block[lane]];
            }
            plan::run_whole(plan, machine.state);
            for (unsigned lane = 0; lane < lanes; ++lane)
                check(machine.lreg(source)[lane], machine.lreg(result)[lane], before[lane]);
            ASSERT_FALSE(HasFailure()) << std::hex << upper;
        }
    }

    VectorMachine machine{GetParam()};
    std::mt19937_64 random{3};
};

TEST_P(Rounding, IntegersToFloatsAsTheHostRounds) {
    for_all_upper_halves("SFPCAST lreg_src_c=0 lreg_dest=1", [](std::uint32_t x, std::uint32_t y, std::uint32_t) {
        const auto magnitude = static_cast<float>(x & ~sign);  // to nearest, a tie to even
        EXPECT_EQ(y, std::bit_cast<std::uint32_t>(magnitude) | (x & sign));
    });
}

TEST_P(Rounding, IntegersToFloatsByChance) {
    unsigned ups = 0, downs = 0;
    for_all_upper_halves("SFPCAST lreg_src_c=0 lreg_dest=1 instr_mod1=1",
                         [&](std::uint32_t x, std::uint32_t y, std::uint32_t) {
                             const double exact = x & ~sign, is = number(y & ~sign);
                             EXPECT_EQ(y & sign, x & sign);
                             if ((x & ~sign) <= 1 << 24) {
                                 EXPECT_EQ(is, exact);
                                 return;
                             }
                             const float below = std::nextafter(static_cast<float>(is), 0.0f);
                             const float above = std::nextafter(static_cast<float>(is), HUGE_VALF);
                             EXPECT_TRUE(below < exact && exact < above) << x;
                             ups += is > exact;
                             downs += is < exact;
                         });
    EXPECT_GT(ups, 100000u);
    EXPECT_GT(downs, 100000u);
}

TEST(RoundingModes, BlackholeCastsBetweenIntegers) {
    VectorMachine machine(Arch::blackhole);
    const std::uint32_t from[] = {0, 1, 0x7FFFFFFF, 0xFFFFFFFF, 0x80000001, sign};
    const std::uint32_t exchanged[] = {0, 1, 0x7FFFFFFF, 0x80000001, 0xFFFFFFFF, sign};
    const std::uint32_t absolute[] = {0, 1, 0x7FFFFFFF, 1, 0x7FFFFFFF, sign};
    std::ranges::copy(from, machine.lreg(0).begin());
    machine.run("SFPCAST lreg_src_c=0 lreg_dest=1 instr_mod1=3");
    machine.run("SFPCAST lreg_src_c=0 lreg_dest=2 instr_mod1=2");
    const auto plan = machine.run("SFPCAST lreg_src_c=0 lreg_dest=3 instr_mod1=7");
    ASSERT_EQ(plan.findings.size(), 1u);
    EXPECT_EQ(plan.findings[0].id, findings::id("vector.reserved-mode"));
    for (unsigned i = 0; i < std::size(from); ++i) {
        EXPECT_EQ(machine.lreg(1)[i], exchanged[i]) << i;
        EXPECT_EQ(machine.lreg(2)[i], absolute[i]) << i;
        EXPECT_EQ(machine.lreg(3)[i], exchanged[i]) << i;
    }
}

// Ties away from zero; denormals and zero become +0, NaN becomes infinity.
std::uint32_t with_fewer_bits(std::uint32_t x, unsigned dropped) {
    if (exponent(x) == 0) return 0;
    if (exponent(x) == 255) return x & 0xFF800000;
    return (x + (1u << (dropped - 1))) & ~((1u << dropped) - 1);
}

TEST_P(Rounding, FloatsToFewerBits) {
    for_all_upper_halves("SFP_STOCH_RND lreg_src_c=0 lreg_dest=1 instr_mod1=1",
                         [](std::uint32_t x, std::uint32_t y, std::uint32_t) { EXPECT_EQ(y, with_fewer_bits(x, 16)); });
    for_all_upper_halves("SFP_STOCH_RND lreg_src_c=0 lreg_dest=1",
                         [](std::uint32_t x, std::uint32_t y, std::uint32_t) { EXPECT_EQ(y, with_fewer_bits(x, 13)); });
}

TEST_P(Rounding, FloatsToFewerBitsByChance) {
    unsigned ups[2] = {}, downs[2] = {}, exact_ups = 0;
    for (unsigned mode = 0; mode < 2; ++mode) {
        const unsigned dropped = mode ? 16 : 13;
        for_all_upper_halves(mode ? "SFP_STOCH_RND lreg_src_c=0 lreg_dest=1 instr_mod1=1 rnd_mode=1"
                                  : "SFP_STOCH_RND lreg_src_c=0 lreg_dest=1 rnd_mode=1",
                             [&](std::uint32_t x, std::uint32_t y, std::uint32_t random_bits) {
                                 if (exponent(x) == 0 || exponent(x) == 255) {
                                     EXPECT_EQ(y, with_fewer_bits(x, dropped));
                                     return;
                                 }
                                 const std::uint32_t low = x & ~((1u << dropped) - 1);
                                 EXPECT_TRUE(y == low || y == low + (1u << dropped));
                                 // The upper ones of 23 random bits; equal ones round up, a bias that the page
                                 // documents.
                                 const bool up =
                                     (x & ((1u << dropped) - 1)) >= (random_bits & 0x7FFFFF) >> (23 - dropped);
                                 EXPECT_EQ(y != low, up);
                                 ++(up ? ups : downs)[mode];
                                 exact_ups += up && x == low;
                             });
        EXPECT_GT(ups[mode], 100000u);
        EXPECT_GT(downs[mode], 100000u);
    }
    EXPECT_GT(exact_ups, 0u) << "even numbers that need no rounding";
}

struct Target {
    unsigned mode;
    double largest;
    bool keeps_sign;
};
constexpr Target targets[] = {{2, 255, false}, {3, 127, true}, {6, 65535, false}, {7, 32767, true}};

TEST_P(Rounding, FloatsToIntegers) {
    for (const Target& target : targets)
        for_all_upper_halves("SFP_STOCH_RND lreg_src_c=0 lreg_dest=1 instr_mod1=" + std::to_string(target.mode),
                             [&](std::uint32_t x, std::uint32_t y, std::uint32_t) {
                                 const double exact = std::fabs(number(x));
                                 // Ties away from zero; below 1/2 zero; NaN is the largest.
                                 const double rounded = exact < 0.5 ? 0 : std::floor(exact + 0.5);
                                 const double is = rounded < target.largest ? rounded : target.largest;
                                 const std::uint32_t kept = target.keeps_sign && is > 0 ? x & sign : 0;
                                 EXPECT_EQ(y, static_cast<std::uint32_t>(is) | kept) << std::hex << x;
                             });
}

TEST(RoundingModes, ThreeNumbersAreNotRoundedTowardsZero) {
    VectorMachine machine(Arch::blackhole);
    const auto plan =
        machine.resolve(test::word("SFP_STOCH_RND lreg_src_c=0 lreg_dest=1 instr_mod1=7 rnd_mode=2", Arch::blackhole));
    std::vector<std::uint32_t> wrong;
    constexpr std::uint32_t half = 0x3F000000, four = 0x40800000;
    for (std::uint32_t x = half; x < four; x += lanes) {
        for (unsigned lane = 0; lane < lanes; ++lane) machine.lreg(0)[lane] = x + lane;
        plan::run_whole(plan, machine.state);
        for (unsigned lane = 0; lane < lanes; ++lane)
            if (machine.lreg(1)[lane] != static_cast<std::uint32_t>(number(x + lane))) wrong.push_back(x + lane);
    }
    // 0.9999998807907, 0.9999999403954, 1.999999880791
    EXPECT_EQ(wrong, (std::vector<std::uint32_t>{0x3F7FFFFE, 0x3F7FFFFF, 0x3FFFFFFF}));
}

TEST_P(Rounding, IntegersShiftedToTheRight) {
    for (unsigned shift = 0; shift < 32; ++shift)
        for (const unsigned mode : {4u, 5u, 12u, 13u}) {
            for (unsigned lane = 0; lane < lanes; ++lane) {
                const auto wide = static_cast<std::uint32_t>(random());
                machine.lreg(0)[lane] = (wide & sign) | (wide & ~sign) >> random() % 31;
                machine.lreg(2)[lane] = static_cast<std::uint32_t>(random()) << 5 | shift;
            }
            const unsigned immediate = mode & 8 ? shift : 31 - shift;
            machine.run("SFP_STOCH_RND lreg_src_c=0 lreg_src_b=2 lreg_dest=1 instr_mod1=" + std::to_string(mode) +
                        " imm8_math=" + std::to_string(immediate));
            for (unsigned lane = 0; lane < lanes; ++lane) {
                const std::uint32_t x = machine.lreg(0)[lane];
                const double exact = std::ldexp(static_cast<double>(x & ~sign), -static_cast<int>(shift));
                // The bits that decide are 23; of a larger shift the lowest are lost, which changes nothing here.
                const double is = std::min(std::floor(exact + 0.5), mode & 1 ? 127.0 : 255.0);
                const std::uint32_t kept = mode & 1 && is > 0 ? x & sign : 0;
                EXPECT_EQ(machine.lreg(1)[lane], static_cast<std::uint32_t>(is) | kept) << shift << " " << mode;
            }
        }
}

TEST_P(Rounding, GeneratorsStepInEachLaneThatTakesPart) {
    for (const char* line :
         {"SFP_STOCH_RND lreg_dest=1", "SFP_STOCH_RND lreg_dest=1 instr_mod1=2",
          "SFP_STOCH_RND lreg_dest=1 instr_mod1=5", "SFP_STOCH_RND lreg_dest=1 rnd_mode=1", "SFP_STOCH_RND lreg_dest=9",
          "SFPCAST lreg_dest=1 instr_mod1=1", "SFPCAST lreg_dest=10 instr_mod1=1",
          "SFPMOV lreg_c=9 lreg_dest=1 instr_mod1=8", "SFPMOV lreg_c=9 lreg_dest=9 instr_mod1=8"}) {
        constexpr std::uint32_t enabled = 0x0F0FF00F;
        machine.use_flags(enabled);
        // Steps that the vendor's simulator makes.
        constexpr std::uint32_t steps[][2] = {
            {0, 0x80000000}, {1, 0}, {0x80000000, 0x40000000}, {0xDEADBEEF, 0xEF56DF77}, {0x00200003, 0x00100001}};
        for (unsigned lane = 0; lane < lanes; ++lane)
            machine.state.write(state::cells::prng_block[lane], steps[lane % 5][0]);
        machine.run(line);
        for (unsigned lane = 0; lane < lanes; ++lane)
            EXPECT_EQ(machine.state[state::cells::prng_block[lane]], steps[lane % 5][enabled >> lane & 1])
                << line << " " << lane;
    }
    machine.use_flags(~0u);
    machine.state.write(state::cells::prng_block[3], 0xDEADBEEF);
    machine.run("SFPMOV lreg_c=9 lreg_dest=1 instr_mod1=8");
    EXPECT_EQ(machine.lreg(1)[3], 0xDEADBEEFu) << "the number is what the generator held";
    machine.run("SFPCAST lreg_dest=1");
    EXPECT_EQ(machine.state[state::cells::prng_block[3]], 0xEF56DF77u) << "nothing random, no step";
}

INSTANTIATE_TEST_SUITE_P(Chips, Rounding, testing::ValuesIn(all_archs),
                         [](const auto& test) { return std::string(name(test.param)); });

class Approximations : public Rounding {};

TEST_P(Approximations, ReciprocalsAreAsCloseAsThePageSays) {
    for_all_upper_halves("SFPARECIP lreg_c=0 lreg_dest=1", [](std::uint32_t x, std::uint32_t y, std::uint32_t) {
        EXPECT_EQ(y & sign, x & sign);
        const std::uint32_t magnitude = x & ~sign, is = y & ~sign;
        if (magnitude < 0x00800000 || magnitude >= 0x7E800000) {
            EXPECT_EQ(is, magnitude < 0x00800000 ? 0x7F800000 : 0u);
            return;
        }
        const double exact = 1 / static_cast<double>(number(magnitude));
        EXPECT_GT(number(is), 0.9944 * exact);
        EXPECT_LT(number(is), 1.0054 * exact);
    });
    machine.fill_float(0, 1);
    machine.run("SFPARECIP lreg_c=0 lreg_dest=1");
    EXPECT_EQ(number(machine.lreg(1)[0]), 0.99609375f);
}

TEST_P(Approximations, ReciprocalsWhereVBIsNegative) {
    for (unsigned lane = 0; lane < lanes; ++lane) {
        machine.lreg(2)[lane] = lane % 2 ? sign | lane : lane;
        machine.lreg(0)[lane] = 0xC0000000;
    }
    machine.run("SFPARECIP imm12_math=2 lreg_c=0 lreg_dest=1 instr_mod1=1");
    for (unsigned lane = 0; lane < lanes; ++lane)
        EXPECT_EQ(machine.lreg(1)[lane], lane % 2 ? 0x3EFF0000 : 0xC0000000) << "the sign is gone where it is one";
}

TEST_P(Approximations, ExponentialsAreAsCloseAsThePageSays) {
    for (const char* line :
         {"SFPARECIP lreg_c=0 lreg_dest=1 instr_mod1=2", "SFPARECIP lreg_c=0 lreg_dest=1 instr_mod1=9"})
        for_all_upper_halves(line, [](std::uint32_t x, std::uint32_t y, std::uint32_t) {
            EXPECT_EQ(y & sign, x & sign);
            const double magnitude = number(x & ~sign);
            if (!(magnitude < 2)) return;
            EXPECT_GT(number(y & ~sign), 0.9922 * std::exp(magnitude));
            EXPECT_LT(number(y & ~sign), 1.016 * std::exp(magnitude));
        });
    machine.fill_float(0, 1);
    machine.run("SFPARECIP lreg_c=0 lreg_dest=1 instr_mod1=2");
    EXPECT_EQ(number(machine.lreg(1)[0]), 2.703125f);
}

INSTANTIATE_TEST_SUITE_P(Blackhole, Approximations, testing::Values(Arch::blackhole),
                         [](const auto& test) { return std::string(name(test.param)); });

}  // namespace
}  // namespace tessera
