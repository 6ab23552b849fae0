// SPDX-License-Identifier: Apache-2.0
// The subcommands with their options as data, for man pages and shell completions.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::cli {

/// Candidates for a value on the command line.
struct Candidates {
    bool files = false;
    std::string_view list;  ///< one of word_lists(); empty: none is known
};

struct OptionRow {
    std::vector<std::string> names;  ///< "-j", "--threads"; of a positional, its only name
    std::string value;               ///< "N", "CODE=LEVEL"; empty: a flag
    std::string description;
    Candidates candidates;
    bool required = false, repeated = false;
};

struct CommandRow {
    std::string name;  ///< of the program itself, empty
    std::string description, footer;
    std::vector<OptionRow> positionals, options;
};

/// The program, then its subcommands, in the order of `tessera --help`.
std::vector<CommandRow> command_table(const CLI::App& app);

/// Words that several options take.
struct WordList {
    std::string_view name;
    std::vector<std::string> words;  ///< a trailing = means that more text follows
};
std::vector<WordList> word_lists(const std::vector<CommandRow>& commands);

}  // namespace tessera::cli
