// SPDX-License-Identifier: Apache-2.0
// state_text(): every section in every form, and the forms that a section does not have.
#include "tessera/state_text.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <sstream>

#include "support/section.hpp"
#include "tessera/registers.hpp"

namespace tessera {
namespace {

using testing::HasSubstr;

using test::section;

Result<std::string> shown(const Core& core, const std::string& line) {
    std::istringstream in(line);
    std::vector<std::string> words;
    for (std::string word; in >> word;) words.push_back(word);
    return state_text(core, words);
}

/// The error's message; its code must be this one.
std::string refused(const Core& core, const std::string& line, std::string_view code) {
    const auto text = shown(core, line);
    if (text) return line + " is shown";
    EXPECT_EQ(text.error().code, code) << line;
    return text.error().message;
}

void write_l1(Core& core, const std::vector<unsigned>& bytes) {
    for (std::size_t i = 0; i < bytes.size(); ++i) core.l1()[0x100 + i] = static_cast<std::uint8_t>(bytes[i]);
}

class StateText : public testing::TestWithParam<Arch> {
protected:
    Core core{GetParam()};
};

/// The first elements of a section, two of each dimension.
std::string first_elements(const Section& section) {
    if (section.name == "l1") return "l1 0 64";
    std::string text = section.name;
    for (const Dimension& dimension : section.dimensions) text += dimension.size < 2 ? " 0" : " 0:2";
    return text;
}

TEST_P(StateText, ShowsEverySectionInEachForm) {
    for (const Section& one : core.sections()) {
        const std::string part = first_elements(one);
        for (const char* form : {"", " as hex"}) {
            const auto text = shown(core, part + form);
            EXPECT_TRUE(text && text->ends_with("\n")) << part << form;
        }
        for (const DataFormat format : all_data_formats) {
            const auto text = shown(core, fmt::format("{} as {}", part, name(format)));
            EXPECT_EQ(text ? "state.format" : text.error().code, "state.format") << part << " as " << name(format);
        }
        EXPECT_EQ(shown(core, one.name).has_value(), one.size <= 1024 || one.name == "l1") << one.name;
    }
}

TEST_P(StateText, ShowsSingleElements) {
    constexpr auto singles = std::to_array<std::string_view>({"lane_flags", "lane_flags_enable", "lane_flag_stack_size",
                                                             "last_src_a_row", "matrix_random", "feature_disable"});
    for (const Section& one : core.sections())
        EXPECT_EQ(one.dimensions.empty(), std::find(singles.begin(), singles.end(), one.name) != singles.end()) << one.name;
    for (const std::string_view name : singles) core.write(section(core, name), 0, 5);
    EXPECT_EQ(*shown(core, "lane_flags"), "lane_flags  0x00000005\n");
    EXPECT_EQ(*shown(core, "lane_flags as UInt32"), "lane_flags  5\n");
    EXPECT_EQ(*shown(core, "lane_flags_enable"), "lane_flags_enable  0x00000005\n");
    EXPECT_EQ(*shown(core, "lane_flag_stack_size"), "lane_flag_stack_size  5\n");
    EXPECT_EQ(*shown(core, "lane_flag_stack_size as hex"), "lane_flag_stack_size  0x5\n");
    EXPECT_EQ(*shown(core, "last_src_a_row"), "last_src_a_row  5\n");
    EXPECT_EQ(*shown(core, "last_src_a_row as hex"), "last_src_a_row  0x05\n");
    EXPECT_EQ(*shown(core, "matrix_random"), "matrix_random  0x00000005\n");
    EXPECT_EQ(*shown(core, "feature_disable"), "feature_disable  0x00000005\n");
    EXPECT_THAT(refused(core, "lane_flags 0", "state.part"), HasSubstr("0 dimensions"));
}

// 1.0 is 0x3F80 as BF16, 0x3C00 as FP16, 0x3F800000 as FP32, 0x3C as E5M2 and 0x38 as E4M3.
TEST_P(StateText, ShowsDatumsOfL1) {
    write_l1(core, {0x80, 0x3F, 0x00, 0xC0});
    EXPECT_EQ(*shown(core, "l1 0x100 4"), "0x00100  80  3f  00  c0\n");
    EXPECT_EQ(*shown(core, "l1 0x100 4 as Float16_b"), "0x00100  1  -2\n");
    EXPECT_EQ(*shown(core, "l1 0x100 4 as UInt16"), "0x00100  16256  49152\n");
    EXPECT_EQ(*shown(core, "l1 0x100 4 as UInt8"), "0x00100  128  63  0  192\n");
    write_l1(core, {0x00, 0x3C, 0x00, 0xBC});
    EXPECT_EQ(*shown(core, "l1 0x100 4 as Float16"), "0x00100  1  -1\n");
    write_l1(core, {0x00, 0x00, 0x80, 0x3F, 0x00, 0x00, 0x80, 0xBF});
    for (const char* format : {"Float32", "Tf32"})
        EXPECT_EQ(*shown(core, fmt::format("l1 0x100 8 as {}", format)), "0x00100  1  -1\n");
    write_l1(core, {0xFE, 0xFF, 0xFF, 0xFF, 0x07, 0x00, 0x00, 0x00});
    EXPECT_EQ(*shown(core, "l1 0x100 8 as Int32"), "0x00100  -2  7\n");
    EXPECT_EQ(*shown(core, "l1 0x100 8 as UInt32"), "0x00100  4294967294  7\n");
    write_l1(core, {0x3C, 0x38, 0x82});
    EXPECT_EQ(*shown(core, "l1 0x100 1 as Lf8"), "0x00100  1\n");
    EXPECT_EQ(*shown(core, "l1 0x101 1 as Fp8_e4m3"), "0x00101  1\n");
    EXPECT_EQ(*shown(core, "l1 0x102 1 as Int8"), "0x00102  -2\n") << "sign and magnitude";
    // Eight datums a line, and as many as without a format in all.
    EXPECT_THAT(*shown(core, "l1 0x200 32 as Float16_b"), HasSubstr("\n0x00210  "));
    EXPECT_TRUE(shown(core, "l1 0x200 4096 as Float32"));
    EXPECT_THAT(refused(core, "l1 0x200 4100 as Float32", "state.part"), HasSubstr("1025 values are too many"));
    EXPECT_THAT(refused(core, "l1 0x200 3 as UInt16", "state.part"), HasSubstr("UInt16s, which have 2 bytes each"));
    EXPECT_THAT(refused(core, "l1 0x200 64 as Bfp8", "state.format"), HasSubstr("share exponents"));
}

TEST_P(StateText, ShowsDatumsOfSourceRegisters) {
    core.src_a()[1][0] = 0xBFC00000;     // -1.5
    core.src_a()[1][1] = 0x3E00u << 13;  // an FP16 of 1.5, its exponent in the low 5 of the 8 bits
    for (const char* form : {"", " as Float16_b", " as Tf32", " as Float32"})
        EXPECT_EQ(*shown(core, fmt::format("src_a 1 0 0{}", form)), "src_a bank 1 row 0 column 0  -1.5\n") << form;
    EXPECT_EQ(*shown(core, "src_a 1 0 1 as Float16"), "src_a bank 1 row 0 column 1  1.5\n");
    EXPECT_THAT(refused(core, "src_a 1 0 as Bfp8_b", "state.format"), HasSubstr("have become Float16_b there"));
    EXPECT_THAT(refused(core, "src_b 1 0 as Bfp8", "state.format"), HasSubstr("have become Float16 there"));
    EXPECT_THAT(refused(core, "src_a 1 0 as UInt16", "state.format"), HasSubstr("Float16_b, hex"));
}

// Row 9 of the 32-bit view is row 17, and row 25 below (Dst, Adj32). The lower half is in stored order.
TEST_P(StateText, ShowsDatumsOfDst) {
    core.dst()[17 * 16] = 0x4049;
    core.write(section(core, "dst"), 25 * 16, 0x0FDB);
    for (const std::size_t row : {17, 25}) core.write(section(core, "dst_valid"), row, 1);
    EXPECT_EQ(*shown(core, "dst 9 0 as Float32"), "dst row 9 column 0  3.14159\n");
    EXPECT_EQ(*shown(core, "dst 17 0"), "dst row 17 column 0  3.14062\n") << "0x4049 is 3.140625";
    EXPECT_THAT(refused(core, "dst 512 as Float32", "state.part"), HasSubstr("rows 0 to 511"));
    EXPECT_TRUE(shown(core, "dst 511 as Tf32"));
    EXPECT_TRUE(shown(core, "dst 1023 as Float16"));
    for (const char* format : {"Bfp8", "Bfp8_b", "Int32", "Int8", "UInt16", "Lf8"})
        EXPECT_THAT(refused(core, fmt::format("dst 0 0:4 as {}", format), "state.format"),
                    HasSubstr("it can be shown as Float32, Float16, Tf32, Float16_b, hex"));
}

TEST_P(StateText, ShowsWordsAsNumbers) {
    core.write(section(core, "gpr"), 3, 0xBF800000);
    EXPECT_EQ(*shown(core, "gpr 0 3 as Float32"), "gpr thread 0 register 3  -1\n");
    EXPECT_EQ(*shown(core, "gpr 0 3 as Int32"), "gpr thread 0 register 3  -1082130432\n");
    EXPECT_EQ(*shown(core, "gpr 0 3 as UInt32"), "gpr thread 0 register 3  3212836864\n");
    EXPECT_THAT(refused(core, "gpr as Int8", "state.format"), HasSubstr("it can be shown as Float32, Int32, UInt32, hex"));
    EXPECT_THAT(refused(core, "mutex as Int32", "state.format"), HasSubstr("it can be shown as hex"));
    EXPECT_THAT(refused(core, "dst 0 as bf16", "state.format"), HasSubstr("(did you mean Float16_b?): Float32, "));
}

TEST_P(StateText, ShowsConfigurationFields) {
    const std::string field = "ALU_FORMAT_SPEC_REG0_SrcA";
    ASSERT_TRUE(write_field(core, field, 1, 5));
    EXPECT_EQ(*shown(core, field), fmt::format("{0} of bank 0  Float32\n{0} of bank 1  Float16_b\n", field));
    EXPECT_EQ(*shown(core, field + " as hex"), fmt::format("{0} of bank 0  0x0\n{0} of bank 1  0x5\n", field));
    EXPECT_THAT(refused(core, field + " as Int32", "state.format"), HasSubstr("it can be shown as hex"));
    EXPECT_THAT(refused(core, field + " 1", "state.part"), HasSubstr("takes no indices"));
    EXPECT_THAT(refused(core, field + "x", "state.unknown-section"), HasSubstr("did you mean " + field));
}

// A field's part is its word: written through the field, some element of the part changes, and nothing else.
TEST_P(StateText, FindsTheWordsOfFields) {
    for (const RegisterField& field : register_fields(GetParam())) {
        const std::string words[] = {std::string(field.name)};
        const auto part = read_state_part(core, words);
        ASSERT_TRUE(part) << field.name;
        const auto elements = part->elements();
        ASSERT_EQ(elements.size(), field.shared ? 1u : field.space == RegisterSpace::thread ? 3u : 2u) << field.name;
        for (unsigned i = 0; i < elements.size(); ++i) {
            ASSERT_TRUE(write_field(core, field.name, i, field.mask()));
            const auto word = static_cast<std::uint32_t>(core.read(*part->section, elements[i]));
            EXPECT_EQ(field.extract(word), field.mask()) << field.name;
            ASSERT_TRUE(write_field(core, field.name, i, 0));
            EXPECT_EQ(field.extract(static_cast<std::uint32_t>(core.read(*part->section, elements[i]))), 0u) << field.name;
        }
    }
}

TEST_P(StateText, DescribesElementsThatDoNotExist) {
    for (const Section& one : core.sections()) {
        EXPECT_EQ(one.describe(one.size), fmt::format("{} element {}", one.name, one.size));
        EXPECT_EQ(one.describe(~std::size_t{0}), fmt::format("{} element {}", one.name, ~std::size_t{0}));
        EXPECT_NE(one.describe(one.size - 1), fmt::format("{} element {}", one.name, one.size - 1));
    }
    Section empty;
    empty.name = "none";
    empty.dimensions = {{"row", 2, {}}, {"column", 0, {}}};
    EXPECT_EQ(empty.describe(0), "none element 0");
    Section short_of_labels;
    short_of_labels.name = "some";
    short_of_labels.dimensions = {{"item", 2, {"first"}}};
    EXPECT_EQ(short_of_labels.describe(0), "some first");
    EXPECT_EQ(short_of_labels.describe(1), "some item 1");
}

INSTANTIATE_TEST_SUITE_P(Chips, StateText, testing::ValuesIn(all_archs),
                         [](const auto& chip) { return std::string(name(chip.param)); });

}  // namespace
}  // namespace tessera
