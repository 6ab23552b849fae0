// SPDX-License-Identifier: Apache-2.0
#include "options/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>
#include <vector>

#include "tessera/similar_name.hpp"

namespace tessera::cli {

namespace {

std::vector<const CLI::App*> subcommands(const CLI::App& app) {
    return app.get_subcommands([](const CLI::App*) { return true; });
}
std::vector<CLI::App*> subcommands(CLI::App& app) {
    return app.get_subcommands([](CLI::App*) { return true; });
}

OptionText describe(const CLI::Option& option) {
    OptionText text;
    text.positional = option.get_positional();
    for (const std::string& name : option.get_snames()) text.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) text.names.push_back("--" + name);
    if (text.positional) text.names = {option.get_name(true)};
    const bool flag = option.get_expected_max() == 0 || option.get_type_size_max() == 0;
    if (!flag) text.value = text.positional ? text.names.front() : option.get_type_name();
    text.description = option.get_description();
    if (const std::string& usual = option.get_default_str(); !flag && !usual.empty())
        text.description += " (default: " + usual + ")";
    text.required = option.get_required();
    text.repeated = !flag && option.get_expected_max() > 1;
    return text;
}

CommandText describe(const CLI::App& app, const std::string& name) {
    CommandText text{name, app.get_description(), app.get_footer(), {}};
    for (const CLI::Option* option : app.get_options()) text.options.push_back(describe(*option));
    return text;
}

/// For the first option that no one declared: the most similar one of the chosen subcommand.
std::string hint(const CLI::App& app) {
    const auto unexpected = app.remaining(true);
    const auto first = std::find_if(unexpected.begin(), unexpected.end(),
                                    [](const std::string& text) { return text.starts_with("--"); });
    if (first == unexpected.end()) return {};
    const auto chosen = app.get_subcommands();
    const CommandText text = describe(chosen.empty() ? app : *chosen.front(), "");
    std::vector<std::string_view> names;
    for (const OptionText& option : text.options)
        for (const std::string& name : option.names)
            if (name.starts_with("--")) names.push_back(name);
    return suggestion(std::string_view(*first).substr(0, first->find('=')), names);
}

}  // namespace

Check whole_number(std::uint64_t least, std::uint64_t most) {
    return [least, most](const std::string& text) {
        const auto digits = [](std::string_view part) {
            return !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos;
        };
        const bool limited = most != std::numeric_limits<std::uint64_t>::max();
        if (text.starts_with('-') && digits(std::string_view(text).substr(1)))
            return limited ? fmt::format("{} is not between {} and {}", text, least, most)
                           : fmt::format("{} is below {}", text, least);
        if (!digits(text)) return fmt::format("'{}' is not a whole number", text);
        std::uint64_t value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc{} || value < least || value > most)
            return fmt::format("{} is not between {} and {}", text, least, most);
        return std::string{};
    };
}

Option Option::value_name(const std::string& name) const { return Option(option_->type_name(name)); }
Option Option::required() const { return Option(option_->required()); }
Option Option::check(Check check) const { return Option(option_->check(CLI::Validator(std::move(check), ""))); }
Option Option::in_range(unsigned least, unsigned most) const { return Option(option_->check(CLI::Range(least, most))); }
Option Option::excludes(Option other) const { return Option(option_->excludes(other.option_)); }
Option Option::excludes(const std::string& other) const { return Option(option_->excludes(other)); }
Option Option::needs(Option other) const { return Option(option_->needs(other.option_)); }
Option Option::show_default() const { return Option(option_->capture_default_str()); }
Option Option::one_at_a_time() const { return Option(option_->allow_extra_args(false)); }
bool Option::given() const { return option_->count() > 0; }

template <class T>
Option Command::option(const std::string& names, T& variable, const std::string& about) const {
    return Option(app_->add_option(names, variable, about));
}
template Option Command::option(const std::string&, std::string&, const std::string&) const;
template Option Command::option(const std::string&, unsigned&, const std::string&) const;
template Option Command::option(const std::string&, std::uint64_t&, const std::string&) const;
template Option Command::option(const std::string&, std::optional<std::string>&, const std::string&) const;
template Option Command::option(const std::string&, std::optional<int>&, const std::string&) const;
template Option Command::option(const std::string&, std::optional<unsigned>&, const std::string&) const;
template Option Command::option(const std::string&, std::optional<std::int64_t>&, const std::string&) const;
template Option Command::option(const std::string&, std::optional<std::uint64_t>&, const std::string&) const;
template Option Command::option(const std::string&, std::vector<std::string>&, const std::string&) const;

Option Command::flag(const std::string& names, bool& variable, const std::string& about) const {
    return Option(app_->add_flag(names, variable, about));
}

void Command::footer(const std::string& text) const { app_->footer(text); }

void Command::action(std::function<int()> action) const {
    app_->callback([to = action_, action = std::move(action)] { *to = action; });
}

struct CommandLine::Parser {
    CLI::App app;
    std::function<int()> action;
};

CommandLine::CommandLine(const std::string& name, const std::string& about, const std::string& footer)
    : parser_(std::make_unique<Parser>()) {
    CLI::App& app = parser_->app;
    app.name(name);
    app.description(about);
    app.set_help_flag("-h,--help", "Print this help");
    app.require_subcommand(1);
    app.footer(footer);
}

CommandLine::CommandLine(CommandLine&&) noexcept = default;
CommandLine::~CommandLine() = default;

Command CommandLine::add(const std::string& name, const std::string& about) {
    return {parser_->app.add_subcommand(name, about), &parser_->action};
}

bool CommandLine::has(const std::string& command) const {
    const auto all = subcommands(parser_->app);
    return std::any_of(all.begin(), all.end(), [&](const CLI::App* one) { return one->get_name() == command; });
}

void CommandLine::add_version(const std::string& text) {
    parser_->app.set_version_flag("--version", text);
    for (CLI::App* command : subcommands(parser_->app)) command->set_version_flag("--version", text);
}

void CommandLine::edit_footers(const std::function<std::string(std::string)>& edit) {
    parser_->app.footer(edit(parser_->app.get_footer()));
    for (CLI::App* command : subcommands(parser_->app)) command->footer(edit(command->get_footer()));
}

CommandLine::Parsed CommandLine::parse(int argc, char** argv) {
    using What = Parsed::What;
    try {
        parser_->app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        return {What::help, {}};
    } catch (const CLI::CallForVersion& version) {
        return {What::version, version.what()};
    } catch (const CLI::ExtrasError& error) {
        return {What::error, error.what() + hint(parser_->app)};
    } catch (const CLI::ParseError& error) {
        return {What::error, error.what()};
    }
    return {What::command, {}};
}

std::string CommandLine::chosen() const {
    const auto commands = std::as_const(parser_->app).get_subcommands();
    return commands.empty() ? std::string() : commands.front()->get_name();
}

int CommandLine::run() const { return parser_->action(); }

std::string CommandLine::help() const { return parser_->app.help(); }

std::vector<CommandText> CommandLine::describe() const {
    std::vector<CommandText> texts{cli::describe(parser_->app, "")};
    for (const CLI::App* command : subcommands(std::as_const(parser_->app)))
        texts.push_back(cli::describe(*command, command->get_name()));
    return texts;
}

}  // namespace tessera::cli
