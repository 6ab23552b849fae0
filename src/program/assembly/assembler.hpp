// SPDX-License-Identifier: Apache-2.0
// Assembles lines to ops, for assemble() and the inline lists of jobs.
#pragma once

#include <span>

#include "program/assembly/register_values.hpp"
#include "program/assembly/source_line.hpp"
#include "program/assembly/symbols.hpp"

namespace tessera::program {

/// Bounds of all repetitions of a text (docs/limits.md): the statements that they execute, and the bytes of text that they read anew.
inline constexpr std::uint64_t most_repeated_statements = 4'000'000, most_repeated_text = std::uint64_t{256} << 20;

/// Values from outside for a text.
struct Given {
    const Symbols& symbols;
    RegisterValues* registers = nullptr;  ///< null: none
};

/// Like assemble(), for lines with known places and with values from outside.
Result<Program> assemble_lines(std::span<const SourceLine> lines, Arch arch, std::string_view file, unsigned thread,
                               const Given& given);
Result<Program> assemble_text(std::string_view text, Arch arch, std::string_view file, unsigned thread,
                              const Given& given);

}  // namespace tessera::program
