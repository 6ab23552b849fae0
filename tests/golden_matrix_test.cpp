// SPDX-License-Identifier: Apache-2.0
// Known results of ELWMUL and MVMUL, of the units' loops and of the reference: the arithmetic's own examples.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <vector>

#include "support/matrix_loops.hpp"

namespace tessera {
namespace {

using test::MatrixLoops;

reference::MathMode mode(bool acc32, bool E8, unsigned phase, bool wh) {
    reference::MathMode how;
    how.acc32 = acc32;
    how.E8 = E8;
    how.phase = phase;
    how.wh = wh;
    how.en = true;
    return how;
}

std::uint32_t elwmul_unit(std::uint32_t a, std::uint32_t b, std::uint32_t d, const reference::MathMode& how) {
    MatrixLoops loops(how);
    loops.a(0, a);
    loops.b(0, b);
    loops.d(0, d);
    loops.elwmul();
    return loops.result(0);
}

TEST(GoldenFacts, Elwmul) {
    struct Line {
        std::string_view what;
        std::uint32_t a, b, d;
        bool acc32;
        unsigned phase;
        bool e8;
        std::uint32_t expected;
    };
    constexpr Line lines[] = {
        {"1*1", 0x1FC00, 0x1FC00, 0, true, 0, true, 0x3F800000},
        {"1.5*1.5", 0x1FE00, 0x1FE00, 0, true, 0, true, 0x40100000},
        {"1.5*1.5 bf16", 0x1FE00, 0x1FE00, 0, false, 0, true, 0x40100000},
        {"pi*e phase 0", 0x20248, 0x20170, 0, true, 0, true, 0x4107F000},
        {"pi*e phase 1", 0x20248, 0x20170, 0, true, 1, true, 0x3D2E0000},
        {"pi*e phase 2", 0x20248, 0x20170, 0, true, 2, true, 0},
        {"pi*e phase 3", 0x20248, 0x20170, 0, true, 3, true, 0},
        {"inf*1", 0x3FC00, 0x1FC00, 0, true, 0, true, 0x7F800000},
        {"nan*1", 0x3FE00, 0x1FC00, 0, true, 0, true, 0x7F800000},
        {"inf*0", 0x3FC00, 0, 0, true, 0, true, 0},
        {"max*2", 0x3FBF8, 0x20000, 0, true, 0, true, 0x7F800000},
        {"0*1 on d=denorm", 0, 0x1FC00, 0x00400000, true, 0, true, 0},
        {"0*1 on d=-0", 0, 0x1FC00, 0x80000000, true, 0, true, 0},
        {"0*1 d=1.0", 0, 0x1FC00, 0x3F800000, true, 0, true, 0x3F800000},
        {"0*1 d=inf", 0, 0x1FC00, 0x7F800000, true, 0, true, 0x7F800000},
        {"0*1 d=nan", 0, 0x1FC00, 0x7FC00000, true, 0, true, 0x7F800000},
        {"fp16 1*1", 0x03C00, 0x03C00, 0, false, 0, false, 0x07800000},
        {"fp16 1*1 acc32", 0x03C00, 0x03C00, 0, true, 0, false, 0x3F800000},
        {"fp16 max*2", 0x07BFF, 0x04000, 0, false, 0, false, 0x0FF80000},
        {"fp16 7bff*4", 0x07BFF, 0x04400, 0, false, 0, false, 0x0FFFE000},
        {"fp16 7bff*7bff", 0x07BFF, 0x07BFF, 0, false, 0, false, 0x0FFFE000},
    };
    for (const Line& line : lines)
        for (bool wh : {false, true}) {
            SCOPED_TRACE(fmt::format("{}{}", line.what, wh ? " (Wormhole)" : ""));
            const auto how = mode(line.acc32, line.e8, line.phase, wh);
            EXPECT_EQ(reference::elwmul(line.a, line.b, line.d, how), line.expected);
            EXPECT_EQ(elwmul_unit(line.a, line.b, line.d, how), line.expected);
        }
}

// 16-bit Dst cannot hold 1 + 2^-8: what is added to it must round it, which a loop that loads 16 bits cannot be given.
TEST(GoldenFacts, ElwmulRoundsWhatIsInDst) {
    for (bool wh : {false, true})
        EXPECT_EQ(reference::elwmul(0, 0x1FC00, 0x3F808000, mode(false, true, 0, wh)), 0x3F810000u);
}

TEST(GoldenFacts, ElwmulInFourPhases) {
    for (bool wh : {false, true})
        for (bool acc32 : {false, true}) {
            std::uint32_t by_reference = 0, by_unit = 0;
            for (unsigned phase = 0; phase < 4; ++phase) {
                const auto how = mode(acc32, true, phase, wh);
                by_reference = reference::elwmul(0x20248, 0x20170, by_reference, how);
                by_unit = elwmul_unit(0x20248, 0x20170, by_unit, how);
            }
            EXPECT_EQ(by_reference, acc32 ? 0x41089E00u : 0x41090000u);
            EXPECT_EQ(by_unit, by_reference);
        }
}

constexpr std::uint32_t tf32(float x) { return std::bit_cast<std::uint32_t>(x) >> 13; }

TEST(GoldenFacts, Mvmul) {
    std::vector<float> ones(16, 1.0f), count, alternating, zeros(16, 0.0f), one_minus_one(16, 0.0f);
    for (int k = 1; k <= 16; ++k) {
        count.push_back(static_cast<float>(k));
        alternating.push_back(static_cast<float>(k % 2 ? k : -k));
    }
    one_minus_one[0] = 1;
    one_minus_one[1] = -1;
    const auto first = [&](float x) {
        auto all = ones;
        all[0] = x;
        return all;
    };
    auto both_groups = first(16384);
    both_groups[8] = 16384;
    struct Line {
        std::string_view what;
        std::vector<float> a;
        std::uint32_t d;
        bool acc32;
        std::uint32_t expected;
    };
    const Line lines[] = {
        {"16x 1*1", ones, 0, true, 0x41800000},
        {"16x 1*1 bf16", ones, 0, false, 0x41800000},
        {"16x + d=0.5", ones, 0x3F000000, true, 0x41840000},
        {"sum 1..16", count, 0, true, 0x43080000},
        {"sum 1..16 bf16", count, 0, false, 0x43080000},
        {"alt sum", alternating, 0, true, 0xC1000000},
        {"4096+15 (align drop)", first(4096), 0, true, 0x45804000},
        {"1024+15", first(1024), 0, true, 0x4481E000},
        {"16384+15", first(16384), 0, true, 0x46801000},
        {"2x16384+14", both_groups, 0, true, 0x47000000},
        {"all zero d=0", zeros, 0, true, 0},
        {"all zero d=1.5", zeros, 0x3FC00000, true, 0x3FC00000},
        {"all zero d=-0", zeros, 0x80000000, true, 0},
        {"1-1", one_minus_one, 0, true, 0},
        {"1-1 d=-0", one_minus_one, 0x80000000, true, 0},
    };
    for (const Line& line : lines)
        for (bool wh : {false, true}) {
            SCOPED_TRACE(fmt::format("{}{}", line.what, wh ? " (Wormhole)" : ""));
            const auto how = mode(line.acc32, true, 0, wh);
            std::array<std::uint32_t, 16> a, b;
            MatrixLoops loops(how);
            for (unsigned k = 0; k < 16; ++k) {
                a[k] = tf32(line.a[k]);
                b[k] = tf32(1);
                loops.a(k * state::columns, a[k]);
                loops.b(k, b[k]);
            }
            loops.d(0, line.d);
            loops.mvmul();
            EXPECT_EQ(reference::mvmul(a, b, line.d, how), line.expected);
            EXPECT_EQ(loops.result(0), line.expected);
        }
}

}  // namespace
}  // namespace tessera
