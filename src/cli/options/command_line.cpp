// SPDX-License-Identifier: Apache-2.0
#include "options/command_line.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <type_traits>
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

const CLI::App& chosen_of(const CLI::App& app) {
    const auto chosen = app.get_subcommands();
    return chosen.empty() ? app : *chosen.front();
}

bool is_hidden(const CLI::Option& option) { return option.get_group().empty(); }

bool is_flag(const CLI::Option& option) { return option.get_expected_max() == 0 || option.get_type_size_max() == 0; }

OptionText describe(const CLI::Option& option) {
    OptionText text;
    text.positional = option.get_positional();
    for (const std::string& name : option.get_snames()) text.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) text.names.push_back("--" + name);
    if (text.positional) text.names = {option.get_name(true)};
    const bool flag = is_flag(option);
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
    for (const CLI::Option* option : app.get_options())
        if (!is_hidden(*option)) text.options.push_back(describe(*option));
    return text;
}

/// For the first option that no one declared: the most similar one of the chosen subcommand. Short names are similar to many others, so
/// the first letter must be right.
std::string hint(const CLI::App& app, const std::vector<std::string>& unexpected) {
    const auto first = std::find_if(unexpected.begin(), unexpected.end(),
                                    [](const std::string& text) { return text.starts_with("--"); });
    if (first == unexpected.end()) return {};
    const CommandText text = describe(chosen_of(app), "");
    std::vector<std::string_view> names;
    for (const OptionText& option : text.options)
        for (const std::string& name : option.names)
            if (name.starts_with(first->substr(0, 3))) names.push_back(name);
    return suggestion(std::string_view(*first).substr(0, first->find('=')), names);
}

std::string describe_unexpected(const CLI::App& app) {
    const std::vector<std::string> unexpected = app.remaining(true);
    return fmt::format("The following argument{} not expected: {}{}", unexpected.size() == 1 ? " was" : "s were",
                       fmt::join(unexpected, " "), hint(app, unexpected));
}

/// An error of CLI11, with all names of the option that it begins with: users may have written the short one.
std::string with_all_names(const CLI::App& app, const std::string& error) {
    for (const CLI::Option* option : chosen_of(app).get_options())
        if (const std::string name = option->get_name(); error.starts_with(name + ":"))
            return option->get_name(false, true) + error.substr(name.size());
    return error;
}

/// The error of an option that has no value, or too many.
std::string describe_mismatch(const CLI::App& app, const std::string& error) {
    for (const CLI::Option* option : chosen_of(app).get_options())
        if (!is_flag(*option) && option->count() > static_cast<std::size_t>(option->get_items_expected_max()))
            return fmt::format("{} may be given once", option->get_name(false, true));
    return with_all_names(app, error);
}

constexpr const char *not_empty = "not empty", *is_empty = "the value is empty (is a variable of the shell unset?)";

/// Drops leading zeros: CLI11 reads a number that begins with one as octal.
std::string decimal(std::string& text) {
    const std::size_t sign = text.starts_with('-');
    const std::size_t digit = text.find_first_not_of('0', sign);
    const bool is_number = text.find_first_not_of("0123456789", sign) == text.npos;
    if (is_number && text.size() > sign) text.erase(sign, std::min(digit, text.size() - 1) - sign);
    return {};
}

template <class T>
struct ValueOf {
    using type = T;
};
template <class T>
struct ValueOf<std::optional<T>> {
    using type = T;
};

/// The name of the first "--name=". CLI11 would take the next argument as its value.
std::optional<std::string> option_without_value(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
        const std::string_view text = argv[i];
        if (text == "--") break;
        if (text.starts_with("--") && text.find('=') == text.size() - 1) return std::string(text.substr(0, text.size() - 1));
    }
    return std::nullopt;
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
Option Option::in_range(unsigned least, unsigned most) const {
    return Option(option_->check(CLI::Validator(whole_number(least, most), fmt::format("{} to {}", least, most))));
}
Option Option::excludes(Option other) const { return Option(option_->excludes(other.option_)); }
Option Option::excludes(const std::string& other) const { return Option(option_->excludes(other)); }
Option Option::needs(Option other) const { return Option(option_->needs(other.option_)); }
Option Option::show_default() const { return Option(option_->capture_default_str()); }
Option Option::one_at_a_time() const { return Option(option_->allow_extra_args(false)); }
Option Option::hidden() const { return Option(option_->group("")); }
Option Option::may_be_empty() const {
    option_->get_validator(not_empty)->active(false);
    return *this;
}
bool Option::given() const { return option_->count() > 0; }

template <class T>
Option Command::option(const std::string& names, T& variable, const std::string& about) const {
    const auto check = [](const std::string& text) { return text.empty() ? is_empty : std::string(); };
    CLI::Option* const option = app_->add_option(names, variable, about)->check(CLI::Validator(check, ""), not_empty);
    if (std::is_integral_v<typename ValueOf<T>::type>) option->transform(CLI::Validator(decimal, ""));
    return Option(option);
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
    if (const auto name = option_without_value(argc, argv)) return {What::error, fmt::format("{}: {}", *name, is_empty)};
    try {
        parser_->app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        return {What::help, {}};
    } catch (const CLI::CallForVersion& version) {
        return {What::version, version.what()};
    } catch (const CLI::ExtrasError&) {
        return {What::error, describe_unexpected(parser_->app)};
    } catch (const CLI::ArgumentMismatch& error) {
        return {What::error, describe_mismatch(parser_->app, error.what())};
    } catch (const CLI::ParseError& error) {
        return {What::error, with_all_names(parser_->app, error.what())};
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
