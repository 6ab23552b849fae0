// SPDX-License-Identifier: Apache-2.0
#include "reports/command_table.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include "options/words.hpp"
#include "tessera/data_format.hpp"
#include "tessera/finding_catalogue.hpp"
#include "tessera/instruction_set.hpp"
#include "tessera/kernels.hpp"
#include "tessera/tensor.hpp"
#include "tessera/timing.hpp"

namespace tessera::cli {

namespace {

struct Takes {
    std::string_view command;  ///< empty: any
    std::string_view name;     ///< of the option, or of the positional
    std::string_view list;
};
// Of several for an option, the last one holds.
constexpr Takes takes[] = {
    {"", "--timing", "timings"},       {"", "--a-timing", "clocked"},
    {"", "--b-timing", "clocked"},     {"explain", "--timing", "clocked"},
    {"gdb", "--timing", "clocked"},    {"race", "--timing", "clocked"},
    {"step", "--timing", "clocked"},   {"trace", "--timing", "clocked"},
    {"", "--finding", "settings"},     {"", "--keep", "codes"},
    {"", "--core", "cores"},           {"", "--in-reset", "cores"},
    {"", "--format", "formats"},       {"", "--instruction", "mnemonics"},
    {"", "--window", "mnemonics"},     {"isa", "NAME", "mnemonics"},
    {"fidelity", "NAME", "mnemonics"}, {"completion", "SHELL", "shells"},
    {"man", "COMMAND", "commands"},    {"", "--arch", "chips"},
    {"findings", "CODE", "codes"},     {"asm", "--thread", "threads"},
    {"tile", "--layout", "layouts"},   {"tile", "--rounding", "roundings"},
};

// Values that are files or folders, by what the help calls them.
constexpr std::string_view of_files[] = {"FILE", "FOLDER", "DIR", "OUT", "CASE.json", "JOB", "PATH", "IN", "A", "B", "SWEEP"};

Candidates candidates(const std::string& command, const std::string& name, const std::string& value, bool positional) {
    Candidates found;
    for (const Takes& one : takes)
        if (one.name == name && (one.command.empty() || one.command == command)) found.list = one.list;
    const bool listed = std::find(std::begin(of_files), std::end(of_files), value) != std::end(of_files);
    // An option --arch A takes a chip.
    found.files = found.list.empty() && listed && (positional || value.size() > 1);
    return found;
}

CommandRow row_of(const CommandText& command) {
    CommandRow row{command.name, command.description, command.footer, {}, {}};
    for (const OptionText& option : command.options) {
        const bool flag = option.value.empty();
        const Candidates found =
            flag ? Candidates() : candidates(command.name, option.names.back(), option.value, option.positional);
        (option.positional ? row.positionals : row.options).push_back({option, found});
    }
    return row;
}

}  // namespace

std::vector<CommandRow> command_table(const std::vector<CommandText>& commands) {
    std::vector<CommandRow> rows;
    for (const CommandText& command : commands) rows.push_back(row_of(command));
    return rows;
}

std::vector<WordList> word_lists(const std::vector<CommandRow>& commands) {
    std::vector<std::string> names, codes, settings, formats, cores;
    for (const CommandRow& one : commands)
        if (!one.name.empty()) names.push_back(one.name);
    const auto infos = describe_findings().value();
    for (const FindingInfo& info : infos) {
        codes.push_back(info.code);
        if (info.has_level) settings.push_back(info.code + "=");
    }
    for (const DataFormat format : all_data_formats) formats.emplace_back(name(format));
    for (std::size_t i = 0; i < riscv_cores; ++i) cores.emplace_back(name(RiscvCore(i)));
    std::set<std::string> mnemonics;
    for (const Arch arch : {Arch::blackhole, Arch::wormhole})
        for (const InstructionInfo& one : instruction_set(arch)) mnemonics.insert(one.name);
    std::vector<std::string> timings, clocked, levels;
    for (const Timing timing : all_timings) {
        timings.emplace_back(name(timing));
        if (timing != Timing::functional) clocked.emplace_back(name(timing));
    }
    for (const Level level : {Level::off, Level::info, Level::warning, Level::error}) levels.emplace_back(name(level));
    return {{"commands", names},
            {"codes", codes},
            {"settings", settings},
            {"levels", levels},
            {"timings", timings},
            {"clocked", clocked},
            {"chips", {std::string(name(Arch::blackhole)), std::string(name(Arch::wormhole))}},
            {"cores", cores},
            {"formats", formats},
            {"mnemonics", {mnemonics.begin(), mnemonics.end()}},
            {"threads", {std::begin(thread_names), std::end(thread_names)}},
            {"layouts", {std::string(name(Layout::tiles)), std::string(name(Layout::rows))}},
            {"roundings", {std::string(name(Rounding::host)), std::string(name(Rounding::device))}},
            {"shells", {"bash", "zsh", "fish"}}};
}

}  // namespace tessera::cli
