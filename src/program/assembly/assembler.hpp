// SPDX-License-Identifier: Apache-2.0
// Assembly lines to ops: what assemble() and the inline lists of jobs have in common.
#pragma once

#include <span>

#include "program/assembly/source_line.hpp"
#include "program/assembly/symbols.hpp"

namespace tessera::program {

/// How many statements the repetitions of one text may come to.
inline constexpr std::size_t max_expansion = 4'000'000;

/// As assemble(), from lines whose places the caller knows, with symbols that are there before the first line.
Result<Program> assemble_lines(std::span<const SourceLine> lines, Arch arch, std::string_view file, unsigned thread,
                               const Symbols& symbols = {});
Result<Program> assemble_text(std::string_view text, Arch arch, std::string_view file, unsigned thread,
                              const Symbols& symbols);

}  // namespace tessera::program
