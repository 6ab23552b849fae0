// SPDX-License-Identifier: Apache-2.0
// Scalar unit: arithmetic on GPRs against the pages' models, REG2FLOP.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/explained.hpp"
#include "support/stepper.hpp"

namespace {

using tessera::Arch;
using tessera::test::Stepper;

class Scalar : public testing::TestWithParam<Arch> {
protected:
    Stepper step{GetParam()};

    void set(unsigned i, std::uint32_t value) { step.state.write(tessera::state::cells::gpr(0, i), value); }
    std::uint32_t result(const std::string& text) {
        step(text);
        return step.gpr(0, 3);
    }
};

constexpr std::uint32_t a = 0x80010003, b = 0xFFFF0025;

TEST_P(Scalar, ArithmeticOnRegisters) {
    set(1, a);
    set(62, b);
    const std::string operands = " ResultRegIndex=3 OpBRegIndex=62 OpARegIndex=1";
    EXPECT_EQ(result("ADDDMAREG" + operands), a + b);
    EXPECT_EQ(result("SUBDMAREG" + operands), a - b);
    EXPECT_EQ(result("MULDMAREG" + operands), 0x3u * 0x25u);
    EXPECT_EQ(result("BITWOPDMAREG OpSel=0" + operands), a & b);
    EXPECT_EQ(result("BITWOPDMAREG OpSel=1" + operands), a | b);
    EXPECT_EQ(result("BITWOPDMAREG OpSel=2" + operands), a ^ b);
    EXPECT_EQ(result("SHIFTDMAREG OpSel=0" + operands), a << 5);
    EXPECT_EQ(result("SHIFTDMAREG OpSel=1" + operands), a >> 5);
    EXPECT_EQ(result("CMPDMAREG OpSel=0" + operands), 0u);
    EXPECT_EQ(result("CMPDMAREG OpSel=1" + operands), 1u);
    EXPECT_EQ(result("CMPDMAREG OpSel=2" + operands), 0u);
    EXPECT_THAT(step.findings, testing::IsEmpty());
}

TEST_P(Scalar, ArithmeticWithConstants) {
    set(1, 63);
    const std::string operands = " OpBisConst=1 ResultRegIndex=3 OpBRegIndex=63 OpARegIndex=1";
    EXPECT_EQ(result("ADDDMAREG" + operands), 126u);
    EXPECT_EQ(result("SUBDMAREG" + operands), 0u);
    EXPECT_EQ(result("MULDMAREG" + operands), 63u * 63u);
    EXPECT_EQ(result("CMPDMAREG OpSel=2" + operands), 1u);
    EXPECT_EQ(result("SHIFTDMAREG OpSel=0" + operands), 63u << 31);
    set(1, 0xDEADBEEF);
    EXPECT_EQ(result("SHIFTDMAREG OpSel=1 OpBisConst=1 ResultRegIndex=3 OpBRegIndex=20 OpARegIndex=1"),
              0xDEADBEEF >> 20);
}

// ADDDMAREG, Performance: three cycles, and one more if the two GPRs are not in one aligned group of four.
TEST_P(Scalar, RegistersOfTwoGroupsTakeACycleMore) {
    const auto cycles = [&](unsigned left, unsigned right, unsigned constant = 0) {
        const tessera::test::Explained it(
            fmt::format("ADDDMAREG OpBisConst={} ResultRegIndex=9 OpBRegIndex={} OpARegIndex={}\n", constant, right, left),
            "ADDDMAREG", GetParam());
        return it("costs", "cycles");
    };
    const auto of = [](unsigned n) { return fmt::format("0 for the address, unit free after {0}, done after {0}", n); };
    EXPECT_EQ(cycles(3, 0), of(3));
    EXPECT_EQ(cycles(4, 3), of(4));
    EXPECT_EQ(cycles(3, 4), of(4));
    EXPECT_EQ(cycles(7, 4), of(3));
    EXPECT_EQ(cycles(8, 7), of(4));
    EXPECT_EQ(cycles(0, 63, 1), of(3)) << "a constant";
}

TEST_P(Scalar, UndefinedModesGiveTheLeftOperand) {
    set(1, a);
    for (const char* text : {"BITWOPDMAREG OpSel=3", "SHIFTDMAREG OpSel=2", "CMPDMAREG OpSel=3"}) {
        step.findings.clear();
        EXPECT_EQ(result(std::string(text) + " ResultRegIndex=3 OpBRegIndex=2 OpARegIndex=1"), a) << text;
        EXPECT_THAT(step.findings, testing::ElementsAre("scalar.undefined-mode"));
    }
}

TEST_P(Scalar, Reg2flopToConfiguration) {
    set(4, 0x1234);
    const unsigned base = GetParam() == Arch::blackhole ? 64 : 52;
    step("REG2FLOP SizeSel=1 FlopIndex=12 RegIndex=4");  // THCON_SEC0_REG3_Base_address
    EXPECT_EQ(step.config(0, base + 12), 0x1234u);
    EXPECT_EQ(step.findings.size(), GetParam() == Arch::blackhole ? 1u : 0u);
}

TEST_P(Scalar, Reg2flopBeyondThconIsAFault) {
    const unsigned words = GetParam() == Arch::blackhole ? 180 - 64 : 152 - 52;
    step.execute(0x48u << 24 | 1u << 22 | words << 6);
    EXPECT_EQ(step.fault, "scalar.reg2flop-index");
    step.execute(0x48u << 24 | 1u << 22 | (words - 1) << 6);
    EXPECT_EQ(step.fault, "");
}

TEST_P(Scalar, Reg2flopToAddressCounter) {
    using tessera::state::Adc;
    using tessera::state::AdcUnit;
    set(4, 0x0001FFFF);
    // Thread 2's packer counter Y of channel 1: 8 bits at byte 1.
    step("REG2FLOP SizeSel=3 TargetSel=3 ByteOffset=1 ContextId_2=2 FlopIndex=0x31 RegIndex=4");
    EXPECT_EQ(step.adc(2, AdcUnit::packers, 1, Adc::y), 0xFFu);
    EXPECT_EQ(step.adc(2, AdcUnit::packers, 1, Adc::y_cr), 0u);
    // The checkpoint of the thread's own unpacker 0, 32 bits, cut to the counter's 13.
    step("REG2FLOP SizeSel=1 TargetSel=2 FlopIndex=5 RegIndex=4");
    EXPECT_EQ(step.adc(0, AdcUnit::unpacker0, 0, Adc::y_cr), 0x1FFFu);
    EXPECT_THAT(step.findings, testing::Each("scalar.reg2flop-unsupported"));
}

INSTANTIATE_TEST_SUITE_P(Archs, Scalar, testing::ValuesIn(tessera::all_archs),
                         [](const auto& p) { return std::string(name(p.param)); });

}  // namespace
