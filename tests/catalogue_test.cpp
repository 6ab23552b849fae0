// SPDX-License-Identifier: Apache-2.0
// Each fault and finding of the catalogue can be reported and looked up.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "findings/areas.hpp"
#include "findings/catalogue.hpp"

namespace {

using tessera::findings::catalogue;

// The first column of each table row: "A20" of "| A20 | ...".
std::set<std::string> rows_of_spec_notes() {
    std::ifstream file(TESSERA_SOURCE_DIR "/docs/internals/spec-notes.md");
    std::set<std::string> rows;
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("| ")) rows.insert(line.substr(2, line.find(' ', 2) - 2));
    return rows;
}

// "A20" of each "spec-notes A20" in a source.
std::vector<std::string> cited_rows(std::string_view source) {
    constexpr std::string_view before = "spec-notes ";
    std::vector<std::string> rows;
    for (auto at = source.find(before); at != source.npos; at = source.find(before, at + 1)) {
        const auto row = source.substr(at + before.size());
        rows.emplace_back(row.substr(0, row.find_first_of(" ,;)")));
    }
    return rows;
}

TEST(Catalogue, CodesAreUnique) {
    std::set<std::string_view> codes;
    for (const auto& entry : catalogue) EXPECT_TRUE(codes.insert(entry.code).second) << entry.code;
}

// A finding has a level without the mark.
TEST(Catalogue, FaultsAloneAreMarkedToHaveALevel) {
    for (const auto& entry : catalogue) EXPECT_TRUE(!entry.has_level || entry.kind == tessera::findings::Kind::fault) << entry.code;
}

// The longest sentence of a text, in words; clauses behind ": " and "; " count as sentences.
std::size_t longest_sentence(std::string_view text) {
    std::size_t longest = 0, words = 0;
    std::istringstream stream{std::string(text)};
    for (std::string word; stream >> word;) {
        longest = std::max(longest, ++words);
        if (word.ends_with('.') || word.ends_with(':') || word.ends_with(';')) words = 0;
    }
    return longest;
}

TEST(Catalogue, EveryRowSaysWhatItMeans) {
    for (const auto& entry : catalogue) {
        EXPECT_FALSE(entry.title.empty()) << entry.code;
        EXPECT_LE(entry.title.size(), 70u) << entry.code;
        EXPECT_TRUE(entry.meaning.ends_with('.')) << entry.code;
        EXPECT_FALSE(entry.cure.empty()) << entry.code;
        EXPECT_FALSE(entry.source.empty()) << entry.code;
        for (const auto text : {entry.title, entry.meaning, entry.message, entry.hardware, entry.cure})
            EXPECT_LE(longest_sentence(text), 25u) << entry.code << ": " << text;
    }
}

// "does so" repeats the message; a clause needs a subject and a verb, so it has several words ("unknown" says that no source knows).
TEST(Catalogue, WhatHardwareDoesIsAClause) {
    for (const auto& entry : catalogue) {
        EXPECT_EQ(entry.hardware.find("does so"), entry.hardware.npos) << entry.code;
        if (entry.hardware.empty() || entry.hardware == "unknown") continue;
        EXPECT_GE(std::count(entry.hardware.begin(), entry.hardware.end(), ' '), 2) << entry.code << ": " << entry.hardware;
    }
}

TEST(Catalogue, AreasAreTheWholeCatalogue) {
    std::vector<std::string_view> codes;
    for (const auto& area : tessera::findings::areas)
        for (const auto& row : area.rows) codes.push_back(row.code);
    EXPECT_THAT(codes, testing::ElementsAreArray(tessera::findings::codes));
}

TEST(Catalogue, MessagesUseTheValuesTheyName) {
    for (const auto& entry : catalogue) {
        for (std::size_t i = 0; i < entry.values.size(); ++i) {
            if (entry.values[i] == "other_thread") continue;  // the text of the op has it
            const auto placeholder = "{" + std::to_string(i) + "}";
            EXPECT_EQ(entry.message.find(placeholder) != entry.message.npos, !entry.values[i].empty())
                << entry.code << ", value " << i;
        }
    }
}

TEST(Catalogue, SpecNotesThatAreCitedExist) {
    const auto rows = rows_of_spec_notes();
    ASSERT_THAT(rows, testing::Contains("A20"));
    for (const auto& entry : catalogue)
        for (const auto& row : cited_rows(entry.source)) EXPECT_THAT(rows, testing::Contains(row)) << entry.code;
}

}  // namespace
