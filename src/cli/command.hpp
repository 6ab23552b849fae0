// SPDX-License-Identifier: Apache-2.0
// Subcommands of the command line, one file each, over the public headers alone. A subcommand reads its options, calls
// the library and prints. Knowledge of the machine belongs in the library.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "tessera/error.hpp"

namespace tessera::cli {

enum ExitStatus : int {
    good = 0,
    bad_result = 1,  ///< it ran, with a fault, a finding of level error, or a difference
    not_run = 2,     ///< usage or bad input
};

/// Runs a subcommand after its options were read; returns the exit status.
using Action = std::function<int()>;

// Each adds its subcommand to `app`; choosing it sets `action`.
void add_run(CLI::App& app, Action& action);
void add_check(CLI::App& app, Action& action);
void add_explain(CLI::App& app, Action& action);
void add_step(CLI::App& app, Action& action);
void add_trace(CLI::App& app, Action& action);
void add_asm(CLI::App& app, Action& action);
void add_disasm(CLI::App& app, Action& action);
void add_isa(CLI::App& app, Action& action);
void add_fidelity(CLI::App& app, Action& action);
void add_findings(CLI::App& app, Action& action);
void add_regs(CLI::App& app, Action& action);
void add_tile(CLI::App& app, Action& action);
void add_record(CLI::App& app, Action& action);
void add_diff(CLI::App& app, Action& action);
void add_reduce(CLI::App& app, Action& action);
void add_race(CLI::App& app, Action& action);
void add_bench(CLI::App& app, Action& action);

/// Prints "tessera: " and the error to stderr; returns not_run.
int report(const Error& error);

}  // namespace tessera::cli
