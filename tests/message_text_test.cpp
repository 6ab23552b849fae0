// SPDX-License-Identifier: Apache-2.0
// The parts that messages share: places of ops, ranges, hints for mistyped names.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "findings/catalogue.hpp"
#include "tessera/error.hpp"
#include "tessera/op_place.hpp"
#include "tessera/similar_name.hpp"
#include "util/range_text.hpp"

namespace tessera {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(MessageText, APlaceHasThePartsThatAreKnown) {
    EXPECT_EQ(
        (OpPlace{.thread = 1, .index = 5, .position = 3, .cycle = 90, .instruction = "MVMUL dst=8", .place = "a.tts:7"}
             .describe()),
        "T1 op 5, instruction 3 of its expansion, cycle 90: MVMUL dst=8 (a.tts:7)");
    EXPECT_EQ((OpPlace{.thread = 0, .index = 0}.describe()), "T0 op 0");
    EXPECT_EQ((OpPlace{.thread = 2, .index = 4, .by_core = true, .cycle = 0}.describe()), "T2 core op 4, cycle 0");
    EXPECT_EQ((OpPlace{.thread = 2, .instruction = "NOP"}.describe()), "T2: NOP");
    EXPECT_EQ((OpPlace{.cycle = 7, .place = "a.tts:7"}.describe()), "cycle 7 (a.tts:7)");
    EXPECT_EQ(OpPlace{}.describe(), "");
}

TEST(MessageText, TheEndOfAPlaceHasWholeNames) {
    for (const char* end : {"a/unpack.tts:5", "unpack.tts:5", ":5", "/unpack.tts:5"}) EXPECT_TRUE(is_end_of_place(end, "a/unpack.tts:5")) << end;
    for (const char* end : {"pack.tts:5", "5", "", "b/unpack.tts:5", "unpack.tts:55", "xa/unpack.tts:5"})
        EXPECT_FALSE(is_end_of_place(end, "a/unpack.tts:5")) << end;
}

TEST(MessageText, ARangeOfOneIsSingular) {
    EXPECT_EQ(util::range_text("rows", 0, 7), "rows 0 to 7");
    EXPECT_EQ(util::range_text("rows", 0, 0), "row 0");
    EXPECT_EQ(util::range_text("L1", "0x10", "0x10"), "L1 0x10");
}

TEST(MessageText, ARangeOfBytesDoesNotWrap) {
    EXPECT_EQ(util::byte_range_text(0x10, 0x20), "0x10 to 0x30");
    EXPECT_EQ(util::byte_range_text(0xFFFFFFFFFFFFFFFF, 0x11), "0xFFFFFFFFFFFFFFFF to 0x10000000000000010");
}

TEST(MessageText, ALongInputIsQuotedByItsEnds) {
    const std::string exact(2000, 'x');
    EXPECT_EQ(fail("a.b", exact).value().message, exact);
    const Error error = fail("a.b", "'" + std::string(10'000'000, 'x') + "' is not a number").value();
    EXPECT_EQ(error.message,
              "'" + std::string(999, 'x') + " … " + std::string(1000 - std::string_view("' is not a number").size(), 'x') + "' is not a number");
    // Characters of UTF-8 stay whole.
    const std::string umlaut = "ä";
    std::string text = "x";
    for (int i = 0; i < 2000; ++i) text += umlaut;
    const std::string cut = fail("a.b", text + "x").value().message;
    EXPECT_TRUE(cut.starts_with("xä"));
    EXPECT_THAT(cut, HasSubstr("ä … ä"));
}

std::string message_of(const findings::Note& note) {
    Finding finding;
    findings::describe(note, finding);
    return finding.message;
}

// Values of ranges keep their names and numbers; only the text is shorter.
TEST(MessageText, FindingsTellRangesTheSameWay) {
    EXPECT_THAT(message_of({findings::id("hazard.dst"), {3, 5, 1, 0}}), StartsWith("Dst rows 3 to 5: "));
    EXPECT_THAT(message_of({findings::id("hazard.dst"), {3, 3, 1, 0}}), StartsWith("Dst row 3: "));
    EXPECT_THAT(message_of({findings::id("hazard.l1"), {16, 16, 1, 0}}), StartsWith("L1 0x10: "));
    EXPECT_THAT(message_of({findings::id("src.rows-gap"), {4, 4}, "SrcA"}),
                StartsWith("nothing writes SrcA row 4 before"));
}

TEST(MessageText, AHintIsTheClosestName) {
    constexpr std::string_view names[] = {"documented", "instant", "Dest Index"};
    EXPECT_EQ(suggestion("instnat", names), " (did you mean instant?)");
    EXPECT_EQ(suggestion("INSTANT", names), " (did you mean instant?)");
    EXPECT_EQ(suggestion("dest_indx", names), " (did you mean Dest_Index?)");
    EXPECT_EQ(suggestion("quick", names), "");
    constexpr std::string_view short_names[] = {"mop", "gpr", "count"};
    constexpr std::string_view formats[] = {"Float32", "Float16", "Float16_b", "Bfp8", "Bfp8_b"};
    for (const char* written : {"Float16b", "FLOAT16B", "float16-b", "Float16.b"})
        EXPECT_EQ(suggestion(written, formats), " (did you mean Float16_b?)")
            << "only what separates its words is another";
    EXPECT_EQ(suggestion("bfp8b", formats), " (did you mean Bfp8_b?)");
    EXPECT_EQ(suggestion("foo", short_names), "") << "two of its three characters would be others";
    EXPECT_EQ(suggestion("gpt", short_names), " (did you mean gpr?)");
    EXPECT_EQ(suggestion("grp", short_names), " (did you mean gpr?)");
    EXPECT_EQ(suggestion("cnt", short_names), " (did you mean count?)");
    EXPECT_EQ(suggestion(std::string(1000, 'i'), names), "");
    EXPECT_EQ(suggestion("instant", {}), "");
}

}  // namespace
}  // namespace tessera
