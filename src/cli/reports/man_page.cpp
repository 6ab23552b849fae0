// SPDX-License-Identifier: Apache-2.0
#include "reports/man_page.hpp"

#include <algorithm>

namespace tessera::cli {

namespace {

/// Text as roff prints it literally.
std::string literal(const std::string& text) {
    std::string escaped;
    for (const char c : text) {
        if ((c == '.' || c == '\'') && (escaped.empty() || escaped.back() == '\n')) escaped += "\\&";
        if (c == '\\')
            escaped += "\\e";
        else if (c == '-')
            escaped += "\\-";
        else if (c == '\'')
            escaped += "\\(aq";
        else
            escaped += c;
    }
    return escaped;
}

std::string bold(const std::string& text) { return "\\fB" + literal(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + literal(text) + "\\fR"; }

std::string full_name(const CommandRow& command) { return command.name.empty() ? "tessera" : "tessera-" + command.name; }

std::string item(const OptionRow& option, bool positional) {
    std::string head;
    for (const std::string& name : option.names) {
        if (!head.empty()) head += ", ";
        head += positional ? italic(name) : bold(name);
    }
    if (!positional && !option.value.empty()) head += " " + italic(option.value);
    return ".TP\n" + head + "\n" + literal(option.description) + "\n";
}

std::string synopsis(const CommandRow& command) {
    if (command.name.empty()) return "\\fBtessera\\fR [\\fIOPTIONS\\fR] \\fICOMMAND\\fR\n";
    std::string text = "\\fBtessera " + command.name + "\\fR [\\fIOPTIONS\\fR]";
    for (const OptionRow& one : command.positionals) {
        const std::string name = italic(one.names.front()) + (one.repeated ? " ..." : "");
        text += one.required ? " " + name : " [" + name + "]";
    }
    return text + "\n";
}

}  // namespace

std::string man_page(const CommandRow& command, const std::vector<CommandRow>& all, const std::string& version) {
    std::string title = full_name(command);
    std::transform(title.begin(), title.end(), title.begin(), [](char c) { return c >= 'a' && c <= 'z' ? char(c - 32) : c; });
    std::string text = ".\\\" Made by: tessera man\n.TH " + title + " 1 \"\" \"tessera " + version + "\" \"User Commands\"\n";
    text += ".SH NAME\n" + literal(full_name(command)) + " \\- " + literal(command.description) + "\n";
    text += ".SH SYNOPSIS\n" + synopsis(command);
    if (!command.positionals.empty()) text += ".SH ARGUMENTS\n";
    for (const OptionRow& one : command.positionals) text += item(one, true);
    text += ".SH OPTIONS\n";
    for (const OptionRow& one : command.options) text += item(one, false);
    if (command.name.empty()) {
        text += ".SH COMMANDS\n";
        for (const CommandRow& one : all)
            if (!one.name.empty()) text += ".TP\n\\fBtessera\\-" + one.name + "\\fR(1)\n" + literal(one.description) + "\n";
    }
    if (!command.footer.empty()) text += ".SH NOTES\n.nf\n" + literal(command.footer) + "\n.fi\n";
    if (!command.name.empty()) text += ".SH SEE ALSO\n\\fBtessera\\fR(1)\n";
    return text;
}

}  // namespace tessera::cli
