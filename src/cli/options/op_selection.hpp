// SPDX-License-Identifier: Apache-2.0
// Ops as users name them on a command line.
#pragma once

#include <cstdint>
#include <string>

#include "tessera/execution.hpp"
#include "tessera/program.hpp"

namespace tessera::cli {

/// parse_ops(), with an error of this code.
Result<Breakpoints::Instruction> read_op_selection(const std::string& text, const char* code);

/// Whether the selection names the op at `index` of a thread.
bool selects(const Breakpoints::Instruction& ops, const Program& program, unsigned thread, std::int64_t index);

/// What is wrong if it names no op of the program, or "".
std::string problem(const Breakpoints::Instruction& ops, const Program& program);

}  // namespace tessera::cli
