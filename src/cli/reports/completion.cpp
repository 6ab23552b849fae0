// SPDX-License-Identifier: Apache-2.0
#include "reports/completion.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "options/words.hpp"

namespace tessera::cli {

namespace {

std::string joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, " ")); }

std::string lists(const std::vector<CommandRow>& commands, std::string_view form) {
    std::string text;
    for (const WordList& list : word_lists(commands))
        text += fmt::format(fmt::runtime(form), fmt::arg("name", list.name), fmt::arg("words", joined(list.words)));
    return text;
}

std::vector<std::string> names_of(const std::vector<OptionRow>& options) {
    std::vector<std::string> names;
    for (const OptionRow& one : options) names.insert(names.end(), one.names.begin(), one.names.end());
    return names;
}

// --- bash

constexpr std::string_view bash_begin = R"(# Made by: tessera completion bash
_tessera_values() { # kind of the value, what has been typed of it
    case $1 in
        files) compopt -o default ;;
        none) ;;
        *)
            local list=_tessera_$1
            COMPREPLY=($(compgen -W "${!list}" -- "$2"))
            [[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace
            ;;
    esac
}
_tessera() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]} options values kind
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        COMPREPLY=($(compgen -W "$_tessera_commands --help --version" -- "$word"))
        return
    fi
    # bash makes words of its own of = and of what stands on both sides of it.
    local at=$COMP_CWORD
    [[ $word == = ]] && word= && at=$((at + 1))
    if [[ $at -gt 2 && ${COMP_WORDS[at - 1]} == = ]]; then
        before=${COMP_WORDS[at - 2]}
        if [[ $before != -* ]]; then
            case ${COMP_WORDS[at - 3]} in
                --finding) _tessera_values levels "$word" ;;
                --core) compopt -o default ;;
            esac
            return
        fi
    fi
    case $command in
)";
constexpr std::string_view bash_end = R"(        *) return ;;
    esac
    kind=
    for value in $values; do
        [[ ${value%%:*} == "$before" ]] && kind=${value#*:}
    done
    if [[ -n $kind ]]; then
        _tessera_values "$kind" "$word"
    elif [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "$options" -- "$word"))
    else
        _tessera_values "$arguments" "$word"
    fi
}
complete -F _tessera tessera
)";

std::string kind_of(const Candidates& candidates) {
    if (candidates.files) return "files";
    return candidates.list.empty() ? "none" : std::string(candidates.list);
}

std::string arguments_of(const CommandRow& command) {
    return command.positionals.empty() ? "none" : kind_of(command.positionals.front().candidates);
}

// --- zsh

/// Within the brackets of an argument of _arguments.
std::string zsh_text(const std::string& text) {
    std::string escaped;
    for (const char c : text) {
        if (c == '[' || c == ']' || c == ':' || c == '\\') escaped += '\\';
        escaped += c;
    }
    return escaped;
}

std::string zsh_action(const Candidates& candidates) {
    if (candidates.files) return "_files";
    if (candidates.list.empty()) return "";
    if (candidates.list == "settings") return "_tessera_setting";
    return fmt::format("($_tessera_{})", candidates.list);
}

/// In double quotes when it names a list, so that the list is put there.
std::string zsh_argument(const std::string& text, const Candidates& candidates) {
    if (candidates.list.empty()) return in_quotes(text);
    std::string escaped;
    for (const char c : text) {
        if (c == '"' || c == '`' || c == '\\') escaped += '\\';
        escaped += c;
    }
    return "\"" + escaped + "\"";
}

constexpr std::string_view zsh_middle = R"(
_tessera_setting() {
    if compset -P '*='; then
        compadd ${=_tessera_levels}
    else
        compadd -S '' ${=_tessera_settings}
    fi
}

_tessera() {
    local -a commands
)";

// --- fish

std::string fish_value(const Candidates& candidates) {
    if (candidates.files) return " -r -F";
    if (candidates.list.empty()) return " -x";
    return fmt::format(" -x -a \"$_tessera_{}\"", candidates.list);
}

}  // namespace

std::string bash_completion(const std::vector<CommandRow>& commands) {
    std::string text = lists(commands, "_tessera_{name}='{words}'\n") + std::string(bash_begin);
    text.insert(0, "# SPDX-License-Identifier: Apache-2.0\n");
    for (const CommandRow& command : commands) {
        if (command.name.empty()) continue;
        std::vector<std::string> values;
        for (const OptionRow& one : command.options)
            if (!one.value.empty())
                for (const std::string& name : one.names) values.push_back(name + ":" + kind_of(one.candidates));
        text += fmt::format("        {})\n            options='{}'\n            values='{}'\n            arguments={}\n            ;;\n",
                            command.name, joined(names_of(command.options)), joined(values), arguments_of(command));
    }
    return text + std::string(bash_end);
}

std::string zsh_completion(const std::vector<CommandRow>& commands) {
    std::string text = "#compdef tessera\n# SPDX-License-Identifier: Apache-2.0\n# Made by: tessera completion zsh\n";
    text += lists(commands, "_tessera_{name}='{words}'\n") + std::string(zsh_middle);
    text += "    commands=(\n";
    for (const CommandRow& one : commands)
        if (!one.name.empty()) text += fmt::format("        {}\n", in_quotes(one.name + ":" + zsh_text(one.description)));
    text += "    )\n    if ((CURRENT == 2)); then\n        _describe command commands\n        return\n    fi\n"
            "    local command=$words[2]\n    shift words\n    ((CURRENT--))\n    case $command in\n";
    for (const CommandRow& command : commands) {
        if (command.name.empty()) continue;
        text += fmt::format("        {})\n            _arguments", command.name);
        for (const OptionRow& one : command.options)
            for (const std::string& name : one.names) {
                std::string argument = (one.repeated ? "*" : "") + name + "[" + zsh_text(one.description) + "]";
                if (!one.value.empty()) argument += ":" + zsh_text(one.value) + ":" + zsh_action(one.candidates);
                text += " \\\n                " + zsh_argument(argument, one.candidates);
            }
        for (const OptionRow& one : command.positionals) {
            const std::string argument = std::string(one.repeated ? "*" : "") + ":" + zsh_text(one.names.front()) + ":" + zsh_action(one.candidates);
            text += " \\\n                " + zsh_argument(argument, one.candidates);
        }
        text += "\n            ;;\n";
    }
    return text + "    esac\n}\n\nif [[ $funcstack[1] == _tessera ]]; then _tessera \"$@\"; else compdef _tessera tessera; fi\n";
}

std::string fish_completion(const std::vector<CommandRow>& commands) {
    std::string text = "# SPDX-License-Identifier: Apache-2.0\n# Made by: tessera completion fish\n";
    text += lists(commands, "set -g _tessera_{name} {words}\n");
    text += "complete -c tessera -f\ncomplete -c tessera -n __fish_use_subcommand -l help -s h -d 'Print this help'\n"
            "complete -c tessera -n __fish_use_subcommand -l version -d 'Print the version'\n";
    for (const CommandRow& command : commands) {
        if (command.name.empty()) continue;
        text += fmt::format("complete -c tessera -n __fish_use_subcommand -a {} -d {}\n", command.name, in_quotes(command.description, "\\'"));
        const std::string begin = fmt::format("complete -c tessera -n '__fish_seen_subcommand_from {}'", command.name);
        for (const OptionRow& one : command.options) {
            text += begin;
            for (const std::string& name : one.names)
                text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
            if (!one.value.empty()) text += fish_value(one.candidates);
            text += " -d " + in_quotes(one.description, "\\'") + "\n";
        }
        for (const OptionRow& one : command.positionals)
            if (one.candidates.files || !one.candidates.list.empty())
                text += begin + (one.candidates.files ? " -F" : fmt::format(" -a \"$_tessera_{}\"", one.candidates.list)) + "\n";
    }
    return text;
}

}  // namespace tessera::cli
