// SPDX-License-Identifier: Apache-2.0
#include "reports/command_table.hpp"

#include <algorithm>
#include <set>

#include "tessera/data_format.hpp"
#include "tessera/finding_catalogue.hpp"
#include "tessera/instruction_set.hpp"
#include "tessera/kernels.hpp"
#include "tessera/timing.hpp"

namespace tessera::cli {

namespace {

struct Takes {
    std::string_view command;  ///< empty: any
    std::string_view name;     ///< of the option, or of the positional
    std::string_view list;
};
constexpr Takes takes[] = {
    {"", "--timing", "timings"},       {"", "--a-timing", "timings"},
    {"", "--b-timing", "timings"},     {"", "--arch", "chips"},
    {"", "--finding", "settings"},     {"", "--keep", "codes"},
    {"", "--core", "cores"},           {"", "--in-reset", "cores"},
    {"", "--format", "formats"},       {"", "--instruction", "mnemonics"},
    {"", "--window", "mnemonics"},     {"isa", "NAME", "mnemonics"},
    {"fidelity", "NAME", "mnemonics"}, {"completion", "SHELL", "shells"},
    {"man", "COMMAND", "commands"},
};

// Values that are files or folders, by what the help calls them.
constexpr std::string_view of_files[] = {"FILE", "FOLDER", "DIR", "OUT", "CASE.json", "JOB", "PATH", "IN", "A", "B"};

Candidates candidates(const std::string& command, const std::string& name, const std::string& value, bool positional) {
    Candidates found;
    for (const Takes& one : takes)
        if (one.name == name && (one.command.empty() || one.command == command)) found.list = one.list;
    const bool listed = std::find(std::begin(of_files), std::end(of_files), value) != std::end(of_files);
    // An option --arch A takes a chip.
    found.files = found.list.empty() && listed && (positional || value.size() > 1);
    return found;
}

OptionRow row_of(const std::string& command, const CLI::Option& option) {
    OptionRow row;
    const bool positional = option.get_positional();
    for (const std::string& name : option.get_snames()) row.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) row.names.push_back("--" + name);
    if (positional) row.names = {option.get_name(true)};
    const bool flag = option.get_expected_max() == 0 || option.get_type_size_max() == 0;
    if (!flag) row.value = positional ? row.names.front() : option.get_type_name();
    row.description = option.get_description();
    if (const std::string& usual = option.get_default_str(); !flag && !usual.empty())
        row.description += " (default: " + usual + ")";
    row.required = option.get_required();
    row.repeated = !flag && option.get_expected_max() > 1;
    if (!flag) row.candidates = candidates(command, row.names.back(), row.value, positional);
    return row;
}

CommandRow row_of(const CLI::App& app, const std::string& name) {
    CommandRow row{name, app.get_description(), app.get_footer(), {}, {}};
    for (const CLI::Option* option : app.get_options())
        (option->get_positional() ? row.positionals : row.options).push_back(row_of(name, *option));
    return row;
}

}  // namespace

std::vector<CommandRow> command_table(const CLI::App& app) {
    std::vector<CommandRow> rows{row_of(app, "")};
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
        rows.push_back(row_of(*command, command->get_name()));
    return rows;
}

std::vector<WordList> word_lists(const std::vector<CommandRow>& commands) {
    std::vector<std::string> names, codes, settings, formats, cores;
    for (const CommandRow& one : commands)
        if (!one.name.empty()) names.push_back(one.name);
    const auto infos = describe_findings().value();
    for (const FindingInfo& info : infos) {
        codes.push_back(info.code);
        if (!info.fault) settings.push_back(info.code + "=");
    }
    for (const DataFormat format : all_data_formats) formats.emplace_back(name(format));
    for (std::size_t i = 0; i < riscv_cores; ++i) cores.emplace_back(name(RiscvCore(i)));
    std::set<std::string> mnemonics;
    for (const Arch arch : {Arch::blackhole, Arch::wormhole})
        for (const InstructionInfo& one : instruction_set(arch)) mnemonics.insert(one.name);
    std::vector<std::string> timings, levels;
    for (const Timing timing : {Timing::documented, Timing::instant, Timing::functional})
        timings.emplace_back(name(timing));
    for (const Level level : {Level::off, Level::info, Level::warning, Level::error}) levels.emplace_back(name(level));
    return {{"commands", names},
            {"codes", codes},
            {"settings", settings},
            {"levels", levels},
            {"timings", timings},
            {"chips", {std::string(name(Arch::blackhole)), std::string(name(Arch::wormhole))}},
            {"cores", cores},
            {"formats", formats},
            {"mnemonics", {mnemonics.begin(), mnemonics.end()}},
            {"shells", {"bash", "zsh", "fish"}}};
}

}  // namespace tessera::cli
