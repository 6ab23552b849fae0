// SPDX-License-Identifier: Apache-2.0
// What the catalogue of faults and findings says can be told and looked up.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

#include "findings/catalogue.hpp"

namespace {

using tessera::findings::catalogue;

std::set<std::string> rows_of_spec_notes() {
    std::ifstream file(TESSERA_SOURCE_DIR "/docs/spec-notes.md");
    std::set<std::string> rows;
    static const std::regex row(R"(^\| ([A-Z]\d+) \|.*)");
    std::smatch match;
    for (std::string line; std::getline(file, line);)
        if (std::regex_match(line, match, row)) rows.insert(match[1]);
    return rows;
}

TEST(Catalogue, CodesAreUnique) {
    std::set<std::string_view> codes;
    for (const auto& entry : catalogue) EXPECT_TRUE(codes.insert(entry.code).second) << entry.code;
}

TEST(Catalogue, MessagesUseTheValuesTheyName) {
    for (const auto& entry : catalogue) {
        for (std::size_t i = 0; i < entry.values.size(); ++i) {
            const auto placeholder = "{" + std::to_string(i) + "}";
            EXPECT_EQ(entry.message.find(placeholder) != entry.message.npos, !entry.values[i].empty())
                << entry.code << ", value " << i;
        }
    }
}

TEST(Catalogue, SpecNotesThatAreCitedExist) {
    const auto rows = rows_of_spec_notes();
    ASSERT_THAT(rows, testing::Contains("A20"));
    static const std::regex citation(R"(spec-notes ([A-Z]\d+))");
    for (const auto& entry : catalogue) {
        const std::string source(entry.source);
        for (std::sregex_iterator at(source.begin(), source.end(), citation), end; at != end; ++at)
            EXPECT_THAT(rows, testing::Contains((*at)[1].str())) << entry.code;
    }
}

}  // namespace
