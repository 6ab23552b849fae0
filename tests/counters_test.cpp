// SPDX-License-Identifier: Apache-2.0
// Address counters (ADC) and matrix-unit counters (RWC): widths, checkpoints, thread override, address modifiers.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/stepper.hpp"

namespace {

using tessera::Arch;
using tessera::state::Adc;
using tessera::state::AdcUnit;
using tessera::state::Rwc;
using tessera::test::Stepper;

class Counters : public testing::TestWithParam<Arch> {
protected:
    Stepper step{GetParam()};

    std::uint32_t zw_mask() const { return GetParam() == Arch::blackhole ? 0x1FFF : 0xFF; }
    void put(unsigned thread, AdcUnit unit, unsigned channel, Adc counter, std::uint32_t value) {
        step.state.write(tessera::state::cells::adc(thread, unit, channel, counter), value);
    }
    void put(Rwc counter, std::uint32_t value) { step.state.write(tessera::state::cells::rwc(0, counter), value); }
};

TEST_P(Counters, IncrementsWrapAtEachWidth) {
    for (unsigned channel = 0; channel < 2; ++channel) {
        put(0, AdcUnit::packers, channel, Adc::x, 0x3FFFF);
        put(0, AdcUnit::packers, channel, Adc::y, 0x1FFF);
        put(0, AdcUnit::packers, channel, Adc::z, zw_mask());
        put(0, AdcUnit::packers, channel, Adc::w, zw_mask());
    }
    step("INCADCXY CntSetMask=4 Ch1_Y=4 Ch1_X=3 Ch0_Y=2 Ch0_X=1");
    step("INCADCZW CntSetMask=4 Ch1_Y=4 Ch1_X=3 Ch0_Y=2 Ch0_X=1");
    EXPECT_EQ(step.adc(0, AdcUnit::packers, 0, Adc::x), 0u);
    EXPECT_EQ(step.adc(0, AdcUnit::packers, 0, Adc::y), 1u);
    EXPECT_EQ(step.adc(0, AdcUnit::packers, 1, Adc::x), 2u);
    EXPECT_EQ(step.adc(0, AdcUnit::packers, 1, Adc::y), 3u);
    EXPECT_EQ(step.adc(0, AdcUnit::packers, 0, Adc::z), 0u);
    EXPECT_EQ(step.adc(0, AdcUnit::packers, 0, Adc::w), 1u);
    EXPECT_EQ(step.adc(0, AdcUnit::packers, 1, Adc::z), 2u);
    EXPECT_EQ(step.adc(0, AdcUnit::packers, 1, Adc::w), 3u);
    EXPECT_EQ(step.adc(0, AdcUnit::packers, 0, Adc::x_cr), 0u);
}

TEST_P(Counters, CheckpointsWrapAtEachWidth) {
    for (Adc counter : {Adc::x_cr, Adc::y_cr, Adc::z_cr, Adc::w_cr})
        put(0, AdcUnit::unpacker1, 1, counter,
            counter == Adc::x_cr   ? 0x3FFFF
            : counter == Adc::y_cr ? 0x1FFF
                                   : zw_mask());
    step("ADDRCRXY CntSetMask=2 Ch1_Y=7 Ch1_X=7 BitMask=12");
    step("ADDRCRZW CntSetMask=2 Ch1_Y=7 Ch1_X=7 BitMask=12");
    for (Adc counter : {Adc::x, Adc::x_cr, Adc::y, Adc::y_cr, Adc::z, Adc::z_cr, Adc::w, Adc::w_cr})
        EXPECT_EQ(step.adc(0, AdcUnit::unpacker1, 1, counter), 6u) << static_cast<int>(counter);
}

TEST_P(Counters, SetadcCutsItsValueToTheWidth) {
    for (unsigned dimension = 0; dimension < 4; ++dimension) {
        step(fmt::format("SETADC CntSetMask=1 ChannelIndex=1 DimensionIndex={} Value=0xFFFF", dimension));
        const std::uint32_t expected = dimension == 0 ? 0xFFFF : dimension == 1 ? 0x1FFF : zw_mask();
        EXPECT_EQ(step.adc(0, AdcUnit::unpacker0, 1, Adc(2 * dimension)), expected);
        EXPECT_EQ(step.adc(0, AdcUnit::unpacker0, 1, Adc(2 * dimension + 1)), expected);
    }
}

// SETADC, SETADCXY, Functional model: an override is not supported.
std::vector<std::string> overridden(unsigned override) {
    return override ? std::vector<std::string>{"misc.thread-override"} : std::vector<std::string>();
}

TEST_P(Counters, ThreadOverrideInEachInstruction) {
    struct Case {
        const char* text;
        Adc counter;
    };
    constexpr Case cases[] = {
        {"SETADCXY CntSetMask=1 Ch0_Y=5 BitMask=2", Adc::y}, {"SETADCZW CntSetMask=1 Ch0_X=5 BitMask=1", Adc::z},
        {"INCADCXY CntSetMask=1 Ch0_Y=5", Adc::y},           {"INCADCZW CntSetMask=1 Ch0_X=5", Adc::z},
        {"ADDRCRXY CntSetMask=1 Ch0_Y=5 BitMask=2", Adc::y}, {"ADDRCRZW CntSetMask=1 Ch0_X=5 BitMask=1", Adc::z},
    };
    for (const Case& c : cases) {
        for (unsigned override = 0; override < 4; ++override) {
            Stepper fresh(GetParam());
            fresh(fmt::format("{} ThreadOverride={}", c.text, override), 1);
            const unsigned chosen = override == 0 ? 1 : override - 1;
            for (unsigned thread = 0; thread < 3; ++thread)
                EXPECT_EQ(fresh.adc(thread, AdcUnit::unpacker0, 0, c.counter), thread == chosen ? 5u : 0u)
                    << c.text << ", override " << override << ", thread " << thread;
            EXPECT_EQ(fresh.findings, overridden(override)) << c.text;
        }
    }
    step("SETADC CntSetMask=1 DimensionIndex=1 Value=0xFFFF", 0);
    EXPECT_EQ(step.findings, overridden(0));
    step("SETADC CntSetMask=1 DimensionIndex=1 Value=0x30005", 1);  // bits 17 and 16: thread 2
    EXPECT_EQ(step.findings, overridden(3));
    EXPECT_EQ(step.adc(2, AdcUnit::unpacker0, 0, Adc::y), 5u);
    EXPECT_EQ(step.adc(1, AdcUnit::unpacker0, 0, Adc::y), 0u);
    // SETADCXX has no override.
    step("SETADCXX CntSetMask=7 x_end2=1023 x_start=9", 1);
    EXPECT_EQ(step.adc(1, AdcUnit::packers, 1, Adc::x), 1023u);
    EXPECT_EQ(step.adc(1, AdcUnit::packers, 0, Adc::x_cr), 9u);
}

TEST_P(Counters, RwcsWrapAtTheirWidths) {
    put(Rwc::src_a, 0x3F);
    put(Rwc::src_b_cr, 0x3E);
    put(Rwc::dst, 0x3FF);
    step("INCRWC rwc_cr=2 rwc_d=15 rwc_b=3 rwc_a=2");
    EXPECT_EQ(step.rwc(0, Rwc::src_a), 1u);
    EXPECT_EQ(step.rwc(0, Rwc::src_b), 1u);
    EXPECT_EQ(step.rwc(0, Rwc::src_b_cr), 1u);
    EXPECT_EQ(step.rwc(0, Rwc::dst), 14u);
    EXPECT_EQ(step.rwc(0, Rwc::dst_cr), 0u);
}

TEST_P(Counters, SetrwcWithEachCheckpointMode) {
    put(Rwc::src_a_cr, 10);
    put(Rwc::dst, 100);
    put(Rwc::dst_cr, 40);
    step("SETRWC rwc_cr=5 rwc_d=8 rwc_a=4 BitMask=5");
    EXPECT_EQ(step.rwc(0, Rwc::src_a), 14u);
    EXPECT_EQ(step.rwc(0, Rwc::dst), 48u);
    put(Rwc::dst, 100);
    step("SETRWC rwc_cr=8 rwc_d=8");  // C_TO_CR counts without the mask bit (spec-notes B17)
    EXPECT_EQ(step.rwc(0, Rwc::dst), 108u);
    EXPECT_EQ(step.rwc(0, Rwc::dst_cr), 108u);
    step("SETRWC rwc_cr=1 rwc_a=7");  // no mask bit: nothing
    EXPECT_EQ(step.rwc(0, Rwc::src_a), 14u);
}

INSTANTIATE_TEST_SUITE_P(Archs, Counters, testing::ValuesIn(tessera::all_archs),
                         [](const auto& p) { return std::string(name(p.param)); });

}  // namespace
