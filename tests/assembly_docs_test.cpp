// SPDX-License-Identifier: Apache-2.0
// Examples of the assembly documentation assemble as shown.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <regex>
#include <set>

#include "tessera/assembly.hpp"

namespace tessera {
namespace {

std::string page(const std::string& name) {
    std::ifstream file(TESSERA_SOURCE_DIR "/docs/" + name);
    EXPECT_TRUE(file) << name;
    return {std::istreambuf_iterator<char>(file), {}};
}

std::string with_line_ends(std::string text) {
    for (std::size_t at; (at = text.find("<br>")) != text.npos;) text.replace(at, 4, "\n");
    return text;
}

TEST(AssemblyGrammar, EachProductionHasItsExamples) {
    const std::string text = page("reference/assembly-grammar.md");
    const auto start = text.find("```ebnf"), stop = text.find("```", start + 3);
    ASSERT_NE(start, text.npos);
    const std::string grammar = text.substr(start, stop - start);
    std::set<std::string> productions, shown;
    const std::regex production(R"((?:^|\n)(\w+) +=)"), row(R"(\n\| `(\w+)` \| `([^`]*)` \| `([^`]*)` \|)");
    for (std::sregex_iterator at(grammar.begin(), grammar.end(), production), end; at != end; ++at)
        productions.insert((*at)[1]);
    for (std::sregex_iterator at(text.begin(), text.end(), row), end; at != end; ++at) {
        const auto& match = *at;
        shown.insert(match[1]);
        const auto accepted = assemble(with_line_ends(match[2]), Arch::blackhole);
        EXPECT_TRUE(accepted) << match[2] << ": " << accepted.error().describe();
        EXPECT_FALSE(assemble(with_line_ends(match[3]), Arch::blackhole)) << match[3];
    }
    EXPECT_GE(productions.size(), 20u);
    EXPECT_EQ(shown, productions);
}

TEST(AssemblyErrors, AreWhatTheirPageShows) {
    const std::string text = page("reference/assembly-errors.md");
    const std::regex shown("```tts( wormhole)?\n([^`]*)\n```\n```text\n([^`]*)\n```");
    std::set<std::string> codes;
    int examples = 0;
    for (std::sregex_iterator at(text.begin(), text.end(), shown), end; at != end; ++at, ++examples) {
        const auto& match = *at;
        const auto program = assemble(match[2].str(), match[1].matched ? Arch::wormhole : Arch::blackhole, "wrong.tts");
        ASSERT_FALSE(program) << match[2];
        EXPECT_EQ(program.error().describe(), match[3]);
        codes.insert(program.error().code);
    }
    EXPECT_GE(examples, 20);
    EXPECT_THAT(codes, testing::UnorderedElementsAre(
                           "asm.syntax", "asm.unknown-instruction", "asm.unknown-operand", "asm.unknown-form",
                           "asm.operand-range", "asm.operand-count", "asm.unknown-register", "asm.register-range",
                           "asm.unknown-directive", "asm.unknown-symbol", "asm.ambiguous-name", "asm.nesting",
                           "asm.range"));
}

}  // namespace
}  // namespace tessera
