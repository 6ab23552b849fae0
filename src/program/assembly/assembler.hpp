// SPDX-License-Identifier: Apache-2.0
// Assembles lines to ops, for assemble() and the inline lists of jobs.
#pragma once

#include <span>

#include "program/assembly/source_line.hpp"
#include "program/assembly/symbols.hpp"

namespace tessera::program {

/// Limit of statements that a text's repetitions may expand to.
inline constexpr std::size_t max_expansion = 4'000'000;

/// Like assemble(), for lines with known places and with predefined symbols.
Result<Program> assemble_lines(std::span<const SourceLine> lines, Arch arch, std::string_view file, unsigned thread,
                               const Symbols& symbols = {});
Result<Program> assemble_text(std::string_view text, Arch arch, std::string_view file, unsigned thread,
                              const Symbols& symbols);

}  // namespace tessera::program
