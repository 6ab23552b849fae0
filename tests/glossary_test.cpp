// SPDX-License-Identifier: Apache-2.0
// The glossary's words are in order, said in one line, and on the pages that it names.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace tessera {
namespace {

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

std::string contents(const std::filesystem::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

struct Row {
    std::string word, meaning, page;
};

// Rows of one table; a page may have several.
std::vector<std::vector<Row>> tables_of(const std::string& page) {
    std::vector<std::vector<Row>> tables;
    std::istringstream lines(page);
    const std::regex row(R"(\| (.+?) \| (.+) \| \[.+\]\((.+)\) \|)");
    for (std::string line; std::getline(lines, line);) {
        std::smatch match;
        if (line.starts_with("| word |")) {
            tables.emplace_back();
        } else if (std::regex_match(line, match, row) && !tables.empty()) {
            tables.back().push_back({match[1], match[2], match[3]});
        } else {
            EXPECT_TRUE(!line.starts_with("|") || line.starts_with("|---")) << line;
        }
    }
    return tables;
}

// What a word looks like where it is used: "fidelity (of a mode)" as fidelity, "SrcA, SrcB" as SrcA.
std::string as_used(const std::string& word) { return lower(word.substr(0, std::min(word.find(" ("), word.find(", ")))); }

class Glossary : public testing::TestWithParam<const char*> {};

TEST_P(Glossary, EachWordIsInOrderInOneLineAndOnThePageThatItNames) {
    const std::filesystem::path docs = TESSERA_SOURCE_DIR "/docs";
    std::size_t words = 0;
    for (const auto& table : tables_of(contents(docs / GetParam()))) {
        std::string before;
        for (const auto& [word, meaning, page] : table) {
            EXPECT_LT(before, lower(word)) << "is in order";
            before = lower(word);
            std::istringstream of_meaning(meaning);
            EXPECT_LE(std::distance(std::istream_iterator<std::string>(of_meaning), {}), 25) << word;
            ASSERT_TRUE(std::filesystem::exists(docs / page)) << word << ": " << page;
            EXPECT_NE(lower(contents(docs / page)).find(as_used(word)), std::string::npos) << word << " is not on " << page;
            ++words;
        }
    }
    EXPECT_GE(words, 40u);
}

INSTANTIATE_TEST_SUITE_P(Pages, Glossary, testing::Values("glossary.md", "glossary-hardware.md"),
                         [](const auto& page) { return std::string(page.index == 0 ? "Words" : "Hardware"); });

}  // namespace
}  // namespace tessera
