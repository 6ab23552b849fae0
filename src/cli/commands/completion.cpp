// SPDX-License-Identifier: Apache-2.0
// tessera completion: a script by which a shell completes command lines of tessera.
#include "reports/completion.hpp"

#include <fmt/format.h>

#include <memory>

#include "program.hpp"
#include "reports/terminal.hpp"

namespace tessera::cli {

namespace {

int execute(const std::string& shell) {
    const auto commands = command_table(make_program().describe());
    if (shell == "bash")
        print(stdout, bash_completion(commands));
    else if (shell == "zsh")
        print(stdout, zsh_completion(commands));
    else if (shell == "fish")
        print(stdout, fish_completion(commands));
    else
        return refuse("cli.shell", fmt::format("unknown shell '{}'; known are bash, zsh and fish", shell));
    return good;
}

}  // namespace

void add_completion(CommandLine& program) {
    auto shell = std::make_shared<std::string>();
    const Command command = program.add("completion", "Print a script that completes command lines in a shell");
    command.option("SHELL", *shell, "bash, zsh or fish").required();
    command.footer(
        "bash: eval \"$(tessera completion bash)\" in ~/.bashrc\n"
        "zsh:  eval \"$(tessera completion zsh)\" in ~/.zshrc, behind compinit\n"
        "fish: tessera completion fish >~/.config/fish/completions/tessera.fish\n"
        "Example: tessera completion bash");
    command.action([shell] { return execute(*shell); });
}

}  // namespace tessera::cli
