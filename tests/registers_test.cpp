// SPDX-License-Identifier: Apache-2.0
// Every field of both architectures and its kind; words to fields and back.
#include "tessera/registers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "registers/field_family.hpp"
#include "state/arch_description.hpp"
#include "tessera/assembly.hpp"
#include "tessera/core.hpp"
#include "tessera/data_format.hpp"

namespace tessera {
namespace {

using testing::HasSubstr;

/// One row of tests/data/register_map.tsv on one architecture.
struct MapRow {
    RegisterSpace space;
    std::string name;
    unsigned addr32, lo, width;
};

std::vector<MapRow> read_map(Arch arch) {
    std::ifstream file(TESSERA_SOURCE_DIR "/tests/data/register_map.tsv");
    std::vector<MapRow> rows;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with('#') || line.starts_with("space\t")) continue;
        std::istringstream cells(line);
        std::string space, name, position[6];
        cells >> space >> name;
        for (auto& one : position) cells >> one;
        const std::string* own = position + (arch == Arch::blackhole ? 0 : 3);
        if (own[0] == "-") continue;
        auto number = [](const std::string& text) { return static_cast<unsigned>(std::stoul(text)); };
        rows.push_back({space == "cfg" ? RegisterSpace::backend : RegisterSpace::thread, name, number(own[0]),
                        number(own[1]), number(own[2])});
    }
    return rows;
}

class Registers : public testing::TestWithParam<Arch> {
protected:
    RegisterField field(std::string_view name) const {
        const auto found = find_register_field(name, GetParam());
        if (!found) throw std::runtime_error(found.error().describe());
        return *found;
    }
};

INSTANTIATE_TEST_SUITE_P(Archs, Registers, testing::ValuesIn(all_archs),
                         [](const auto& param) { return std::string(name(param.param)); });

TEST_P(Registers, EveryFieldOfTheMapStandsWhereTheMapSays) {
    const auto rows = read_map(GetParam());
    EXPECT_EQ(rows.size(), GetParam() == Arch::blackhole ? 820u : 791u);
    for (const auto& row : rows) {
        const auto found = find_register_field(row.name, GetParam());
        ASSERT_TRUE(found) << found.error().describe();
        EXPECT_EQ(found->space, row.space) << row.name;
        EXPECT_EQ(found->addr32, row.addr32) << row.name;
        EXPECT_EQ(found->lo, row.lo) << row.name;
        EXPECT_EQ(found->width, row.width) << row.name;
    }
}

TEST_P(Registers, OnlyPartsOfTheTileDescriptorAreNotInTheMap) {
    std::set<std::string> known;
    for (const auto& row : read_map(GetParam())) known.insert(row.name);
    std::size_t parts = 0;
    for (const auto& one : register_fields(GetParam())) {
        if (known.count(std::string(one.name))) continue;
        ++parts;
        EXPECT_THAT(std::string(one.name), HasSubstr("_REG0_TileDescriptor_"));
    }
    EXPECT_EQ(parts, 2u * (11 + 4));  // fields and words of two unpackers
}

TEST_P(Registers, FieldsOfAWordDoNotOverlap) {
    std::map<std::pair<RegisterSpace, unsigned>, std::uint32_t> used;
    for (const auto& one : register_fields(GetParam())) {
        EXPECT_LE(one.lo + one.width, one.space == RegisterSpace::thread ? 16u : 32u) << one.name;
        EXPECT_LT(one.addr32, register_words(one.space, GetParam())) << one.name;
        if (one.kind == FieldKind::whole) continue;
        auto& word = used[{one.space, one.addr32}];
        EXPECT_EQ(word & one.mask() << one.lo, 0u) << one.name;
        word |= one.mask() << one.lo;
    }
}

TEST_P(Registers, AFieldBelongsToOneFamilyAndEveryFamilyHasFields) {
    std::vector<std::size_t> members(registers::family_count());
    for (const Arch arch : all_archs)
        for (const auto& one : register_fields(arch)) {
            std::size_t fitting = 0;
            for (std::size_t i = 0; i < members.size(); ++i)
                if (registers::matches(registers::family(i).pattern, one.name)) ++fitting, ++members[i];
            EXPECT_LE(fitting, 1u) << one.name;
        }
    for (std::size_t i = 0; i < members.size(); ++i) EXPECT_NE(members[i], 0u) << registers::family(i).pattern;
}

TEST_P(Registers, KindsFitTheirWidths) {
    const std::map<FieldKind, unsigned> widths = {{FieldKind::flag, 1},          {FieldKind::source_interface, 1},
                                                  {FieldKind::throttle_mode, 2}, {FieldKind::upsample_rate, 2},
                                                  {FieldKind::data_format, 4},   {FieldKind::whole, 32}};
    for (const auto& one : register_fields(GetParam())) {
        const auto width = widths.find(one.kind);
        EXPECT_TRUE(width == widths.end() || width->second == one.width) << one.name;
        EXPECT_EQ(one.meaning.empty(), one.source.empty()) << one.name;
    }
}

// Texts outlive the call: they are those of the tables.
TEST_P(Registers, MeaningsAreTextsOfTheTables) {
    std::set<std::string_view> texts{""};
    for (std::size_t i = 0; i < registers::family_count(); ++i) texts.insert(registers::family(i).meaning);
    std::size_t exceptions = 0;
    for (const auto& one : register_fields(GetParam())) {
        const auto place = registers::place_of(one.name, GetParam());
        const bool ignored = place.place == registers::Place::ignored && !place.reason.empty();
        exceptions += ignored;
        EXPECT_TRUE(ignored ? one.meaning == place.reason : texts.count(one.meaning)) << one.name;
        EXPECT_TRUE(!ignored || one.meaning.starts_with("not used: ")) << one.name;
    }
    EXPECT_GT(exceptions, 3u);
}

/// Every field whose name says that it holds a format is shown as one, and no other.
TEST_P(Registers, FormatsAreShownAsFormats) {
    for (const auto& one : register_fields(GetParam())) {
        const std::string text(one.name);
        const bool by_name = text.find("data_format") != text.npos || text.find("DataFormat") != text.npos ||
                             text.starts_with("ALU_FORMAT_SPEC_REG") || text == "SFPU_DEST_FMT_Base";
        const bool wide = one.width == 4;
        EXPECT_EQ(one.kind == FieldKind::data_format, by_name && wide) << one.name;
    }
}

TEST_P(Registers, SharedWordsAreThoseOfTheGlobalPart) {
    for (const auto& one : register_fields(GetParam()))
        EXPECT_EQ(one.shared,
                  one.space == RegisterSpace::backend && one.addr32 >= (GetParam() == Arch::blackhole ? 180u : 152u))
            << one.name;
}

TEST_P(Registers, ValuesAsText) {
    const auto format = field("THCON_SEC0_REG2_Out_data_format");
    EXPECT_EQ(describe_value(format, 5), "Float16_b");
    EXPECT_EQ(describe_value(format, 12), "12");
    EXPECT_EQ(describe_value(field("ADDR_MOD_AB_SEC3_SrcAIncr"), 32), "32");
    EXPECT_EQ(describe_value(field("ADDR_MOD_AB_SEC3_SrcAIncr"), 63), "63 (-1)");
    EXPECT_EQ(describe_value(field("ADDR_MOD_AB_SEC3_SrcAIncr"), 33), "33 (-31)");
    EXPECT_EQ(describe_value(field("THCON_SEC1_REG3_Base_cntx1_address"), 0x2000), "0x20000");
    EXPECT_EQ(describe_value(field("THCON_SEC0_REG1_Exp_section_size"), 4), "64 bytes");
    EXPECT_EQ(describe_value(field("STACC_RELU_ApplyRelu"), 1), "ReLU");
    EXPECT_EQ(describe_value(field("THCON_SEC0_REG2_Throttle_mode"), 2), "x4");
    EXPECT_EQ(describe_value(field("ALU_ACC_CTRL_Fp32_enabled"), 1), "on");
    EXPECT_EQ(describe_value(field("PCK_EDGE_OFFSET_SEC1_mask"), 0xFF), "0x00FF");
    EXPECT_EQ(describe_value(field("THCON_SEC0_REG6_Transfer_direction"), 3), "L1 to L1");
    EXPECT_EQ(describe_value(field("THCON_SEC0_REG0_TileDescriptor_XDim"), 256), "256");
}

TEST_P(Registers, UnknownNamesGetAHint) {
    const auto misspelt = find_register_field("ALU_ACC_CTRL_Fp32_enable", GetParam());
    ASSERT_FALSE(misspelt);
    EXPECT_EQ(misspelt.error().code, "regs.unknown-field");
    EXPECT_THAT(misspelt.error().message, HasSubstr("1 name contains it: tessera regs --list "));
    EXPECT_THAT(find_register_field("ALU_ACC_CTL_Fp32_enabled", GetParam()).error().message,
                HasSubstr("did you mean ALU_ACC_CTRL_Fp32_enabled?"));
    const bool blackhole = GetParam() == Arch::blackhole;
    EXPECT_THAT(find_register_field(blackhole ? "CG_CTRL_EN_Fpu" : "SCRATCH_SEC0_val", GetParam()).error().message,
                HasSubstr(blackhole ? "it is one of wormhole" : "it is one of blackhole"));
    EXPECT_FALSE(find_register_field(std::string(100'000, 'A'), GetParam()));
}

TEST_P(Registers, AddressesBeyondTheSpaceAreErrors) {
    for (const auto space : {RegisterSpace::backend, RegisterSpace::thread}) {
        const unsigned words = register_words(space, GetParam());
        EXPECT_TRUE(register_fields_at(space, words - 1, GetParam()));
        EXPECT_EQ(register_fields_at(space, words, GetParam()).error().code, "regs.address");
        EXPECT_EQ(decode_register(space, words, 0, GetParam()).error().code, "regs.address");
    }
}

// Words of thread configuration have 16 bits.
TEST_P(Registers, AWordBeyondItsSpaceIsNotDecoded) {
    EXPECT_TRUE(decode_register(RegisterSpace::thread, 3, 0xFFFF, GetParam()));
    EXPECT_TRUE(decode_register(RegisterSpace::backend, 3, 0xFFFFFFFF, GetParam()));
    const auto beyond = decode_register(RegisterSpace::thread, 3, 0x10000, GetParam());
    ASSERT_FALSE(beyond);
    EXPECT_EQ(beyond.error().code, "regs.value");
    EXPECT_THAT(beyond.error().message, testing::StartsWith("0x10000 is more than 0xFFFF"));
}

TEST_P(Registers, TheTileDescriptorIsDecodedIntoItsParts) {
    const auto at = field("THCON_SEC0_REG0_TileDescriptor");
    const auto values = decode_register(RegisterSpace::backend, at.addr32, 0x0100'0015, GetParam());
    ASSERT_TRUE(values);
    std::map<std::string_view, std::string> texts;
    for (const auto& one : *values) texts[one.field.name] = one.text;
    EXPECT_EQ(texts.size(), 5u);
    EXPECT_EQ(texts["THCON_SEC0_REG0_TileDescriptor_InDataFormat"], "Float16_b");
    EXPECT_EQ(texts["THCON_SEC0_REG0_TileDescriptor_IsUncompressed"], "on");
    EXPECT_EQ(texts["THCON_SEC0_REG0_TileDescriptor_XDim"], "256");
}

RC_GTEST_PROP(RegisterWords, DecodingAndEncodingGiveTheNamedBits, ()) {
    const Arch arch = *rc::gen::element(Arch::blackhole, Arch::wormhole);
    const auto space = *rc::gen::element(RegisterSpace::backend, RegisterSpace::thread);
    const auto addr32 = *rc::gen::inRange(0u, register_words(space, arch));
    const auto any = *rc::gen::arbitrary<std::uint32_t>();
    const std::uint32_t word = space == RegisterSpace::thread ? any & 0xFFFF : any;
    const auto values = decode_register(space, addr32, word, arch);
    std::vector<FieldSetting> settings;
    std::uint32_t named = 0;
    for (const auto& one : *values) {
        settings.push_back({std::string(one.field.name), one.value});
        named |= one.field.mask() << one.field.lo;
    }
    const auto words = encode_registers(settings, arch);
    RC_ASSERT(words.has_value());
    if (settings.empty()) {
        RC_ASSERT(words->empty());
    } else {
        RC_ASSERT(words->size() == 1u);
        RC_ASSERT(words->front() == (RegisterWord{space, addr32, word & named, named}));
    }
}

TEST_P(Registers, EncodingRefusesWhatDoesNotFitOrContradicts) {
    const auto code = [&](std::vector<FieldSetting> settings) {
        const auto words = encode_registers(settings, GetParam());
        return words ? std::string("good") : words.error().code;
    };
    EXPECT_EQ(code({{"THCON_SEC0_REG2_Out_data_format", 16}}), "regs.value");
    EXPECT_EQ(code({{"THCON_SEC0_REG2_Out_data_format", 15}}), "good");
    EXPECT_EQ(code({{"no such", 0}}), "regs.unknown-field");
    EXPECT_EQ(code({{"THCON_SEC0_REG0_TileDescriptor", 0x15}, {"THCON_SEC0_REG0_TileDescriptor_InDataFormat", 5}}),
              "good");
    EXPECT_EQ(code({{"THCON_SEC0_REG0_TileDescriptor", 0x15}, {"THCON_SEC0_REG0_TileDescriptor_InDataFormat", 6}}),
              "regs.value");
}

TEST_P(Registers, NothingIsSetAfterReset) { EXPECT_TRUE(register_state(Core(GetParam())).empty()); }

/// "group where name: text" of all that is set.
std::set<std::string> texts(const Core& core) {
    std::set<std::string> lines;
    for (const auto& one : register_state(core))
        lines.insert(one.group + " " + one.where + " " + one.name + ": " + one.text);
    return lines;
}

TEST_P(Registers, WhatAProgramHasSet) {
    const auto program = assemble(R"(.thread 1
.cfg ADDR_MOD_AB_SEC2_SrcAIncr = 32
.cfg ADDR_MOD_AB_SEC2_SrcACR = 1
.cfg ADDR_MOD_AB_SEC2_SrcBIncr = 63
.cfg ADDR_MOD_DST_SEC2_DestClear = 1
.cfg ADDR_MOD_DST_SEC2_FidelityIncr = 1
.cfg ADDR_MOD_DST_SEC3_DestCToCR = 1
.cfg ADDR_MOD_DST_SEC3_DestIncr = 8
.cfg ADDR_MOD_PACK_SEC1_YsrcIncr = 4
.cfg ADDR_MOD_PACK_SEC1_ZdstClear = 1
.cfg THCON_SEC0_REG2_Out_data_format[1] = 5
.cfg DEST_TARGET_REG_CFG_PACK_SEC1_Offset = 64
.gpr 3 = 0x1234
SETRWC BitMask=4 rwc_d=8
SETADCXX CntSetMask=1 x_end2=255
)",
                                  GetParam());
    ASSERT_TRUE(program) << program.error().describe();
    Core core(GetParam());
    const auto run = core.run(*program, {.max_cycles = 100'000});
    ASSERT_TRUE(run && run->good()) << (run ? run->fault->describe() : run.error().describe());
    EXPECT_EQ(texts(core), (std::set<std::string>{
                               "addr-mod T1 ADDR_MOD 2: SrcA to checkpoint + 32, SrcB - 1, Dst cleared, fidelity + 1",
                               "addr-mod T1 ADDR_MOD 3: Dst + 8, kept as checkpoint",
                               "addr-mod T1 ADDR_MOD_PACK 1: input Y + 4, output Z cleared",
                               "unpack bank 1 THCON_SEC0_REG2_Out_data_format: Float16_b",
                               "pack both banks DEST_TARGET_REG_CFG_PACK_SEC1_Offset: 64",
                               "gpr T1 register 3: 0x1234",
                               "rwc T1 dst: 8",
                               "rwc T1 dst_cr: 8",
                               "adc T1 unpacker0 channel 1 x: 255",
                               "adc T1 unpacker0 channel 1 x_cr: 255",
                           }));
}

TEST_P(Registers, ChangesTellBothValues) {
    Core before(GetParam()), after(GetParam());
    const unsigned word = field("THCON_SEC1_REG2_Throttle_mode").addr32;
    const std::vector<DumpedWord> dump = {{RegisterSpace::backend, 0, word, 0x20, 1}};
    load_register_dump(after, dump);
    const auto changes = register_changes(before, after);
    ASSERT_EQ(changes.size(), 1u);
    EXPECT_EQ(changes[0].before.text, "x1");
    EXPECT_EQ(changes[0].after.text, "x4");
    EXPECT_EQ(changes[0].after.where, "bank 0");
    EXPECT_TRUE(register_changes(after, after).empty());
    EXPECT_TRUE(register_changes(Core(Arch::blackhole), Core(Arch::wormhole)).empty());
}

TEST(RegisterDump, ReadsWordsOfBanksAndThreads) {
    const auto words = parse_register_dump("# a card\n1 0x0a000000 # ALU\nbank 1\r\n  72: 5\nthread 2\n12 = 0x20\n",
                                           Arch::blackhole, "card.txt");
    ASSERT_TRUE(words) << words.error().describe();
    ASSERT_EQ(words->size(), 3u);
    Core core(Arch::blackhole);
    load_register_dump(core, *words);
    EXPECT_EQ(texts(core), (std::set<std::string>{
                               "alu bank 0 ALU_FORMAT_SPEC_REG2_Dstacc: Float16_b",
                               "unpack bank 1 THCON_SEC0_REG2_Out_data_format: Float16_b",
                               "addr-mod T2 ADDR_MOD 0: SrcA + 32",
                           }));
}

TEST(RegisterDump, BitsOfNoFieldAreTold) {
    Core core(Arch::blackhole);
    load_register_dump(core, *parse_register_dump("5 0x80000000\n", Arch::blackhole));
    EXPECT_EQ(texts(core), (std::set<std::string>{"other bank 0 ADDR32 5: bits of no field 0x80000000"}));
}

TEST(RegisterDump, ErrorsSayWhere) {
    const auto error = [](std::string_view text) {
        const auto words = parse_register_dump(text, Arch::wormhole, "d");
        return words ? std::string("good") : words.error().describe();
    };
    EXPECT_THAT(error("1 2\n x 3\n"), testing::AllOf(HasSubstr("d:2:2: "), HasSubstr("[regs.syntax]")));
    EXPECT_THAT(error("1 zwei"), testing::AllOf(HasSubstr("d:1:3: "), HasSubstr("[regs.syntax]")));
    EXPECT_THAT(error("1"), testing::AllOf(HasSubstr("d:1:1: "), HasSubstr("[regs.syntax]")));
    EXPECT_THAT(error("1 2 3"), testing::AllOf(HasSubstr("d:1:5: "), HasSubstr("[regs.syntax]")));
    EXPECT_THAT(error("188 0"), testing::AllOf(HasSubstr("d:1:1: "), HasSubstr("[regs.address]")));
    EXPECT_THAT(error("187 0"), "good");
    EXPECT_THAT(error("1 0x100000000"), testing::AllOf(HasSubstr("d:1:3: "), HasSubstr("[regs.value]")));
    EXPECT_THAT(error("thread 0\n1 0x10000"), testing::AllOf(HasSubstr("d:2:3: "), HasSubstr("[regs.value]")));
    EXPECT_THAT(error("thread 3"), testing::AllOf(HasSubstr("d:1:8: "), HasSubstr("[regs.syntax]")));
    EXPECT_THAT(error("bank 2"), testing::AllOf(HasSubstr("d:1:6: "), HasSubstr("[regs.syntax]")));
    EXPECT_THAT(error("1 2\n1 2"), testing::AllOf(HasSubstr("d:2:1: "), HasSubstr("[regs.twice]")));
    EXPECT_THAT(error("1 99999999999999999999999"), HasSubstr("99999999999999999999999 is more than 0xFFFFFFFF [regs.value]"));
    EXPECT_THAT(error("1 0x10000000000000000"), HasSubstr("0x10000000000000000 is more than 0xFFFFFFFF [regs.value]"));
    EXPECT_THAT(error("99999999999999999999999 0"), HasSubstr("no word 99999999999999999999999: "));
    for (const char* none : {"1 0x", "1 -1", "1 99999999999999999999999a"}) EXPECT_THAT(error(none), HasSubstr("is not a number [regs.syntax]"));
    EXPECT_THAT(error(std::string("1 \0 2", 5)), HasSubstr("[regs.syntax]"));
    EXPECT_EQ(error(""), "good");
}

TEST(RegisterDump, AByteOrderMarkIsNoText) {
    const auto words = parse_register_dump("\xEF\xBB\xBF" "1 2\n", Arch::blackhole);
    ASSERT_TRUE(words) << words.error().describe();
    ASSERT_EQ(words->size(), 1u);
    EXPECT_EQ((*words)[0].value, 2u);
}

RC_GTEST_PROP(RegisterDumpText, AnyTextIsReadOrRefused, (const std::string& text)) {
    const auto words = parse_register_dump(text, Arch::blackhole, "d");
    RC_ASSERT(words || words.error().line >= 1);
}

}  // namespace
}  // namespace tessera
