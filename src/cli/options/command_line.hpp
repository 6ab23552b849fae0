// SPDX-License-Identifier: Apache-2.0
// Declares and parses a command line. CLI11 does the work, but only command_line.cpp includes it: its headers define objects and
// templates that would cost each file three seconds to compile.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace tessera::cli {

/// Checks the text of a value: returns what is wrong, or "".
using Check = std::function<std::string(const std::string& text)>;

/// For counts: CLI11 alone accepts -1 as the largest number, and ignores overflow.
Check whole_number(std::uint64_t least = 0, std::uint64_t most = std::numeric_limits<std::uint64_t>::max());

/// An option or a positional, for further settings. Each of them returns the option itself.
class Option {
public:
    explicit Option(CLI::Option* option) : option_(option) {}

    /// The name of its value in help texts, such as "FILE".
    Option value_name(const std::string& name) const;
    Option required() const;
    Option check(Check check) const;
    /// Checks that its value is in this range, which help texts show.
    Option in_range(unsigned least, unsigned most) const;
    /// It cannot be given together with `other`, which exists already.
    Option excludes(Option other) const;
    Option excludes(const std::string& other) const;
    /// It can only be given together with `other`, which exists already.
    Option needs(Option other) const;
    /// Help texts show the variable's present value as its default.
    Option show_default() const;
    /// For a list: each value needs the option's name. Otherwise a positional after the value would be part of the list.
    Option one_at_a_time() const;

    /// Help texts, man pages and completion leave it out: its subcommand always refuses it, with its own reason.
    Option hidden() const;

    /// An empty text is a value. Otherwise it is refused: nearly always it comes from an unset variable of a shell.
    Option may_be_empty() const;

    /// True after parsing if the command line has it.
    bool given() const;

private:
    CLI::Option* option_;
};

/// A subcommand. Variables must live until its action has run.
class Command {
public:
    Command(CLI::App* app, std::function<int()>* action) : app_(app), action_(action) {}

    /// Declares an option ("-o,--output"), or without dashes a positional, whose value goes to a variable. T is a text, a number, an
    /// std::optional or an std::vector of them: command_line.cpp has the list.
    template <class T>
    Option option(const std::string& names, T& variable, const std::string& about) const;
    /// Declares an option without value.
    Option flag(const std::string& names, bool& variable, const std::string& about) const;
    /// The end of its help text: notes and examples.
    void footer(const std::string& text) const;
    /// Sets what it does; returns the exit status.
    void action(std::function<int()> action) const;

private:
    CLI::App* app_;
    std::function<int()>* action_;
};

/// An option as help texts show it.
struct OptionText {
    std::vector<std::string> names;  ///< "-j", "--threads"; of a positional, its only name
    std::string value;               ///< "N", "CODE=LEVEL"; empty: a flag
    std::string description;
    bool positional = false, required = false, repeated = false;
};

struct CommandText {
    std::string name;  ///< of the program itself, empty
    std::string description, footer;
    std::vector<OptionText> options;
};

/// A program with subcommands.
class CommandLine {
public:
    CommandLine(const std::string& name, const std::string& about, const std::string& footer);
    CommandLine(CommandLine&& other) noexcept;
    ~CommandLine();

    Command add(const std::string& name, const std::string& about);
    bool has(const std::string& command) const;
    /// Adds --version to the program and all subcommands added so far.
    void add_version(const std::string& text);
    /// Replaces the footer of each help text by what `edit` makes of it.
    void edit_footers(const std::function<std::string(std::string)>& edit);

    struct Parsed {
        enum class What { command, help, version, error } what;
        std::string text;  ///< of the version or the error
    };
    Parsed parse(int argc, char** argv);

    /// After parsing: the subcommand's name, or "".
    std::string chosen() const;
    /// Runs the action of the subcommand.
    int run() const;
    /// The help text of the subcommand, or of the program.
    std::string help() const;

    /// The program, then its subcommands, in the order of its help text.
    std::vector<CommandText> describe() const;

private:
    struct Parser;  // subcommands point into it
    std::unique_ptr<Parser> parser_;
};

}  // namespace tessera::cli
