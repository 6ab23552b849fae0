// SPDX-License-Identifier: Apache-2.0
// Seed rwc-and-addressing, 4.1 and 4.2: address modifiers of a compiled matrix multiplication, as set by its SETC16
// instructions; rows and counters of a tile's 16 MVMULs, from the resolved plans.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "inspect/address_modifiers.hpp"
#include "plan/plan.hpp"
#include "support/stepper.hpp"
#include "units/resolve.hpp"

namespace {

using tessera::Arch;
using tessera::state::Rwc;
using tessera::test::Stepper;

// Values written by the kernel's SETC16 instructions: AB, DST and BIAS of sections 0, 5, 1, 2 and 4.
constexpr unsigned setc16[][2] = {{12, 2048}, {28, 8},     {47, 0},     {17, 49344}, {33, 11264},
                                  {52, 0},    {13, 16400}, {29, 8},     {48, 0},     {14, 24640},
                                  {30, 8},    {49, 0},     {16, 28768}, {32, 1024},  {51, 0}};

void configure(Stepper& step) {
    for (const auto& [addr32, value] : setc16) step(fmt::format("ttsetc16 {},{}", addr32, value));
    step("ttsetrwc 0,0,0,0,0,15");
}

TEST(MatmulTrace, AddressModifiersComeOutOfTheirSetc16Words) {
    Stepper step(Arch::blackhole);
    configure(step);
    std::vector<std::uint32_t> words;
    for (unsigned i = 0; i < step.state.arch().thread_config_words; ++i)
        words.push_back(step.state[tessera::state::cells::thread_config(0, i)]);
    const auto modifiers = tessera::inspect::address_modifiers({Arch::blackhole, words});
    const auto text = [&](unsigned section) {
        return modifiers.at(section).name == fmt::format("ADDR_MOD {}", section) ? modifiers[section].text : "?";
    };
    EXPECT_EQ(text(0), "SrcB + 8, Dst + 8");
    EXPECT_EQ(text(1), "SrcA + 16, SrcB to checkpoint, Dst + 8");
    EXPECT_EQ(text(2), "SrcA to checkpoint, SrcB to checkpoint + 32, Dst + 8");
    EXPECT_EQ(text(4), "SrcA to checkpoint + 32, SrcB to checkpoint - 16, Dst to checkpoint");  // 48 of 64
    EXPECT_EQ(text(5), "SrcA cleared, SrcB cleared, Dst cleared, fidelity + 1");
}

struct Step {
    unsigned modifier, b_row, a_row, dst_row;  // in use
    unsigned a, a_cr, b, b_cr, d;              // counters afterwards; Dst's checkpoint stays 0
};

// The table of 4.2, as printed.
constexpr Step steps[] = {
    {0, 0, 0, 0, 0, 0, 8, 0, 8},         {1, 8, 0, 8, 16, 0, 0, 0, 16},       {0, 0, 16, 16, 16, 0, 8, 0, 24},
    {2, 8, 16, 24, 0, 0, 32, 32, 32},    {0, 32, 0, 32, 0, 0, 40, 32, 40},    {1, 40, 0, 40, 16, 0, 32, 32, 48},
    {0, 32, 16, 48, 16, 0, 40, 32, 56},  {4, 40, 16, 56, 32, 32, 16, 16, 0},  {0, 16, 32, 0, 32, 32, 24, 16, 8},
    {1, 24, 32, 8, 48, 32, 16, 16, 16},  {0, 16, 48, 16, 48, 32, 24, 16, 24}, {2, 24, 48, 24, 32, 32, 48, 48, 32},
    {0, 48, 32, 32, 32, 32, 56, 48, 40}, {1, 56, 32, 40, 48, 32, 48, 48, 48}, {0, 48, 48, 48, 48, 32, 56, 48, 56},
    {5, 56, 48, 56, 0, 0, 0, 0, 0},
};

TEST(MatmulTrace, SixteenMultiplicationsOfATile) {
    Stepper step(Arch::blackhole);
    configure(step);
    auto& state = step.state;
    for (auto src : {tessera::state::Src::a, tessera::state::Src::b})
        state.write(tessera::state::cells::bank_owner(src, 0),
                    static_cast<std::uint32_t>(tessera::state::Owner::matrix));
    for (unsigned phase = 0; phase < 4; ++phase)
        for (unsigned i = 0; i < std::size(steps); ++i) {
            SCOPED_TRACE(fmt::format("phase {}, MVMUL {}", phase, i + 1));
            const Step& expected = steps[i];
            const auto text = fmt::format("ttmvmul 0,0,{},0", expected.modifier);
            const auto program = tessera::assemble(text, Arch::blackhole);
            ASSERT_TRUE(program);
            const auto instruction = tessera::isa::decode(program->threads[0][0].value, Arch::blackhole);
            tessera::plan::Plan plan;
            tessera::units::resolve(
                tessera::units::StateView(instruction, 0, state,
                                          tessera::units::costs(Arch::blackhole, tessera::Timing::documented), nullptr),
                plan);
            ASSERT_FALSE(plan.fault);
            const auto* work = std::get_if<tessera::plan::MultiplyWork>(&plan.work);
            ASSERT_NE(work, nullptr);
            EXPECT_EQ(work->b_row, expected.b_row);
            EXPECT_EQ(work->a_row, expected.a_row);
            EXPECT_EQ(work->dst_row, expected.dst_row);
            EXPECT_EQ(work->phase.number, phase);

            tessera::plan::apply(plan, tessera::plan::When::issue, state);
            EXPECT_EQ(step.rwc(0, Rwc::src_a), expected.a);
            EXPECT_EQ(step.rwc(0, Rwc::src_a_cr), expected.a_cr);
            EXPECT_EQ(step.rwc(0, Rwc::src_b), expected.b);
            EXPECT_EQ(step.rwc(0, Rwc::src_b_cr), expected.b_cr);
            EXPECT_EQ(step.rwc(0, Rwc::dst), expected.d);
            EXPECT_EQ(step.rwc(0, Rwc::dst_cr), 0u);
            EXPECT_EQ(step.rwc(0, Rwc::fidelity), (phase + (i == 15)) % 4);
        }
}

}  // namespace
