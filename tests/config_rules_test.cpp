// SPDX-License-Identifier: Apache-2.0
// The configuration check: for each rule, a case that violates it, and a twin with the cure that does not.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "findings/catalogue.hpp"
#include "support/random_state.hpp"
#include "support/stepper.hpp"
#include "support/timeline.hpp"
#include "units/packer/config_rules.hpp"
#include "units/write_rules.hpp"

namespace tessera {
namespace {

using state::Adc;
using state::AdcUnit;
using testing::Contains;
using testing::Not;

struct Setting {
    std::string_view field;
    std::uint32_t value;
};
struct Counter {
    unsigned channel;
    Adc counter;
    std::uint32_t value;
};

struct Case {
    std::string_view rule;
    std::string_view name;
    std::vector<Setting> fields;  ///< in addition to packing rows of BF16 to BF16
    std::vector<Counter> counters;
    std::vector<Setting> cured;  ///< the twin's settings instead
    std::vector<Counter> cured_counters;
    std::string_view pacr = "";  ///< of one row unless said
    std::optional<Arch> arch = std::nullopt;
};

constexpr auto code(DataFormat format) { return static_cast<std::uint32_t>(format); }
constexpr std::string_view in_format = "THCON_SEC0_REG1_In_data_format", out_format = "THCON_SEC0_REG1_Out_data_format",
                           dstacc = "ALU_FORMAT_SPEC_REG2_Dstacc", section = "THCON_SEC0_REG1_Exp_section_size",
                           y_stride = "PCK0_ADDR_CTRL_XY_REG_0_Ystride", z_stride = "PCK0_ADDR_CTRL_ZW_REG_0_Zstride",
                           x_stride = "PCK0_ADDR_CTRL_XY_REG_0_Xstride", in_base = "PCK0_ADDR_BASE_REG_0_Base",
                           out_y = "PCK0_ADDR_CTRL_XY_REG_1_Ystride", out_z = "PCK0_ADDR_CTRL_ZW_REG_1_Zstride",
                           out_w = "PCK0_ADDR_CTRL_ZW_REG_1_Wstride", out_base = "PCK0_ADDR_BASE_REG_1_Base",
                           w_stride = "PCK0_ADDR_CTRL_ZW_REG_0_Wstride";

const std::vector<Case>& cases() {
    static const std::vector<Case> all = {
        {"pack.undefined",
         "BF16CannotBecomeAnInteger",
         {{out_format, code(DataFormat::Int32)}},
         {},
         {{out_format, code(DataFormat::Float32)}},
         {}},
        {"pack.undefined",
         "BlockFloatsNeedTheirExponents",
         {{out_format, code(DataFormat::Bfp8_b)}, {section, 4}, {"THCON_SEC0_REG1_Dis_shared_exp_assembler", 1}},
         {},
         {{"THCON_SEC0_REG1_Dis_shared_exp_assembler", 0}},
         {}},
        {"pack.in-format",
         "InDataFormatOtherThanDsts",
         {{in_format, code(DataFormat::Float16)}},
         {},
         {{in_format, code(DataFormat::Float16_b)}},
         {}},
        {"pack.in-format",
         "InDataFormatOfAnotherDst",
         {{dstacc, code(DataFormat::Float16)}},
         {},
         {{in_format, code(DataFormat::Float16)}},
         {}},
        {"pack.dest-addr",
         "AddressInBytes",
         {{"THCON_SEC0_REG1_L1_Dest_addr", 0x40000}},
         {},
         {{"THCON_SEC0_REG1_L1_Dest_addr", 0x40000 / 16}},
         {}},
        {"pack.count-negative", "LastBeforeFirst", {}, {{0, Adc::x, 4}, {1, Adc::x, 1}}, {}, {{0, Adc::x, 0}}},
        {"pack.x-range",
         "TwoRows",
         {},
         {{1, Adc::x, 31}},
         {},
         {{1, Adc::x, 15}},
         "PACR ReadIntfSel=1\n",
         Arch::blackhole},
        {"pack.x-range",
         "AcrossTheEnd",
         {},
         {{0, Adc::x, 4}, {1, Adc::x, 19}},
         {},
         {{0, Adc::x, 4}, {1, Adc::x, 11}},
         "PACR ReadIntfSel=1\n",
         Arch::blackhole},
        {"pack.interface-group",
         "FourRowsFromRowOne",
         {{in_base, 32}},
         {},
         {{in_base, 128}},
         {},
         "PACR ReadIntfSel=15\n",
         Arch::blackhole},
        {"pack.x-stride",
         "FourBytesPerDatumOfTwo",
         {{x_stride, 4}},
         {{0, Adc::x, 4}, {1, Adc::x, 7}},
         {{x_stride, 2}},
         {}},
        {"pack.in-address", "BaseWithinALine", {{in_base, 34}}, {}, {{in_base, 32}}, {}},
        {"pack.in-address", "StrideOfARowAndADatum", {{y_stride, 34}}, {{0, Adc::y, 1}}, {{y_stride, 32}}, {}},
        {"pack.one-datum",
         "ADatumOfEachRowIntoBlockFloats",
         {{out_format, code(DataFormat::Bfp8_b)}, {section, 4}},
         {{1, Adc::x, 0}},
         {},
         {{1, Adc::x, 15}}},
        {"pack.out-address", "BaseWithinALine", {{out_base, 8}}, {}, {{out_base, 16}}, {}},
        {"pack.out-address", "StrideOfHalfALine", {{out_y, 8}}, {{1, Adc::y, 3}}, {{out_y, 16}}, {}},
        {"pack.strides-overlap",
         "RowsOfHalfARow",
         {{y_stride, 16}},
         {{0, Adc::y, 1}, {1, Adc::x, 7}},
         {{y_stride, 32}},
         {}},
        {"pack.strides-overlap",
         "PlanesWithinAPlane",
         {{y_stride, 32}, {z_stride, 64}},
         {{0, Adc::y, 2}, {0, Adc::z, 1}},
         {{z_stride, 512}},
         {}},
        {"pack.strides-overlap",
         "TilesWithinATile",
         {{z_stride, 512}, {w_stride, 512}},
         {{0, Adc::z, 1}, {0, Adc::w, 1}},
         {{w_stride, 2048}},
         {}},
        {"pack.strides-overlap",
         "OutputPlanesWithinAPlane",
         {{out_y, 64}, {out_z, 128}},
         {{1, Adc::y, 2}, {1, Adc::z, 1}},
         {{out_z, 512}},
         {}},
        {"pack.strides-overlap",
         "OutputTilesWithinATile",
         {{out_z, 256}, {out_w, 256}},
         {{1, Adc::z, 1}, {1, Adc::w, 1}},
         {{out_w, 1024}},
         {}},
        {"pack.exponent-section", "None", {{out_format, code(DataFormat::Bfp8_b)}}, {}, {{section, 1}}, {}},
        {"pack.exponent-section", "NoneForBfp4", {{out_format, code(DataFormat::Bfp4_b)}}, {}, {{section, 1}}, {}},
        {"pack.exponent-section",
         "OneUnitForTwoHundredAndSeventyTwoDatums",
         {{out_format, code(DataFormat::Bfp2_b)}, {section, 1}},
         {{1, Adc::x, 271}},
         {{section, 2}},
         {},
         "PACR\n",
         Arch::wormhole},
    };
    return all;
}

/// Packer 0 takes the first row of BF16 to L1 0x1010.
class Tile {
public:
    explicit Tile(Arch arch) : step(arch) {
        const auto bf16 = code(DataFormat::Float16_b);
        for (const auto& [field, value] :
             std::initializer_list<Setting>{{"THCON_SEC0_REG1_Disable_zero_compress", 1},
                                            {"THCON_SEC0_REG1_L1_Dest_addr", 0x100},
                                            {"THCON_SEC0_REG9_Pack_0_2_limit_address", 0xFFFF},
                                            {in_format, bf16},
                                            {out_format, bf16},
                                            {dstacc, bf16}})
            test::set_field(step.state, field, value, 0);
        for (unsigned i = 0; i < 4; ++i)
            test::set_field(step.state, "PCK_EDGE_OFFSET_SEC" + std::to_string(i) + "_mask", 0xFFFF, 0);
        set({1, Adc::x, 15});
    }
    void set(const Setting& setting) { test::set_field(step.state, setting.field, setting.value, 0); }
    void set(const Counter& c) {
        step.state.write(state::cells::adc(0, AdcUnit::packers, c.channel, c.counter), c.value);
    }
    /// Codes of the findings of a PACR.
    std::set<std::string> reported(std::string_view pacr) {
        const Program program = assemble(pacr, step.state.arch().arch).value();
        for (const Op& op : program.threads[0]) step.execute(op.value);
        std::set<std::string> codes(step.findings.begin(), step.findings.end());
        if (!step.fault.empty()) codes.insert(step.fault);
        return codes;
    }

    test::Stepper step;
};

class ConfigRules : public testing::TestWithParam<std::tuple<std::size_t, Arch>> {};

TEST_P(ConfigRules, TripsAndItsTwinDoesNot) {
    const auto& [index, arch] = GetParam();
    const Case& it = cases()[index];
    if (it.arch.value_or(arch) != arch) return;
    Tile wrong(arch), right(arch);
    for (Tile* tile : {&wrong, &right}) {
        for (const auto& setting : it.fields) tile->set(setting);
        for (const auto& counter : it.counters) tile->set(counter);
    }
    for (const auto& setting : it.cured) right.set(setting);
    for (const auto& counter : it.cured_counters) right.set(counter);
    const std::string_view one_row = arch == Arch::blackhole ? "PACR ReadIntfSel=1\n" : "PACR\n";
    const std::string_view pacr = it.pacr.empty() ? one_row : it.pacr;
    EXPECT_EQ(wrong.reported(pacr), std::set<std::string>{std::string(it.rule)});
    EXPECT_EQ(right.reported(pacr), std::set<std::string>{});
}

std::string case_name(const testing::TestParamInfo<std::tuple<std::size_t, Arch>>& info) {
    const auto& [index, arch] = info.param;
    return fmt::format("{}_{}", cases()[index].name, name(arch)) + "_" + std::to_string(index);
}

INSTANTIATE_TEST_SUITE_P(Packers, ConfigRules,
                         testing::Combine(testing::Range(std::size_t{0}, cases().size()), testing::ValuesIn(all_archs)),
                         case_name);

TEST(ConfigRuleTable, EveryRuleHasACase) {
    for (const auto& rule : units::packer::rules()) {
        const auto id = findings::entry(rule.id).code;
        EXPECT_TRUE(std::any_of(cases().begin(), cases().end(), [&](const Case& one) { return one.rule == id; })) << id;
        EXPECT_FALSE(rule.fields.empty()) << id;
        EXPECT_EQ(rule.issued == nullptr, rule.moment == units::packer::Moment::set_up) << id;
        if (rule.moment == units::packer::Moment::set_up) {
            EXPECT_EQ(findings::entry(rule.id).kind, findings::Kind::fault) << id;
        }
    }
}

// More exponents than their section holds, over several PACRs: reported for the PACR that exceeds it.
TEST(ConfigRuleTable, TheExponentSectionIsTheTiles) {
    for (const Arch arch : all_archs) {
        Tile tile(arch);
        tile.set(Setting{out_format, code(DataFormat::Bfp4_b)});
        tile.set(Setting{section, 1});
        const std::string_view row = arch == Arch::blackhole ? "PACR ReadIntfSel=1\n" : "PACR\n";
        for (unsigned i = 0; i < 16; ++i) EXPECT_EQ(tile.reported(row), std::set<std::string>{}) << i;
        EXPECT_EQ(tile.reported(row), std::set<std::string>{"pack.exponent-section"});
        tile.step.findings.clear();
        tile.reported(arch == Arch::blackhole ? "PACR ReadIntfSel=1 Last=1\n" : "PACR Last=1\n");
        tile.step.findings.clear();
        EXPECT_EQ(tile.reported(row), std::set<std::string>{}) << "the next tile begins";
    }
}

// The examples have planes that are farther apart than tiles: which counter has the larger stride does not matter.
TEST(ConfigRuleTable, TheOrderOfTheStridesIsFree) {
    for (const Arch arch : all_archs) {
        Tile tile(arch);
        for (const auto& setting : std::initializer_list<Setting>{{out_y, 256}, {out_z, 64}}) tile.set(setting);
        for (const auto& counter : std::initializer_list<Counter>{{1, Adc::y, 3}, {1, Adc::z, 3}}) tile.set(counter);
        const std::string_view row = arch == Arch::blackhole ? "PACR ReadIntfSel=1 Last=1\n" : "PACR Last=1\n";
        EXPECT_EQ(tile.reported(row), std::set<std::string>{});
        tile.set(Counter{1, Adc::z, 4});
        EXPECT_EQ(tile.reported(row), std::set<std::string>{"pack.strides-overlap"});
    }
}

// Seed pack-unpack-registers, 4.5, and H7: in the engine, since they are about order.
class WriteRules : public testing::TestWithParam<Arch> {
protected:
    Arch arch = GetParam();

    std::string number_of(std::string_view field) const {
        return std::to_string(registers::find_field(field, arch)->spec->at(arch).addr32);
    }
    std::string wait(unsigned blackhole, unsigned wormhole) const {
        return fmt::format("STALLWAIT stall_res=1<<7 wait_res=1<<{}\n", arch == Arch::blackhole ? blackhole : wormhole);
    }
    test::Timeline run(const std::string& text) const { return test::run(arch, {text, "", ""}); }
};

const std::string pack_one_row = R"(
.cfg ALU_FORMAT_SPEC_REG2_Dstacc = Float16_b
.cfg THCON_SEC0_REG1_In_data_format = Float16_b
.cfg THCON_SEC0_REG1_Out_data_format = Float16_b
.cfg THCON_SEC0_REG1_Disable_zero_compress = 1
.cfg THCON_SEC0_REG1_L1_Dest_addr = 0x100
.cfg THCON_SEC0_REG9_Pack_0_2_limit_address = 0xFFFF
.cfg PCK_EDGE_OFFSET_SEC0_mask = 0xFFFF
.gpr 4 = 4
.gpr 5 = 0x8000
SETADCXX CntSetMask=4 x_start=0 x_end2=15
)";

TEST_P(WriteRules, ReluAndEdgeMasksWaitForThePackers) {
    const std::string ready = pack_one_row + wait(10, 13) + "PACR Last=1\n";
    const std::string relu = "WRCFG GprAddress=4 CfgReg=" + number_of("STACC_RELU_ApplyRelu") + "\n";
    const std::string mask = "WRCFG GprAddress=5 CfgReg=" + number_of("PCK_EDGE_OFFSET_SEC0_mask") + "\n";
    const std::string address = "WRCFG GprAddress=5 CfgReg=" + number_of("THCON_SEC0_REG1_L1_Dest_addr") + "\n";
    for (const auto& write : {relu, mask}) {
        EXPECT_TRUE(run(ready + write).has_finding("config.write-while-busy")) << write;
        EXPECT_FALSE(run(ready + wait(3, 3) + write).has_finding("config.write-while-busy")) << write;
    }
    EXPECT_FALSE(run(ready + address).has_finding("config.write-while-busy")) << "PACR has taken the address";
    const auto one = registers::find_field("STACC_RELU_ApplyRelu", arch)->spec->at(arch);
    const std::string bits = fmt::format("RMWCIB0 Mask={0} Data={0} CfgRegAddr={1}\n", 1u << one.lo, one.addr32);
    EXPECT_TRUE(run(ready + bits).has_finding("config.write-while-busy"));
    const std::string same = fmt::format("RMWCIB0 Mask={} Data=0 CfgRegAddr={}\n", 1u << one.lo, one.addr32);
    EXPECT_FALSE(run(ready + same).has_finding("config.write-while-busy")) << "the field keeps its value";
}

TEST_P(WriteRules, TileDescriptorsWaitForTheirUnpacker) {
    const std::string ready = std::string(test::unpack_bf16) + ".gpr 4 = 1\n" + wait(10, 13);
    for (unsigned u = 0; u < 2; ++u) {
        const std::string unpack = fmt::format("UNPACR Unpack_block_selection={} SetDatValid=1 Last=1\n", u);
        const std::string write =
            "WRCFG GprAddress=4 CfgReg=" + number_of(fmt::format("THCON_SEC{}_REG2_Out_data_format", u)) + "\n";
        const std::string base =
            "WRCFG GprAddress=4 CfgReg=" + number_of(fmt::format("THCON_SEC{}_REG3_Base_address", u)) + "\n";
        EXPECT_TRUE(run(ready + unpack + write).has_finding("config.write-while-busy")) << u;
        EXPECT_FALSE(run(ready + unpack + wait(1 + u, 1 + u) + write).has_finding("config.write-while-busy")) << u;
        EXPECT_TRUE(run(ready + unpack + wait(2 - u, 2 - u) + write).has_finding("config.write-while-busy"))
            << "another unpacker's wait " << u;
        EXPECT_FALSE(run(ready + unpack + base).has_finding("config.write-while-busy")) << u;
    }
}

// On Wormhole an instruction that waits to enter the matrix unit reads the flag late (E61).
TEST_P(WriteRules, TheZeroFlagWaitsForTheMatrixUnit) {
    const auto flag = registers::find_field("ALU_ACC_CTRL_Zero_Flag_disabled_src", arch)->spec->at(arch);
    const std::string write = fmt::format("RMWCIB{} Mask={} Data={} CfgRegAddr={}\n", flag.lo / 8, 1u << flag.lo % 8,
                                          1u << flag.lo % 8, flag.addr32);
    const std::string move = "MOVA2D instr_mod=2\n";
    const auto tells = [&](const std::string& math) {
        return test::run(arch, {"SETDVALID setvalid=1\n", math, ""}).has_finding("config.write-while-busy");
    };
    EXPECT_EQ(tells(move + write), arch == Arch::wormhole);
    EXPECT_FALSE(tells(move + "STALLWAIT block=cfg wait=math\n" + write));
    EXPECT_FALSE(tells(write + move));
}

TEST_P(WriteRules, AGprForThconIsWaitedFor) {
    const std::string add = "ADDDMAREG OpBisConst=1 ResultRegIndex=4 OpBRegIndex=1 OpARegIndex=4\n";
    const std::string write = "WRCFG GprAddress=4 CfgReg=" + number_of("THCON_SEC0_REG3_Base_address") + "\n";
    EXPECT_TRUE(run(add + write).has_finding("config.gpr-not-awaited"));
    EXPECT_FALSE(run(add + wait(0, 0) + write).has_finding("config.gpr-not-awaited"));
    EXPECT_FALSE(run(write).has_finding("config.gpr-not-awaited"));
}

TEST_P(WriteRules, WhatWrcfgWritesIsNotForTheNextInstruction) {
    const std::string ready = pack_one_row + wait(10, 13);
    const std::string write = "WRCFG GprAddress=5 CfgReg=" + number_of("THCON_SEC0_REG1_L1_Dest_addr") + "\n";
    EXPECT_TRUE(run(ready + write + "PACR Last=1\n").has_finding("hazard.config-late"));
    EXPECT_FALSE(run(ready + write + "NOP\nPACR Last=1\n").has_finding("hazard.config-late"));
}

TEST_P(WriteRules, EveryRuleHasFields) {
    std::set<const units::WriteRule*> used;
    for (unsigned word = 0; word < state::describe(arch).config_words; ++word)
        for (const auto& field : units::ruled_fields(arch, word)) {
            EXPECT_TRUE(registers::find_field(field.name, arch)) << field.name;
            used.insert(field.rule);
        }
    const auto has = [&](const units::WriteRule& rule) { return rule.only.value_or(arch) == arch; };
    EXPECT_EQ(used.size(), std::ranges::count_if(units::write_rules(), has));
}

INSTANTIATE_TEST_SUITE_P(Archs, WriteRules, testing::ValuesIn(all_archs),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera
