// SPDX-License-Identifier: Apache-2.0
// Elements explained step by step: by hand, and on random states compared with units and reference.
#include "plan/element_trace.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>
#include <nlohmann/json.hpp>

#include "formats/layouts.hpp"
#include "support/matrix_states.hpp"
#include "support/random_state.hpp"
#include "support/run_cli.hpp"
#include "support/stepper.hpp"
#include "support/temporary_directory.hpp"
#include "tessera/assembly.hpp"
#include "tessera/core.hpp"
#include "util/exact.hpp"

namespace tessera {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Exact, Text) {
    EXPECT_EQ(Exact().text(), "0");
    EXPECT_EQ(Exact(1, 0).text(), "1");
    EXPECT_EQ(Exact(-12, 0).text(), "-12");
    EXPECT_EQ(Exact(-12, -4).text(), "-3*2^-2");
    EXPECT_EQ(Exact(3, 50).text(), "3377699720527872");
    EXPECT_EQ(Exact(3, 60).text(), "3*2^60");
    EXPECT_EQ(Exact(1, -384).text(), "1*2^-384");
    EXPECT_EQ((Exact(1, 80) + Exact(1, 0)).text(), "1208925819614629174706177");
    EXPECT_EQ((Exact(1, 64) - Exact(1, -64)).text(), "340282366920938463463374607431768211455*2^-64");
    EXPECT_EQ((Exact(1, 300) + Exact(-1, -300) - Exact(1, 300)).text(), "-1*2^-300");
}

TEST(Exact, Order) {
    EXPECT_LT(Exact(-1, 200), Exact(1, -300));
    EXPECT_LT(Exact(3, -5), Exact(1, -3));
    EXPECT_FALSE(Exact(1, 3) < Exact(8, 0));
    EXPECT_EQ(Exact(1, 3), Exact(8, 0));
}

// Any of the elements that the plan computes.
std::optional<DstElement> element_of(const plan::Plan& plan, test::Choice& choose) {
    const auto set = [&](unsigned dst_row, unsigned rows, unsigned step) {
        return DstElement{(dst_row + choose.below(rows) * step) & 1023, choose.below(16)};
    };
    if (const auto* w = std::get_if<plan::MultiplyWork>(&plan.work)) return set(w->dst_row, w->rows, w->row_step);
    if (const auto* w = std::get_if<plan::ElementwiseWork>(&plan.work)) return set(w->dst_row, 8, 1);
    if (const auto* w = std::get_if<plan::PoolWork>(&plan.work)) return set(w->dst_row, 4, 1);
    return std::nullopt;
}

// Dst's contents there, in a trace's form.
std::uint32_t held(const state::State& state, const plan::Plan& plan, const ElementTrace& trace) {
    plan::DstMap map;
    bool fp16 = trace.numbers == "5-bit exponents";
    if (const auto* w = std::get_if<plan::MultiplyWork>(&plan.work)) map = w->map;
    if (const auto* w = std::get_if<plan::ElementwiseWork>(&plan.work)) map = w->map;
    if (const auto* w = std::get_if<plan::PoolWork>(&plan.work)) {
        map = w->map;
        fp16 = w->form == plan::PoolForm::fp16;
    }
    const unsigned row = map.row(trace.element.row);
    const auto datum = [&](unsigned r) -> std::uint32_t { return state.dst.datums[r * 16 + trace.element.column]; };
    if (map.wide) return formats::dst_join(datum(row), datum(plan::DstMap::low_half(row)));
    return fp16 ? formats::fp16_from_dst(datum(row)) : datum(row);
}

class ElementTraces : public testing::TestWithParam<Arch> {};

// The units' results are compared with the reference's at the same time.
TEST_P(ElementTraces, HaveTheBitsOfUnitsAndReference) {
    constexpr test::MatrixInstruction instructions[] = {
        {0x26, reference::mvmul},       {0x27, reference::elwmul}, {0x28, reference::elwadd}, {0x30, reference::elwsub},
        {0x33, reference::gmpool},      {0x34, reference::gapool}, {0x29, reference::dotpv},  {0x26, reference::mvmul},
        {0x22, reference::convolution}, {0x25, reference::apool},  {0x24, reference::mpool},
    };
    constexpr unsigned cases = 30000;
    test::MatrixStates states(GetParam(), 1);
    std::map<std::string, unsigned> met;
    unsigned differences = 0;
    for (unsigned i = 0; i < cases && !states.pair.hopeless() && differences < 5; ++i) {
        plan::Plan plan;
        std::optional<ElementTrace> trace;
        states.run_one(instructions[i % std::size(instructions)], [&](unsigned thread, std::uint32_t word) {
            const auto& costs = units::costs(GetParam(), Timing::documented);
            const auto instruction = isa::decode(word, GetParam());
            units::resolve(units::StateView(instruction, thread, states.pair.state(), costs, nullptr), plan);
            if (plan.fault) return;
            if (const auto element = element_of(plan, states.pair.choice))
                trace = plan::trace(plan, states.pair.state(), *element);
        });
        if (plan.fault) continue;
        ASSERT_TRUE(trace);
        const std::uint32_t bits = held(states.pair.state(), plan, *trace);
        if (trace->result_bits != bits) {
            ++differences;
            ADD_FAILURE() << fmt::format("{}: Dst holds 0x{:X}\n{}",
                                         disassemble_named(plan.instruction.word, GetParam()), bits, trace->describe());
        }
        ++met[fmt::format("{}, {}, {} bits, {}", trace->operation, trace->numbers, trace->dst_bits, trace->end)];
    }
    EXPECT_EQ(states.pair.differences, 0u);
    for (const char* operation : {"products", "product", "sum"})
        for (const char* numbers : {"8-bit exponents, 16 bits", "8-bit exponents, 32 bits", "5-bit exponents, 16 bits",
                                    "5-bit exponents, 32 bits", "integers, 32 bits"})
            EXPECT_GE(met[fmt::format("{}, {}, stored", operation, numbers)], 100u) << operation << ", " << numbers;
    for (const char* end : {"zero", "flushed", "saturated"})
        EXPECT_GE(met[fmt::format("product, 8-bit exponents, 16 bits, {}", end)], 10u) << end;
    for (const char* pool : {"maximum, 8-bit exponents, 16 bits, stored", "maximum, 5-bit exponents, 16 bits, stored",
                             "maximum, integers, 32 bits, stored"})
        EXPECT_GE(met[pool], 50u) << pool;
}

INSTANTIATE_TEST_SUITE_P(Archs, ElementTraces, testing::ValuesIn(all_archs),
                         [](const auto& arch) { return std::string(name(arch.param)); });

// SrcA's column 0 times ones, onto Dst's row 0.
class TracedByHand : public testing::Test {
protected:
    TracedByHand() {
        for (const char* off : {"DISABLE_IMPLIED_SRCA_FMT_Base", "DISABLE_IMPLIED_SRCB_FMT_Base"}) set(off, 1);
        set("ALU_FORMAT_SPEC_REG0_SrcA", 5);
        set("ALU_FORMAT_SPEC_REG1_SrcB", 5);
        step_.state.dst.valid.set();
        for (unsigned k = 0; k < 16; ++k) {
            a(k, 1);
            b(k, 1);
        }
    }
    void set(std::string_view field, std::uint32_t value) { test::set_field(step_.state, field, value); }
    void a(unsigned row, float x) { put(state::Src::a, row * 16, x); }
    void b(unsigned column, float x) { put(state::Src::b, column, x); }
    void dst(float x) { step_.state.dst.datums[0] = static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(x) >> 16); }

    ElementTrace operator()(const std::string& text, DstElement element = {}) {
        const auto word = assemble(text, Arch::blackhole).value().threads[0].front().value;
        const auto instruction = isa::decode(word, Arch::blackhole);
        const auto& costs = units::costs(Arch::blackhole, Timing::documented);
        plan::Plan plan;
        units::resolve(units::StateView(instruction, 0, step_.state, costs, nullptr), plan);
        return plan::trace(plan, step_.state, element).value();
    }

    test::Stepper step_{Arch::blackhole};

private:
    void put(state::Src src, unsigned i, float x) {
        step_.state.bank(src, 0).datums[i] = std::bit_cast<std::uint32_t>(x) & 0xFFFFE000;
    }
};

TEST_F(TracedByHand, SevenOnesAreLostBeside4096) {
    set("ALU_ACC_CTRL_Fp32_enabled", 1);
    a(2, 4096);
    const ElementTrace t = (*this)("MVMUL");
    ASSERT_EQ(t.products.size(), 16u);
    EXPECT_EQ(t.products[2].a.place, "SrcA bank 0 row 2 column 0");
    EXPECT_EQ(t.products[2].b.place, "SrcB bank 0 row 0 column 2");
    EXPECT_EQ(t.products[2].a.value, "4096");
    EXPECT_EQ(t.products[2].value, "4096");
    EXPECT_EQ(t.products[2].exponent, 127 + 12);
    EXPECT_EQ(t.products[2].mantissa, 1024);
    EXPECT_EQ(t.products[2].dropped, "0");
    EXPECT_EQ(t.products[0].shift, 12);
    EXPECT_EQ(t.products[0].aligned, 0);  // a quarter of the last place, rounded to nothing
    EXPECT_EQ(t.products[0].dropped, "1");
    ASSERT_EQ(t.groups.size(), 2u);
    EXPECT_EQ(t.groups[0].exponent, 139);
    EXPECT_EQ(t.groups[0].sum, 1024);
    EXPECT_EQ(t.groups[1].exponent, 127);
    EXPECT_EQ(t.groups[1].sum, 8 * 1024);
    ASSERT_EQ(t.terms.size(), 3u);
    EXPECT_EQ(t.terms[1].shift, 12);
    EXPECT_EQ(t.terms[1].aligned, 8 << 11);  // 2^23 is 1.0: 8 of 4096 is 2^14
    EXPECT_EQ(t.terms[2].name, "Dst");
    EXPECT_EQ(t.result_bits, 0x45804000u);
    EXPECT_EQ(t.result, "4104");
    EXPECT_EQ(t.exact, "4111");
    EXPECT_EQ(t.error, "-7");
    EXPECT_EQ(t.whole, "4111");
    EXPECT_EQ(t.end, "stored");
}

TEST_F(TracedByHand, APhaseUsesSomeBits) {
    a(0, 1.9921875f);  // 1.1111111: of SrcA 1.1111 now, 0.0000011 in phase 1
    const ElementTrace t = (*this)("ELWMUL");
    ASSERT_EQ(t.products.size(), 1u);
    const auto& p = t.products[0];
    EXPECT_EQ(p.a.slice_bits, 0x7C0u);
    EXPECT_EQ(p.b.slice_bits, 0x7F0u);
    EXPECT_EQ(p.a.slice, 31);
    EXPECT_EQ(p.b.slice, 64);
    EXPECT_EQ(p.a.value, "255*2^-7");
    EXPECT_EQ(p.a.used, "31*2^-4");
    EXPECT_EQ(t.result, "31*2^-4");
    EXPECT_EQ(t.error, "0");
    EXPECT_EQ(t.whole, "255*2^-7");
    EXPECT_EQ(t.whole_error, "-7*2^-7");

    set("FIDELITY_BASE_Phase", 1);
    const ElementTrace low = (*this)("ELWMUL");
    EXPECT_EQ(low.phase, 1u);
    EXPECT_EQ(low.products[0].a.slice_bits, 0x3Eu);
    EXPECT_EQ(low.products[0].a.slice, 28);
    EXPECT_EQ(low.result, "7*2^-7");
}

TEST_F(TracedByHand, SumsRoundTwiceInto16Bits) {
    a(0, 1);
    b(0, 0.0078125f * 3 / 4);  // 1 + 3/4 of the last place of a BF16
    const ElementTrace t = (*this)("ELWADD");
    ASSERT_TRUE(t.sum);
    EXPECT_FALSE(t.sum->swapped);
    EXPECT_EQ(t.sum->shift, 8);
    EXPECT_EQ(t.sum->aligned, 6);
    EXPECT_EQ(t.sum->mantissa, 1030);
    EXPECT_EQ(t.sum->dropped, "0");
    EXPECT_EQ(t.terms[0].kept, 1030 << 13);
    ASSERT_TRUE(t.rounding);
    EXPECT_EQ(t.rounding->dropped, "-1*2^-9");
    EXPECT_EQ(t.result_bits, 0x3F81u);
    EXPECT_EQ(t.exact, "515*2^-9");
    EXPECT_EQ(t.error, "1*2^-9");
    EXPECT_FALSE(t.accumulates);
}

TEST_F(TracedByHand, EndsOtherThanStored) {
    a(0, 0);
    dst(-0.0f);
    EXPECT_EQ((*this)("ELWMUL").end, "flushed");  // of two zeros no exponent is left
    dst(-1.0f);
    a(0, 1);
    EXPECT_EQ((*this)("ELWMUL").end, "zero");
    a(0, 0x1p127f);
    dst(0x1p127f);
    const ElementTrace infinite = (*this)("ELWMUL");
    EXPECT_EQ(infinite.end, "saturated");
    EXPECT_EQ(infinite.result_bits, 0x7F80u);
    EXPECT_EQ(infinite.result, "infinity");
    EXPECT_EQ(infinite.exact, "1*2^128");
    EXPECT_EQ(infinite.error, "");
}

// -2^-23 at the exponent that 1 - 1 leaves: a sum of -1 unit.
TEST_F(TracedByHand, WormholesLeadingSignBug) {
    b(0, -1);
    plan::ElementwiseWork work;
    work.accumulate = work.map.wide = work.renormalise_bug = true;
    work.a_keep = work.b_keep = ~0u;
    step_.state.dst.datums[0] = 0xB400;
    step_.state.dst.datums[8 * 16] = 0;
    const ElementTrace t = plan::trace(work, step_.state, {});
    EXPECT_EQ(t.rounding->sum, -1);
    EXPECT_TRUE(t.rounding->leading_sign_bug);
    EXPECT_EQ(t.result_bits, 0xC1800000u);
    EXPECT_EQ(t.exact, "-1*2^-23");
    EXPECT_EQ(t.result, "-16");
    EXPECT_EQ(t.error, "-134217727*2^-23");
    work.renormalise_bug = false;
    EXPECT_EQ(plan::trace(work, step_.state, {}).result_bits, 0xB4000000u);
}

TEST_F(TracedByHand, TheLargestCandidateWins) {
    for (unsigned k = 0; k < 16; ++k) a(k, static_cast<float>(k == 5 ? 8 : -8));
    b(9, 32);
    a(9, 0.5f);
    const ElementTrace t = (*this)("GMPOOL instr_mod19=1");
    EXPECT_EQ(t.operation, "maximum");
    ASSERT_EQ(t.candidates.size(), 17u);
    EXPECT_EQ(t.candidates[0].place, "Dst");
    EXPECT_EQ(t.candidates[1].place, "SrcA bank 0 row 4 column 0");
    EXPECT_EQ(t.candidates[2].value, "8");
    std::vector<unsigned> winners;
    for (unsigned i = 0; i < 17; ++i)
        if (t.candidates[i].wins) winners.push_back(i);
    EXPECT_THAT(winners, ElementsAre(10));
    EXPECT_EQ(t.result, "16");
    EXPECT_EQ((*this)("GMPOOL instr_mod19=1", {2, 0}).operation, "cleared");
}

TEST_F(TracedByHand, TheLargerOperandOfASumComesFirst) {
    a(0, 0.5f);
    b(0, 4);
    const ElementTrace t = (*this)("ELWSUB");
    ASSERT_TRUE(t.sum);
    EXPECT_TRUE(t.sum->swapped);
    EXPECT_EQ(t.sum->shift, 3);
    EXPECT_EQ(t.sum->aligned, 128);
    EXPECT_EQ(t.sum->mantissa, 128 - 1024);
    EXPECT_EQ(t.sum->exponent, 129);
    EXPECT_EQ(t.sum->dropped, "0");
    EXPECT_EQ(t.sum->b.place, "SrcB bank 0 row 0 column 0");
    EXPECT_EQ(t.exact, "-7*2^-1");
    EXPECT_EQ(t.result, "-7*2^-1");
    EXPECT_EQ(t.result_bits, 0xC060u);
    b(0, 0.5f);
    EXPECT_FALSE((*this)("ELWSUB").sum->swapped) << "as large";
    EXPECT_EQ((*this)("ELWSUB").end, "zero");
    EXPECT_EQ((*this)("ELWADD").sum->shift, 0);
    // 2^-11 of the larger one is half of the last place, which is rounded up.
    b(0, 0x1p-12f);
    const ElementTrace small = (*this)("ELWADD");
    EXPECT_EQ(small.sum->shift, 11);
    EXPECT_EQ(small.sum->aligned, 1);
    EXPECT_EQ(small.sum->dropped, "-1*2^-12");
}

// Sums know no phases but are divided as products are: by 2^5 for SrcA's low bits, by 2^7 for SrcB's.
TEST_F(TracedByHand, APhaseDividesASum) {
    const char* const exact[] = {"2", "1*2^-4", "1*2^-6", "1*2^-11"};
    const char* const whole_error[] = {"0", "-31*2^-4", "-127*2^-6", "-4095*2^-11"};
    for (unsigned phase = 0; phase < 4; ++phase) {
        set("FIDELITY_BASE_Phase", phase);
        const ElementTrace t = (*this)("ELWADD");
        EXPECT_EQ(t.phase, phase);
        EXPECT_EQ(t.exact, exact[phase]);
        EXPECT_EQ(t.result, exact[phase]);
        EXPECT_EQ(t.error, "0");
        EXPECT_EQ(t.whole, "2");
        EXPECT_EQ(t.whole_error, whole_error[phase]);
    }
}

// 2^-200 has no exponent in a BF16.
TEST_F(TracedByHand, ProductsThatAreTooSmallVanish) {
    for (unsigned k = 0; k < 8; ++k) {
        a(k, 0x1p-100f);
        b(k, 0x1p-100f);
    }
    const ElementTrace one = (*this)("ELWMUL");
    EXPECT_EQ(one.products[0].exponent, 27 + 27 - 127);
    EXPECT_EQ(one.products[0].value, "1*2^-200");
    EXPECT_EQ(one.products[0].aligned, 0);
    EXPECT_EQ(one.products[0].dropped, "1*2^-200");
    EXPECT_EQ(one.end, "flushed");
    EXPECT_EQ(one.error, "-1*2^-200");
    const ElementTrace all = (*this)("MVMUL");
    ASSERT_EQ(all.groups.size(), 2u);
    EXPECT_TRUE(all.groups[0].vanishes);
    EXPECT_EQ(all.groups[0].exponent, 27 + 27 - 127);
    EXPECT_EQ(all.products[0].shift, 0);
    EXPECT_EQ(all.groups[0].first, 0u);
    EXPECT_EQ(all.groups[0].sum, 0);
    EXPECT_FALSE(all.groups[1].vanishes);
    EXPECT_EQ(all.groups[1].first, 8u);
    EXPECT_EQ(all.groups[1].count, 8u);
    EXPECT_EQ(all.products[7].dropped, "1*2^-200");
    EXPECT_EQ(all.products[8].dropped, "0");
    EXPECT_EQ(all.terms[0].name, "products 0 to 7");
    EXPECT_EQ(all.terms[1].name, "products 8 to 15");
    EXPECT_EQ(all.terms[0].exponent, 0);
    EXPECT_EQ(all.result, "8");
    EXPECT_EQ(all.error, "-1*2^-197");
}

// MVMUL, Functional model: the bits of 100 and 50 that each phase multiplies, which are 5000 together.
TEST_F(TracedByHand, IntegersInFourPhases) {
    set("ALU_ACC_CTRL_INT8_math_enabled", 1);
    const auto put = [&](state::Src src, unsigned i, std::int32_t x) {
        const std::uint32_t magnitude = static_cast<std::uint32_t>(std::abs(x));
        step_.state.bank(src, 0).datums[i] = (x < 0 ? 1u << 31 : 0) | (x ? 16u << 23 : 0) | magnitude << 13;
    };
    for (unsigned k = 0; k < 16; ++k) {
        put(state::Src::a, k * 16, k == 3 ? -100 : 0);
        put(state::Src::b, k, 50);
    }
    struct {
        unsigned a_bits, b_bits;
        int a, b;
    } constexpr phases[] = {{0xE0, 0x3F0, 96, 48}, {0x1F, 0x3F0, 4, 48}, {0xE0, 0xF, 96, 2}, {0x1F, 0xF, 4, 2}};
    int together = 0;
    for (unsigned phase = 0; phase < 4; ++phase) {
        const auto& [a_bits, b_bits, of_a, of_b] = phases[phase];
        const int product = of_a * of_b;
        together += product;
        set("FIDELITY_BASE_Phase", phase);
        const ElementTrace t = (*this)("MVMUL");
        EXPECT_EQ(t.numbers, "integers");
        EXPECT_EQ(t.dst_bits, 32u);
        ASSERT_EQ(t.groups.size(), 1u);
        EXPECT_EQ(t.groups[0].count, 16u);
        EXPECT_EQ(t.groups[0].sum, -product);
        EXPECT_FALSE(t.groups[0].vanishes);
        EXPECT_EQ(t.products[3].a.slice_bits, a_bits);
        EXPECT_EQ(t.products[3].b.slice_bits, b_bits);
        EXPECT_EQ(t.products[3].a.slice, -of_a);
        EXPECT_EQ(t.products[3].b.slice, of_b);
        EXPECT_EQ(t.products[3].a.value, "-100");
        EXPECT_EQ(t.products[3].a.used, fmt::format("-{}", of_a));
        EXPECT_EQ(t.result, fmt::format("-{}", product));
        EXPECT_EQ(t.result_bits, 0x8000'0000u | static_cast<unsigned>(product));
        EXPECT_EQ(t.error, "0");
        EXPECT_EQ(t.whole, "-5000");
        EXPECT_EQ(t.whole_error, fmt::format("{}", 5000 - product));
    }
    EXPECT_EQ(together, 5000);
    set("FIDELITY_BASE_Phase", 0);
    put(state::Src::a, 0, -100);
    const ElementTrace sum = (*this)("ELWADD");
    EXPECT_EQ(sum.sum->mantissa, -50);
    EXPECT_EQ(sum.result, "-50");
    EXPECT_EQ(sum.end, "stored");
    put(state::Src::a, 0, -50);
    EXPECT_EQ((*this)("ELWADD").end, "zero");
}

// Sign and magnitude of 31 bits.
TEST_F(TracedByHand, IntegersSaturate) {
    set("ALU_ACC_CTRL_INT8_math_enabled", 1);
    for (const bool negative : {false, true}) {
        const std::uint32_t sign = negative ? 0x8000'0000 : 0;
        step_.state.bank(state::Src::a, 0).datums[0] = sign | 16u << 23 | 96 << 13;
        step_.state.bank(state::Src::b, 0).datums[0] = 16u << 23 | 48 << 13;
        for (const std::uint32_t below : {4608u, 4607u}) {
            const std::uint32_t old = sign | (0x7FFF'FFFF - below);
            plan::DstMap wide;
            wide.wide = true;
            step_.state.dst.datums[wide.row(0) * 16] = static_cast<std::uint16_t>(old >> 16);
            const unsigned low = plan::DstMap::low_half(wide.row(0)) * 16;
            step_.state.dst.datums[low] = static_cast<std::uint16_t>(formats::dst_low(old));
            const ElementTrace t = (*this)("ELWMUL");
            EXPECT_EQ(t.old_value, fmt::format("{}{}", negative ? "-" : "", 0x7FFF'FFFF - below));
            EXPECT_EQ(t.result_bits, sign | 0x7FFF'FFFF);
            EXPECT_EQ(t.end, below == 4608 ? "stored" : "saturated");
            EXPECT_EQ(t.error, below == 4608 ? "0" : negative ? "1" : "-1");
        }
    }
}

// FP16 has exponents of 5 bits, the highest of which is a number like the others.
TEST_F(TracedByHand, NumbersWith5BitsOfExponent) {
    set("ALU_FORMAT_SPEC_REG0_SrcA", 1);
    set("ALU_FORMAT_SPEC_REG1_SrcB", 1);
    const auto power = [&](state::Src src, int exponent) {
        step_.state.bank(src, 0).datums[0] = static_cast<std::uint32_t>(exponent + 15) << 23;
    };
    power(state::Src::a, 3);
    power(state::Src::b, -1);
    const ElementTrace four = (*this)("ELWMUL");
    EXPECT_EQ(four.numbers, "5-bit exponents");
    EXPECT_EQ(four.products[0].a.value, "8");
    EXPECT_EQ(four.products[0].b.value, "1*2^-1");
    EXPECT_EQ(four.products[0].exponent, 17);
    EXPECT_EQ(four.result, "4");
    EXPECT_EQ(four.result_bits, 17u << 10);
    power(state::Src::a, 15);
    power(state::Src::b, 1);
    const ElementTrace highest = (*this)("ELWMUL");
    EXPECT_EQ(highest.end, "stored");
    EXPECT_EQ(highest.result, "65536");
    power(state::Src::b, 10);
    const ElementTrace beyond = (*this)("ELWMUL");
    EXPECT_EQ(beyond.end, "saturated");
    EXPECT_EQ(beyond.result, "131008");
    EXPECT_EQ(beyond.result_bits, 0x7FFFu);
    EXPECT_EQ(beyond.exact, "33554432");
    EXPECT_EQ(beyond.error, fmt::format("-{}", 33554432 - 131008));
}

TEST_F(TracedByHand, CandidatesOfAMaximum) {
    for (unsigned k = 0; k < 16; ++k) a(k, k == 2 ? -3.0f : -8.0f);
    b(2, 4);
    b(3, 0);
    const ElementTrace t = (*this)("GMPOOL instr_mod19=1");
    ASSERT_EQ(t.candidates.size(), 17u);
    // Rows 4 to 7, 0 to 3, and 8 to 15.
    for (unsigned step = 0; step < 16; ++step)
        EXPECT_EQ(t.candidates[1 + step].place, fmt::format("SrcA bank 0 row {} column 0", step < 8 ? step ^ 4 : step));
    const auto &of_2 = t.candidates[7], &of_3 = t.candidates[8], &of_8 = t.candidates[9];
    EXPECT_EQ(of_2.bits, 0xC040'0000u);
    EXPECT_EQ(of_2.scale, 129);
    EXPECT_EQ(of_2.compared, -((128 + 129) << 10 | 0x200));
    EXPECT_EQ(of_2.value, "-12");
    EXPECT_EQ(of_3.scale, 0);
    EXPECT_EQ(of_3.value, "lowest");
    EXPECT_EQ(of_3.compared, -0x7FFFF);
    EXPECT_EQ(of_8.scale, 127);
    EXPECT_EQ(of_8.value, "-8");
    // Dst's zero is larger than all.
    for (unsigned i = 0; i < 17; ++i) EXPECT_EQ(t.candidates[i].wins, i == 0) << i;
    EXPECT_EQ(t.result, "0");
    for (const unsigned row : {1u, 2u, 3u}) {
        const ElementTrace cleared = (*this)("GMPOOL instr_mod19=1", {row, 15});
        EXPECT_EQ(cleared.operation, "cleared");
        EXPECT_EQ(cleared.result, "0");
        EXPECT_TRUE(cleared.candidates.empty());
    }
}

TEST_F(TracedByHand, AsATable) {
    a(2, 4096);
    set("ALU_ACC_CTRL_Fp32_enabled", 1);
    const std::string text = (*this)("MVMUL").describe();
    EXPECT_THAT(text, HasSubstr("element 0,0 of Dst (32-bit view): products, 8-bit exponents, fidelity phase 0"));
    EXPECT_THAT(text, HasSubstr("mantissa bits 0x7C0 of SrcA and 0x7F0 of SrcB"));
    EXPECT_THAT(text, HasSubstr("error -7"));
}

// MOVB2A is still in flight when ELWADD is issued; ELWADD and its explained element use the moved values.
TEST(ElementsInARun, AreMadeOfWhatTheInstructionFindsWhenItExecutes) {
    const Program program = assemble(R"(.thread math
SETDVALID setvalid=3
MOVB2A srca=0 srcb=0
ELWADD
)",
                                     Arch::blackhole)
                                .value();
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        Core core(Arch::blackhole);
        core.src_b()[0][0] = std::bit_cast<std::uint32_t>(1.5f);
        RunOptions options;
        if (seed) options.seed = seed;
        options.elements = {{0, 0}};
        options.explain = [](unsigned, std::int64_t, std::uint32_t) { return true; };
        const auto run = core.run(program, options).value();
        ASSERT_EQ(run.explanations.size(), 1u);
        ASSERT_EQ(run.explanations[0].elements.size(), 1u);
        const ElementTrace& t = run.explanations[0].elements[0];
        EXPECT_EQ(t.sum->a.value, "3*2^-1");
        EXPECT_EQ(t.result, "3");
        EXPECT_EQ(t.result_bits, core.dst()[0]);
    }
}

// Elements in a run are those of the instruction's execution; other instructions are not explained.
class ElementsOfAJob : public testing::Test {
protected:
    test::CliOutcome explain(std::vector<std::string> more) const {
        more.insert(more.begin(), {"explain", job_});
        return test::run_cli(more);
    }

    test::TemporaryDirectory directory_;
    std::string job_ = directory_.write("job.toml", R"(
arch = "blackhole"
[threads]
math = ["SETDVALID setvalid=3", "MVMUL dst=8", "ELWADD dst=16", "ELWADD dst=8"]
)");
};

TEST_F(ElementsOfAJob, AreThoseOfInstructionsThatComputeThem) {
    for (const char* how : {"--timing=documented", "--reference", "--seed=1"}) {
        const auto reported = explain({"--element", "9,3", "--element", "17,0", "--json", how});
        ASSERT_EQ(reported.status, 0) << reported.err;
        const auto explanations = nlohmann::json::parse(reported.out)["explanations"];
        ASSERT_EQ(explanations.size(), 3u);
        for (const auto& one : explanations) EXPECT_EQ(one["elements"].size(), 1u);
        const auto& mvmul = explanations[0]["elements"][0];
        EXPECT_EQ(mvmul["row"], 9);
        EXPECT_EQ(mvmul["column"], 3);
        EXPECT_EQ(mvmul["operation"], "products");
        EXPECT_EQ(mvmul["products"].size(), 16u);
        EXPECT_EQ(explanations[1]["elements"][0]["row"], 17);
        EXPECT_EQ(explanations[2]["elements"][0]["operation"], "sum");
    }
}

TEST_F(ElementsOfAJob, InText) {
    const auto reported = explain({"--element=8,15", "--limit=1"});
    ASSERT_EQ(reported.status, 0) << reported.err;
    EXPECT_THAT(reported.out, HasSubstr("MVMUL"));
    EXPECT_THAT(reported.out, HasSubstr("element 8,15 of Dst (16-bit view): products"));
    EXPECT_THAT(reported.out, testing::Not(HasSubstr("ELWADD")));
}

TEST_F(ElementsOfAJob, ThatNobodyComputesOrThatAreNone) {
    EXPECT_THAT(explain({"--element=100,0"}).err, HasSubstr("cli.selection"));
    for (const char* wrong : {"8", "8,", ",8", "8,16", "1024,0", "8,1x", "-1,0", "8.1"})
        EXPECT_THAT(explain({std::string("--element=") + wrong}).err, HasSubstr("cli.element")) << wrong;
}

}  // namespace
}  // namespace tessera
