// SPDX-License-Identifier: Apache-2.0
// The subcommands with their options as data, for man pages and shell completions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "options/command_line.hpp"

namespace tessera::cli {

/// Candidates for a value on the command line.
struct Candidates {
    bool files = false;
    std::string_view list;  ///< one of word_lists(); empty: none is known
};

struct OptionRow : OptionText {
    Candidates candidates;
};

struct CommandRow {
    std::string name;  ///< of the program itself, empty
    std::string description, footer;
    std::vector<OptionRow> positionals, options;
};

/// The program, then its subcommands, in the order of `tessera --help`.
std::vector<CommandRow> command_table(const std::vector<CommandText>& commands);

/// Words that several options take.
struct WordList {
    std::string_view name;
    std::vector<std::string> words;  ///< a trailing = means that more text follows
};
std::vector<WordList> word_lists(const std::vector<CommandRow>& commands);

}  // namespace tessera::cli
