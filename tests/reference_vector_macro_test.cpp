// SPDX-License-Identifier: Apache-2.0
// SFPLOADMACRO in the reference, cycle by cycle: statements of its page.
#include "reference/vector_macro.hpp"

#include "support/vector_bench.hpp"

namespace tessera::test {
namespace {

using reference::MacroSchedule;
using reference::Outcome;

constexpr std::uint32_t nop = opcode::sfpnop << 24, simple = 0, mad = 8, round = 16, store = 24;

/// A byte of a sequence.
constexpr std::uint32_t step(std::uint32_t what, std::uint32_t delay, std::uint32_t bits = 0) {
    return bits | delay << 3 | what;
}

class VectorMacro : public OnVectorBench {
protected:
    MacroSchedule schedule{bench.state()};

    void configure(state::Macro word, std::uint32_t value, std::uint32_t i = 0) {
        for (unsigned column = 0; column < 8; ++column)
            bench.state().write(state::cells::macro(column, word, i), value);
    }
    void sequence(std::uint32_t value) { configure(state::Macro::sequence_0, value); }
    void record(std::uint32_t i, std::uint32_t word) { configure(state::Macro::template_0, word, i); }
    void cycle(std::uint32_t word) { EXPECT_EQ(schedule.cycle(MacroSchedule::Issued{1, word}), Outcome::done); }
    void idle_cycle() { EXPECT_EQ(schedule.cycle({}), Outcome::done); }
    /// Macro 0, MOD0_FMT_ZERO, so that the register is 0.
    void macro(std::uint32_t lreg = 0) { cycle(exchange_word(opcode::sfploadmacro, lreg, 11, 0)); }
};

// SFPIADD of an immediate, by the simple sub-unit, adds 1 to the register when its cycle comes.
constexpr std::uint32_t add_one = vector_immediate(opcode::sfpiadd, 1, {0, 0, 0, 12, 5});

TEST_P(VectorMacro, DelaysCountCycles) {
    record(0, add_one);
    for (std::uint32_t delay = 0; delay < 8; ++delay) {
        sequence(step(4, delay) << simple);
        macro();
        for (std::uint32_t n = 0; n < delay; ++n) {
            idle_cycle();
            EXPECT_EQ(bench.lane(0, 3), 0u) << delay;
            EXPECT_FALSE(schedule.idle());
        }
        idle_cycle();
        EXPECT_EQ(bench.lane(0, 3), 1u) << delay;
        EXPECT_TRUE(schedule.idle());
    }
}

TEST_P(VectorMacro, DelaysCountInstructionsWhereOneAsksForThat) {
    record(0, add_one);
    configure(state::Macro::misc, 1u << 10);  // of the round sub-unit: all wait then
    sequence(step(4, 1) << simple | step(2, 2) << round);
    macro();
    for (int n = 0; n < 5; ++n) idle_cycle();
    EXPECT_EQ(bench.lane(0, 3), 0u);
    cycle(nop);
    idle_cycle();
    EXPECT_EQ(bench.lane(0, 3), 1u);
    EXPECT_FALSE(schedule.idle());
    cycle(nop);
    idle_cycle();
    EXPECT_TRUE(schedule.idle());
}

TEST_P(VectorMacro, ALaterMacroReplacesWhatIsDueAtTheSameTime) {
    record(0, add_one);
    sequence(step(4, 3) << simple);
    macro();
    idle_cycle();
    sequence(step(4, 1) << simple);
    macro(1);
    for (int n = 0; n < 4; ++n) idle_cycle();
    EXPECT_EQ(bench.lane(0, 3), 0u);
    EXPECT_EQ(bench.lane(1, 3), 1u);
    // Not with nothing to schedule (V65).
    sequence(step(4, 3) << simple);
    macro();
    sequence(step(0, 2) << simple);
    macro(1);
    for (int n = 0; n < 4; ++n) idle_cycle();
    EXPECT_EQ(bench.lane(0, 3), 1u);
}

TEST_P(VectorMacro, RegularInstructionsGiveWayInTheSameSubUnit) {
    record(0, add_one);
    bench.fill(5, 7);
    sequence(step(4, 0) << simple);
    macro();
    cycle(vector_word(opcode::sfpmov, {0, 0, 5, 6, 0}));
    EXPECT_EQ(bench.lane(6, 3), 0u);
    EXPECT_EQ(bench.lane(0, 3), 1u);
    macro();
    cycle(vector_word(opcode::sfpmad, {5, 5, 10, 6, 0}));
    EXPECT_EQ(bench.lane(6, 3), 0x3F800000u);
}

// VB or VC, and VD, are the macro's: x * x + 1 in LReg16, which an SFPSTORE takes from there.
TEST_P(VectorMacro, RegistersAndStoreAreTheMacros) {
    constexpr std::uint32_t use_vb = 0x80, lreg16 = 0x40, fp32 = 3;
    for (std::uint32_t column = 0; column < 16; ++column) {
        state::write(bench.state(), state::Storage::dst, column, 0x0080);  // 2.0
        state::write(bench.state(), state::Storage::dst, 8 * 16 + column, 0);
    }
    bench.fill(5, 0x40400000);  // 3.0
    record(1, vector_word(opcode::sfpmad, {5, 0, 10, 13, 0}));
    configure(state::Macro::misc, fp32);
    sequence(step(5, 0, use_vb | lreg16) << mad | step(3, 2, lreg16) << store);
    bench.state().write(state::cells::rwc(1, state::Rwc::dst), 0);
    cycle(exchange_word(opcode::sfploadmacro, 2, fp32, 0));
    EXPECT_EQ(bench.lane(2, 3), 0x40000000u);
    // Counters that move on in between do not matter to the store.
    bench.state().write(state::cells::rwc(1, state::Rwc::dst), 64);
    for (int n = 0; n < 3; ++n) idle_cycle();
    EXPECT_EQ(bench.lane(16, 3), 0x40E00000u);
    EXPECT_EQ(bench.lane(2, 3), 0x40000000u);
    EXPECT_EQ(state::read(bench.state(), state::Storage::dst, 6), 0x6081u);
    EXPECT_EQ(state::read(bench.state(), state::Storage::dst, 7), 0x0080u);
}

// If the encoding has no VC, it is the VD of the template, a constant; the load's mode serves the store if requested.
TEST_P(VectorMacro, RegistersThatATemplateHasNot) {
    constexpr std::uint32_t use_vb = 0x80, fp32 = 3, zero = 11;
    bench.fill(12, 0x40400000);  // 3.0
    record(0, vector_immediate16(opcode::sfpaddi, 0x4000, 12, 0));
    configure(state::Macro::misc, 1u << 4 | zero);
    sequence(step(4, 0, use_vb) << mad | step(3, 2) << store);
    cycle(exchange_word(opcode::sfploadmacro, 2, fp32, 0));
    for (int n = 0; n < 3; ++n) idle_cycle();
    EXPECT_EQ(bench.lane(2, 3), 0x40A00000u);
    EXPECT_EQ(state::read(bench.state(), state::Storage::dst, 6), 0x2081u);
    configure(state::Macro::misc, zero);
    cycle(exchange_word(opcode::sfploadmacro, 2, fp32, 0));
    for (int n = 0; n < 3; ++n) idle_cycle();
    EXPECT_EQ(state::read(bench.state(), state::Storage::dst, 6), 0u);
}

// An instruction that the sub-unit cannot execute becomes SFPNOP; the store sub-unit has none.
TEST_P(VectorMacro, SubUnitsTakeTheirInstructions) {
    record(0, add_one);
    for (std::uint32_t unit : {mad, round}) {
        sequence(step(4, 0) << unit);
        macro();
        idle_cycle();
        EXPECT_EQ(bench.lane(0, 3), 0u);
    }
    for (std::uint32_t bad : {step(4, 0) << store, step(2, 0) << store, step(1, 0) << simple}) {
        sequence(bad);
        macro();
        EXPECT_TRUE(schedule.idle());  // spec-notes V71
    }
}

TEST_P(VectorMacro, WithoutAnythingToScheduleItIsALoad) {
    bench.fill(6, 5);
    bench.run(exchange_word(opcode::sfploadmacro, 2, 11, 1));  // VDHi and VDLo: LReg6
    EXPECT_EQ(bench.lane(6, 3), 0u);
    sequence(step(2, 0) << simple);
    EXPECT_EQ(bench.outcome(exchange_word(opcode::sfploadmacro, 2, 11, 1)), Outcome::unsupported);
}

INSTANTIATE_TEST_SUITE_P(Archs, VectorMacro, testing::ValuesIn(all_archs),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera::test
