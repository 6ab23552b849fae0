// SPDX-License-Identifier: Apache-2.0
// Known results of the matrix unit, for its loops and for the reference: the arithmetic's own examples.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

#include "reference/matrix.hpp"
#include "state/inventory.hpp"
#include "support/matrix_loops.hpp"
#include "support/random_state.hpp"
#include "support/stepper.hpp"

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

// Integers and counters, by instructions.
class GoldenMatrix : public testing::TestWithParam<Arch> {
protected:
    GoldenMatrix() {
        for (const char* on :
             {"DISABLE_IMPLIED_SRCA_FMT_Base", "DISABLE_IMPLIED_SRCB_FMT_Base", "ALU_ACC_CTRL_INT8_math_enabled"})
            test::set_field(state(), on, 1);
    }
    state::State& state() { return step_.state; }
    void rwc(state::Rwc counter, std::uint32_t value) { state().write(state::cells::rwc(0, counter), value); }
    void put(state::Storage storage, int x) {
        const auto magnitude = static_cast<std::uint32_t>(std::abs(x));
        state::write(state(), storage, 0, (x < 0 ? 1u << 18 : 0) | magnitude << 8 | 16);
    }
    // By the unit, and by the reference on a copy.
    int product(int a, int b, unsigned phase, int d) {
        put(state::Storage::src_a, a);
        put(state::Storage::src_b, b);
        const std::uint32_t old = reference::WriteDstInt32(d);
        state::write(state(), state::Storage::dst, 0, old >> 16);
        state::write(state(), state::Storage::dst, 8 * state::columns, old & 0xFFFF);
        state().dst.valid.set();
        rwc(state::Rwc::fidelity, phase);
        state::State copy = state();
        reference::elwmul(copy, 0, assemble("ELWMUL", GetParam()).value().threads[0].front().value);
        step_("ELWMUL");
        const auto held = [](const state::State& s) {
            const auto half = [&](unsigned row) {
                return static_cast<std::uint32_t>(state::read(s, state::Storage::dst, row * state::columns));
            };
            return reference::ReadDstInt32(half(0) << 16 | half(8));
        };
        EXPECT_EQ(held(state()), held(copy));
        return held(state());
    }

    test::Stepper step_{GetParam()};
};

TEST_P(GoldenMatrix, Int8) {
    for (unsigned phase = 0; phase < 4; ++phase) EXPECT_EQ(product(31, 15, phase, 0), phase == 3 ? 465 : 0) << phase;
    int sum = 0;
    for (unsigned phase = 0; phase < 4; ++phase) sum = product(-200, 100, phase, sum);
    EXPECT_EQ(sum, -20000);
    EXPECT_EQ(product(-200, 100, 3, 0), -8 * 4);
    EXPECT_EQ(product(-200, 100, 2, 0), -192 * 4);
    EXPECT_EQ(product(-200, 100, 1, 0), -8 * 96);
    EXPECT_EQ(product(-200, 100, 0, 0), -192 * 96);
}

TEST_P(GoldenMatrix, Counters) {
    test::set_field(state(), "ADDR_MOD_AB_SEC0_SrcAIncr", 48);
    test::set_field(state(), "ADDR_MOD_AB_SEC0_SrcACR", 1);
    test::set_field(state(), "ADDR_MOD_DST_SEC0_DestIncr", 0x3F8);
    rwc(state::Rwc::src_a_cr, 32);
    rwc(state::Rwc::dst, 4);
    step_("ELWADD addr_mode=0");
    EXPECT_EQ(step_.rwc(0, state::Rwc::src_a_cr), 16u);
    EXPECT_EQ(step_.rwc(0, state::Rwc::src_a), 16u);
    EXPECT_EQ(step_.rwc(0, state::Rwc::dst), 1020u);

    const auto setrwc = [&](const char* text) {
        rwc(state::Rwc::dst, 10);
        rwc(state::Rwc::dst_cr, 2);
        step_(text);
        EXPECT_EQ(step_.rwc(0, state::Rwc::dst), step_.rwc(0, state::Rwc::dst_cr));
        return step_.rwc(0, state::Rwc::dst);
    };
    EXPECT_EQ(setrwc("SETRWC rwc_cr=8 rwc_d=3 BitMask=4"), 13u);
    EXPECT_EQ(setrwc("SETRWC rwc_cr=4 rwc_d=3 BitMask=4"), 5u);
}

INSTANTIATE_TEST_SUITE_P(Archs, GoldenMatrix, testing::ValuesIn(all_archs),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera
