// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "examples.hpp"
#include "program.hpp"
#include "reports/terminal.hpp"
#include "stop.hpp"
#include "tessera/similar_name.hpp"
#include "tessera/version.hpp"

namespace tessera::cli {

namespace {

/// True for options that may stand in place of the subcommand.
bool is_own_option(const std::string& text) { return text == "--help" || text == "-h" || text == "--version"; }

struct Subcommand {
    std::string_view name;
    void (*add)(CommandLine& program);
};
constexpr Subcommand subcommands[] = {
    {"run", add_run},           {"check", add_check}, {"explain", add_explain}, {"step", add_step},
    {"gdb", add_gdb},
    {"trace", add_trace},       {"asm", add_asm},     {"disasm", add_disasm},   {"isa", add_isa},
    {"findings", add_findings}, {"fidelity", add_fidelity}, {"regs", add_regs}, {"tile", add_tile},
    {"record", add_record},     {"diff", add_diff},   {"reduce", add_reduce},   {"race", add_race},
    {"sweep", add_sweep},       {"bench", add_bench}, {"completion", add_completion}, {"man", add_man}};

Error usage_error(const std::string& message, const std::string& command) {
    return {"cli.usage", fmt::format("{}; try '{} --help'", message, command), {}, 0, 0};
}

int run_command_line(int argc, char** argv) {
    using What = CommandLine::Parsed::What;
    const std::string first = argc < 2 ? "" : argv[1];
    CommandLine line = make_program(first);
    const auto help = [&] {
        line.edit_footers([&](std::string text) { return with_runnable_examples(std::move(text), argv[0]); });
        return line.help();
    };

    if (argc < 2) {
        print(stderr, help());
        return not_run;
    }
    if (!line.has(first) && !is_own_option(first)) {
        const char* const kind = first.starts_with('-') ? "option" : "subcommand";
        std::vector<std::string_view> names{"--help", "--version"};
        for (const Subcommand& each : subcommands) names.push_back(each.name);
        return report(usage_error(fmt::format("unknown {} '{}'{}", kind, first, suggestion(first, names)), "tessera"));
    }
    const auto [what, text] = line.parse(argc, argv);
    switch (what) {
        case What::help: print(stdout, help()); return good;
        case What::version: print(stdout, text + "\n"); return good;
        case What::error:
            return report(usage_error(text, line.chosen().empty() ? "tessera" : "tessera " + line.chosen()));
        case What::command: break;
    }
    const int status = line.run();
    constexpr int by_signal = 128;  // the shells' convention
    return status != good && stop_signal() ? by_signal + stop_signal() : status;
}

}  // namespace

// Each subcommand has dozens of options: the others are not added.
CommandLine make_program(std::string_view named) {
    CommandLine line("tessera", "Executes Tensix instruction streams bit for bit.",
                     "Exit status: 0 good; 1 a fault, a finding at level error, a difference, or an output that could\n"
                     "not be written; 2 it did not run; 130 it was interrupted by Ctrl-C, 143 by SIGTERM.\n\n"
                     "Example: tessera run examples/add/add.toml");
    const bool known = std::any_of(std::begin(subcommands), std::end(subcommands),
                                   [&](const Subcommand& each) { return each.name == named; });
    for (const Subcommand& each : subcommands)
        if (!known || each.name == named) each.add(line);
    line.add_version("tessera " TESSERA_VERSION_STRING);
    return line;
}

int report(const Error& error) {
    print(stderr, "tessera: " + error.describe() + "\n");
    return not_run;
}

int refuse(const char* code, std::string message, std::string file) {
    return report({code, std::move(message), std::move(file), 0, 0});
}

int report_unwritten(const Error& error) {
    report(error);
    return bad_result;
}

}  // namespace tessera::cli

int main(int argc, char** argv) {
    using namespace tessera::cli;
    // `tessera … | head` ends quietly. Python ignores the signal, and a wheel's command line inherits that.
    std::signal(SIGPIPE, SIG_DFL);
    int status = not_run;
    try {
        status = run_command_line(argc, argv);
    } catch (const std::bad_alloc&) {
        return refuse("cli.memory", "out of memory");
    } catch (const std::exception& error) {
        return refuse("cli.internal", error.what());
    }
    // A full disk is only reported at the flush.
    if (std::fflush(stdout) != 0 || std::ferror(stdout)) {
        const int unwritten = report_unwritten({"cli.write", "could not write to standard output", {}, 0, 0});
        if (status == good) return unwritten;
    }
    return status;
}
