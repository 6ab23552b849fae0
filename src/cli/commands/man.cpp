// SPDX-License-Identifier: Apache-2.0
// tessera man: what --help says, as man pages.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "program.hpp"
#include "reports/man_page.hpp"
#include "reports/terminal.hpp"
#include "tessera/output_file.hpp"
#include "tessera/similar_name.hpp"
#include "tessera/version.hpp"

namespace tessera::cli {

namespace {

struct ManArguments {
    std::string command;
    std::string folder;
};

int execute(const ManArguments& options) {
    const auto commands = command_table(make_program().describe());
    bool is_first = true;
    for (const CommandRow& one : options.folder.empty() ? std::vector<CommandRow>() : commands) {
        const std::string path = fmt::format("{}/tessera{}{}.1", options.folder, one.name.empty() ? "" : "-", one.name);
        if (const auto wrote = write_file(path, man_page(one, commands, TESSERA_VERSION_STRING), "cli.write"); !wrote)
            return is_first ? report(wrote.error()) : report_unwritten(wrote.error());
        is_first = false;
    }
    if (!options.folder.empty()) return good;
    const auto found = std::find_if(commands.begin(), commands.end(),
                                    [&](const CommandRow& one) { return one.name == options.command; });
    if (found == commands.end()) {
        std::vector<std::string_view> names;
        for (const CommandRow& one : commands) names.push_back(one.name);
        return refuse("cli.man",
                      fmt::format("unknown subcommand '{}'{}", options.command, suggestion(options.command, names)));
    }
    print(stdout, man_page(*found, commands, TESSERA_VERSION_STRING));
    return good;
}

}  // namespace

void add_man(CommandLine& program) {
    auto options = std::make_shared<ManArguments>();
    const Command command = program.add("man", "Print a man page: what --help says, for man(1)");
    const Option name = command.option("COMMAND", options->command, "Page of that subcommand; none: of tessera itself");
    command.option("--write", options->folder, "Write all pages into that folder").value_name("FOLDER").excludes(name);
    command.footer("Example: tessera man run");
    command.action([options] { return execute(*options); });
}

}  // namespace tessera::cli
