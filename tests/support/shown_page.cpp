// SPDX-License-Identifier: Apache-2.0
#include "support/shown_page.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <sstream>
#include <vector>

#include "support/run_cli.hpp"
#include "support/temporary_directory.hpp"

namespace tessera::test {

namespace {

std::vector<std::string> words_of(const std::string& line) {
    std::vector<std::string> words;
    bool quoted = false, in_word = false;
    for (const char c : line) {
        if (c == '\'') {
            quoted = !quoted;
            if (quoted && !in_word) words.emplace_back();
            in_word = true;
        } else if (c == ' ' && !quoted) {
            in_word = false;
        } else {
            if (!in_word) words.emplace_back();
            in_word = true;
            words.back() += c;
        }
    }
    return words;
}

}  // namespace

unsigned check_page(const std::string& page_name) {
    const TemporaryDirectory directory;
    std::filesystem::create_directory_symlink(TESSERA_SOURCE_DIR "/examples", directory / "examples");
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path(directory / ".");
    std::istringstream page(contents(TESSERA_SOURCE_DIR "/docs/" + page_name));
    std::vector<std::string> command;
    std::string shown, line;
    int status = 0;
    unsigned commands = 0;
    auto compare = [&] {
        while (shown.ends_with("\n\n")) shown.pop_back();
        if (!command.empty()) {
            const CliOutcome outcome = run_cli(command);
            EXPECT_EQ(outcome.out, shown) << command[0];
            EXPECT_EQ(outcome.status, status) << command[0];
            ++commands;
        }
        command.clear();
        shown.clear();
    };
    const std::string prompt = "    $ tessera ";
    while (std::getline(page, line)) {
        if (line.starts_with(prompt)) {
            compare();
            const std::size_t comment = std::min(line.find(" #"), line.size());
            command = words_of(line.substr(prompt.size(), comment - prompt.size()));
            std::smatch told;
            status = std::regex_search(line, told, std::regex("# exit status (\\d+)")) ? std::stoi(told[1]) : 0;
        } else if (line.empty() || line.starts_with("    ")) {
            if (!command.empty() && !(line.empty() && shown.empty()))
                shown += (line.empty() ? line : line.substr(4)) + "\n";
        } else {
            compare();
        }
    }
    compare();
    std::filesystem::current_path(before);
    return commands;
}

}  // namespace tessera::test
