// SPDX-License-Identifier: Apache-2.0
// Subcommands of the command line, one file each, over the public headers alone. A subcommand reads its options, calls
// the library and prints. Knowledge of the machine belongs in the library.
#pragma once

#include <string>

#include "options/command_line.hpp"
#include "tessera/error.hpp"

namespace tessera::cli {

enum ExitStatus : int {
    good = 0,
    bad_result = 1,  ///< it ran, with a fault, a finding of level error, or a difference; or an output could not be written
    not_run = 2,     ///< usage or bad input
};

// Each adds its subcommand, whose action returns an ExitStatus.
void add_run(CommandLine& program);
void add_check(CommandLine& program);
void add_explain(CommandLine& program);
void add_step(CommandLine& program);
void add_gdb(CommandLine& program);
void add_trace(CommandLine& program);
void add_asm(CommandLine& program);
void add_disasm(CommandLine& program);
void add_isa(CommandLine& program);
void add_fidelity(CommandLine& program);
void add_findings(CommandLine& program);
void add_regs(CommandLine& program);
void add_tile(CommandLine& program);
void add_record(CommandLine& program);
void add_diff(CommandLine& program);
void add_reduce(CommandLine& program);
void add_race(CommandLine& program);
void add_sweep(CommandLine& program);
void add_bench(CommandLine& program);

/// Prints "tessera: " and the error to stderr; returns not_run.
int report(const Error& error);
/// The same of an error with this code.
int refuse(const char* code, std::string message, std::string file = {});

/// The same where the work is done and an output cannot be written; returns bad_result.
int report_unwritten(const Error& error);

}  // namespace tessera::cli
