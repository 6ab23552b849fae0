// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>
#include <string>

#include "examples.hpp"
#include "program.hpp"
#include "reports/terminal.hpp"
#include "stop.hpp"
#include "tessera/version.hpp"

namespace tessera::cli {

namespace {

/// Converts errors of CLI11 to the project's messages and exit statuses.
int usage_error(const CLI::App& app, const CLI::ParseError& error) {
    const auto chosen = app.get_subcommands();
    const std::string command = chosen.empty() ? "tessera" : "tessera " + chosen.front()->get_name();
    return report({"cli.usage", fmt::format("{}; try '{} --help'", error.what(), command), {}, 0, 0});
}

bool has_subcommand(const CLI::App& app, const std::string& name) {
    const auto all = app.get_subcommands([](const CLI::App*) { return true; });
    return std::any_of(all.begin(), all.end(), [&](const CLI::App* one) { return one->get_name() == name; });
}

/// True for options that may stand in place of the subcommand.
bool is_own_option(const std::string& text) { return text == "--help" || text == "-h" || text == "--version"; }

struct Subcommand {
    std::string_view name;
    void (*add)(CLI::App& app, Action& action);
};
constexpr Subcommand subcommands[] = {
    {"run", add_run},           {"check", add_check}, {"explain", add_explain}, {"step", add_step},
    {"trace", add_trace},       {"asm", add_asm},     {"disasm", add_disasm},   {"isa", add_isa},
    {"findings", add_findings}, {"fidelity", add_fidelity}, {"regs", add_regs}, {"tile", add_tile},
    {"record", add_record},     {"diff", add_diff},   {"reduce", add_reduce},   {"race", add_race},
    {"bench", add_bench},       {"completion", add_completion}, {"man", add_man}};

// Adds the named subcommand, or all of them for a help text or an error. Each has dozens of options.
void add_subcommands(CLI::App& app, Action& action, std::string_view named) {
    const bool known = std::any_of(std::begin(subcommands), std::end(subcommands),
                                   [&](const Subcommand& each) { return each.name == named; });
    for (const Subcommand& each : subcommands)
        if (!known || each.name == named) each.add(app, action);
}

void describe_program(CLI::App& app) {
    app.name("tessera");
    app.description("Executes Tensix instruction streams bit for bit.");
    app.set_help_flag("-h,--help", "Print this help");
    app.require_subcommand(1);
    app.footer(
        "Exit status: 0 good; 1 a fault, a finding at level error, or a difference; 2 it did not run;\n"
        "130 it was interrupted by Ctrl-C, 143 by SIGTERM.\n\n"
        "Example: tessera run examples/add/add.toml");
}

void add_version(CLI::App& app) {
    constexpr const char* program_version = "tessera " TESSERA_VERSION_STRING;
    app.set_version_flag("--version", program_version);
    for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; }))
        command->set_version_flag("--version", program_version);
}

int run_command_line(int argc, char** argv) {
    CLI::App app;
    Action action;
    describe_program(app);
    add_subcommands(app, action, argc < 2 ? std::string_view() : argv[1]);
    add_version(app);
    const auto help = [&] {
        for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; }))
            command->footer(with_runnable_examples(command->get_footer(), argv[0]));
        app.footer(with_runnable_examples(app.get_footer(), argv[0]));
        return app.help();  // of the chosen subcommand, if any
    };

    if (argc < 2) {
        print(stderr, help());
        return not_run;
    }
    if (const std::string first = argv[1]; !has_subcommand(app, first) && !is_own_option(first))
        return report({"cli.usage",
                       fmt::format("unknown {} '{}'; try 'tessera --help'",
                                   first.starts_with('-') ? "option" : "subcommand", first),
                       {},
                       0,
                       0});
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        print(stdout, help());
        return good;
    } catch (const CLI::CallForVersion& version) {
        print(stdout, std::string(version.what()) + "\n");
        return good;
    } catch (const CLI::ParseError& error) {
        return usage_error(app, error);
    }
    const int status = action();
    constexpr int by_signal = 128;  // the shells' convention
    return status != good && stop_signal() ? by_signal + stop_signal() : status;
}

}  // namespace

void add_all(CLI::App& app, Action& action) {
    describe_program(app);
    add_subcommands(app, action, {});
    add_version(app);
}

int report(const Error& error) {
    print(stderr, "tessera: " + error.describe() + "\n");
    return not_run;
}

}  // namespace tessera::cli

int main(int argc, char** argv) {
    using namespace tessera::cli;
    int status = not_run;
    try {
        status = run_command_line(argc, argv);
    } catch (const std::bad_alloc&) {
        return report({"cli.memory", "out of memory", {}, 0, 0});
    } catch (const std::exception& error) {
        return report({"cli.internal", error.what(), {}, 0, 0});
    }
    // A full disk is only reported at the flush.
    if (std::fflush(stdout) != 0 || std::ferror(stdout))
        return report({"cli.write", "could not write to standard output", {}, 0, 0});
    return status;
}
