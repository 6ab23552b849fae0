// SPDX-License-Identifier: Apache-2.0
// Pages show the output of their commands.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "support/run_cli.hpp"
#include "support/shown_page.hpp"

namespace tessera {
namespace {

struct Page {
    const char* name;
    unsigned commands;
};

class Pages : public testing::TestWithParam<Page> {};

TEST_P(Pages, ShowWhatTheirCommandsPrint) { EXPECT_EQ(test::check_page(GetParam().name), GetParam().commands); }

INSTANTIATE_TEST_SUITE_P(Docs, Pages,
                         testing::Values(Page{"questions.md", 8}, Page{"questions-state.md", 5}, Page{"jobs.md", 1}, Page{"assembly.md", 1},
                                         Page{"commands.md", 1}, Page{"trace.md", 1}, Page{"functional.md", 1}, Page{"races.md", 1},
                                         Page{"stability.md", 1}),
                         [](const auto& page) {
                             std::string name = page.param.name;
                             name.resize(name.find('.'));
                             for (char& c : name)
                                 if (c == '-') c = '_';
                             return name;
                         });

// The block of a command, what is left out of its output as a line of dots, and the rest of it.
TEST(Readme, ShowsHowItsFirstCommandEnds) {
    std::ifstream file(TESSERA_SOURCE_DIR "/README.md");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const std::string before = "```\n$ build/tessera ", dots = "\n…\n";
    const auto start = text.find(before), left_out = text.find(dots, start), stop = text.find("```\n", left_out);
    ASSERT_NE(stop, text.npos);
    const auto command = start + before.size(), shown = left_out + dots.size();
    std::istringstream words(text.substr(command, left_out - command));
    const std::vector<std::string> arguments{std::istream_iterator<std::string>(words), {}};

    const auto folder = std::filesystem::current_path();
    std::filesystem::current_path(TESSERA_SOURCE_DIR);
    const std::string printed = test::run_cli(arguments).out;
    std::filesystem::current_path(folder);
    EXPECT_TRUE(printed.ends_with(text.substr(shown, stop - shown))) << printed;
}

}  // namespace
}  // namespace tessera
