// SPDX-License-Identifier: Apache-2.0
// Writes to configuration: WRCFG, RMWCIB, CFGSHIFTMASK, SETC16, stores, and words with side effects.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registers/field.hpp"
#include "state/config_store.hpp"
#include "support/stepper.hpp"

namespace {

using tessera::Arch;
using tessera::test::Stepper;

class Config : public testing::TestWithParam<Arch> {
protected:
    Stepper step{GetParam()};
    unsigned shared = step.state.arch().shared_config_base;

    void set_gpr(unsigned i, std::uint32_t value, unsigned thread = 0) {
        step(fmt::format("SETDMAREG Payload_SigSelSize={} Payload_SigSel={} RegIndex16b={}", value >> 14 & 3,
                         value & 0x3FFF, 2 * i),
             thread);
        step(fmt::format("SETDMAREG Payload_SigSelSize={} Payload_SigSel={} RegIndex16b={}", value >> 30,
                         value >> 16 & 0x3FFF, 2 * i + 1),
             thread);
    }
    void choose_bank(unsigned bank, unsigned thread = 0) {
        step(fmt::format("SETC16 setc16_reg=0 setc16_value={}", bank), thread);
    }
};

TEST_P(Config, SetdmaregWritesOneHalf) {
    set_gpr(5, 0xCAFE1234);
    EXPECT_EQ(step.gpr(0, 5), 0xCAFE1234u);
    step("SETDMAREG Payload_SigSel=0x77 RegIndex16b=11");
    EXPECT_EQ(step.gpr(0, 5), 0x00771234u);
    EXPECT_EQ(step.gpr(1, 5), 0u);
}

// THCON_SEC0_REG3_Base_address is a whole word on both architectures: no bit is dropped.
TEST_P(Config, WrcfgOf128BitsIgnoresTheLowBitsOfBothAddresses) {
    const auto at = tessera::registers::find_field("THCON_SEC0_REG3_Base_address", GetParam())->spec->at(GetParam());
    ASSERT_EQ(at.addr32 % 4, 0u);
    for (unsigned i = 0; i < 4; ++i) set_gpr(8 + i, 0x100 + i);
    step(fmt::format("WRCFG GprAddress={} wr128b=1 CfgReg={}", 8 + 3, at.addr32 + 2));
    for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(step.config(0, at.addr32 + i), 0x100 + i) << i;
    EXPECT_EQ(step.config(1, at.addr32), 0u);
}

TEST_P(Config, WrcfgOf128BitsAtTheSharedBaseReachesBothBanks) {
    ASSERT_EQ(shared % 4, 0u);
    for (unsigned i = 0; i < 4; ++i) set_gpr(i, 0x200 + i);
    choose_bank(1);
    step(fmt::format("WRCFG GprAddress=0 wr128b=1 CfgReg={}", shared + 3));
    for (unsigned i = 0; i < 4; ++i) {
        EXPECT_EQ(step.config(0, shared + i), 0x200 + i);
        EXPECT_EQ(step.config(1, shared + i), 0x200 + i);
    }
    // The group below is banked, and was not touched.
    for (unsigned i = 1; i <= 4; ++i) EXPECT_EQ(step.config(1, shared - i), 0u);
}

TEST_P(Config, RmwcibOnSharedWordsReachesBothBanksAndKeepsOtherBits) {
    choose_bank(1);
    set_gpr(0, 0x00000ABC);
    step(fmt::format("WRCFG CfgReg={}", shared));
    step(fmt::format("RMWCIB0 Mask=0x0F Data=0x55 CfgRegAddr={}", shared));
    EXPECT_EQ(step.config(0, shared), 0xAB5u);
    EXPECT_EQ(step.config(1, shared), 0xAB5u);
    step(fmt::format("RMWCIB1 Mask=0x0C Data=0x04 CfgRegAddr={}", shared));
    EXPECT_EQ(step.config(0, shared), 0x6B5u);
}

TEST_P(Config, BankSelectorCountsForTheNextInstruction) {
    const auto at = tessera::registers::find_field("THCON_SEC0_REG3_Base_address", GetParam())->spec->at(GetParam());
    set_gpr(0, 1);
    set_gpr(1, 2);
    choose_bank(1);
    step(fmt::format("WRCFG GprAddress=1 CfgReg={}", at.addr32));
    choose_bank(0);
    step(fmt::format("WRCFG GprAddress=0 CfgReg={}", at.addr32));
    EXPECT_EQ(step.config(0, at.addr32), 1u);
    EXPECT_EQ(step.config(1, at.addr32), 2u);
    step(fmt::format("RDCFG GprAddress=7 CfgReg={}", at.addr32));
    EXPECT_EQ(step.gpr(0, 7), 1u);
    // Another thread has its own selector.
    choose_bank(1, 2);
    step(fmt::format("RDCFG GprAddress=7 CfgReg={}", at.addr32), 2);
    EXPECT_EQ(step.gpr(2, 7), 2u);
}

TEST_P(Config, StateResetZeroesTheBankedWordsOfOneBank) {
    const auto reset = tessera::registers::find_field("STATE_RESET_EN", GetParam())->spec->at(GetParam());
    auto& state = step.state;
    for (unsigned bank = 0; bank < 2; ++bank)
        for (unsigned i = 0; i < state.arch().config_words; ++i)
            state.write(tessera::state::cells::config(state.arch(), bank, i), ~0u);
    const auto before = state;
    choose_bank(1);
    // RMWCIB does not reset.
    step(fmt::format("RMWCIB0 Mask=1 Data=1 CfgRegAddr={}", reset.addr32));
    EXPECT_EQ(step.config(1, 64), before[tessera::state::cells::config(state.arch(), 1, 64)]);
    step(fmt::format("WRCFG GprAddress=0 CfgReg={}", reset.addr32));
    for (unsigned i = 0; i < state.arch().config_words; ++i) {
        const auto old = [&](unsigned bank) { return before[tessera::state::cells::config(state.arch(), bank, i)]; };
        if (i != reset.addr32) {
            EXPECT_EQ(step.config(0, i), old(0)) << i;
        }
        EXPECT_EQ(step.config(1, i), i < shared ? 0u : old(1)) << i;
    }
    // A core's store does the same to the bank that it names.
    tessera::state::store_config(state, 0, reset.addr32, 0);
    EXPECT_EQ(step.config(0, 64), 0u);
    EXPECT_EQ(step.config(0, shared), before[tessera::state::cells::config(state.arch(), 0, shared)]);
}

TEST_P(Config, IndexBeyondTheWordsIsAFault) {
    const auto words = step.state.arch().config_words;
    for (const char* text : {"WRCFG CfgReg={}", "RDCFG CfgReg={}"}) {
        const auto program = tessera::assemble(fmt::format(fmt::runtime(text), words), GetParam());
        ASSERT_TRUE(program);
        step.execute(program->threads[0][0].value);
        EXPECT_EQ(step.fault, "config.index");
    }
}

INSTANTIATE_TEST_SUITE_P(Archs, Config, testing::ValuesIn(tessera::all_archs),
                         [](const auto& p) { return std::string(name(p.param)); });

// Every operation of the page on one old value and one scratch value, with the field kept and without.
TEST(Cfgshiftmask, EveryOperation) {
    constexpr std::uint32_t old = 0xF0F0F0F0, scratch = 0x000000A5;
    constexpr std::uint32_t value = 0xA5 << 4;     // 8 bits rotated right by 28
    constexpr std::uint32_t cleared = 0xF0F0F000;  // old without those 8 bits
    constexpr std::uint32_t expected[] = {
        cleared | value,  cleared & value,  cleared ^ value,  cleared + value,
        cleared | ~value, cleared & ~value, cleared ^ ~value, cleared - value,
    };
    for (unsigned operation = 0; operation < 8; ++operation) {
        Stepper step(Arch::blackhole);
        step.state.write(tessera::state::cells::config(step.state.arch(), 0, 210), scratch);
        step.state.write(tessera::state::cells::config(step.state.arch(), 0, 76), old);
        step(fmt::format("CFGSHIFTMASK operation={} mask_width=7 right_cshift_amt=28 scratch_sel=1 CfgReg=76",
                         operation));
        EXPECT_EQ(step.config(0, 76), expected[operation]) << operation;
    }
    Stepper step(Arch::blackhole);
    step.state.write(tessera::state::cells::config(step.state.arch(), 0, 211), scratch);
    step.state.write(tessera::state::cells::config(step.state.arch(), 0, 76), old);
    // Scratch register 3 is the thread's own.
    step("CFGSHIFTMASK disable_mask_on_old_val=1 operation=3 mask_width=7 right_cshift_amt=0 scratch_sel=3 CfgReg=76",
         2);
    EXPECT_EQ(step.config(0, 76), old + 0xA5);
}

}  // namespace
