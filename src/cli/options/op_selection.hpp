// SPDX-License-Identifier: Apache-2.0
// Ops as users name them on a command line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tessera/execution.hpp"
#include "tessera/program.hpp"

namespace tessera::cli {

/// The ways to name an op, for help texts and errors.
inline constexpr std::string_view op_spellings = "T0:5 (op 5 of thread 0), FILE:LINE or :LINE";

/// "t1" or "T1".
std::optional<unsigned> read_thread_name(std::string_view text);

/// Reads an op by its number, "T0:5", or ops by their line, "math.tts:22" or ":22". An error has this code.
Result<Breakpoints::Instruction> read_op_selection(const std::string& text, const char* code);

/// Whether the selection names the op at `index` of a thread.
bool selects(const Breakpoints::Instruction& ops, const Program& program, unsigned thread, std::int64_t index);

/// What is wrong if it names no op of the program, or "".
std::string problem(const Breakpoints::Instruction& ops, const Program& program);

}  // namespace tessera::cli
