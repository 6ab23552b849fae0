// SPDX-License-Identifier: Apache-2.0
/// @file
/// Text to instruction words, and back.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/program.hpp"

namespace tessera {

/// Assembles `.tts` text (docs/assembly.md) into the ops of the three threads.
///
/// Text before the first `.thread` directive belongs to `thread` (0 to 2). `file` appears only in errors and in
/// Program::place(). Each error of the text has file, line and column; a `thread` above 2 is "asm.range". Codes: "asm.syntax",
/// "asm.unknown-instruction", "asm.unknown-form", "asm.unknown-operand", "asm.operand-range", "asm.operand-count",
/// "asm.unknown-register", "asm.register-range", "asm.unknown-directive", "asm.unknown-symbol", "asm.ambiguous-name",
/// "asm.nesting", "asm.range". docs/limits.md has the bounds of `.repeat`.
///
/// `symbols` gives names values before the first line. Errors without a line: "asm.syntax" for one that is not a symbol's name, and
/// "asm.unknown-symbol" for one that the text never uses, or only behind an `.equ` of it.
Result<Program> assemble(std::string_view text, Arch arch, std::string_view file = {}, unsigned thread = 0,
                         const std::map<std::string, std::int64_t>& symbols = {});

/// assemble() of the contents of a file. Further error: "asm.read".
Result<Program> assemble_file(const std::string& path, Arch arch, unsigned thread = 0,
                              const std::map<std::string, std::int64_t>& symbols = {});

/// An instruction word in the spelling of the vendor's objdump: "ttsetadcxx\t1,255,0".
///
/// The name is in lower case with prefix "tt". A tab and the operands follow, decimal, from the highest bits down. `word` is
/// plain, not rotated. An opcode that the architecture lacks gives ".ttinsn\t0x…".
std::string disassemble(std::uint32_t word, Arch arch);

/// The same word with names of operands and values: "SETADCXX CntSetMask=A x_end2=255". Operands that are 0 are omitted.
std::string disassemble_named(std::uint32_t word, Arch arch);

/// An op as a line of `.tts` text: disassemble_named(), or a directive such as ".gpr 1 = 0x5".
std::string op_text(const Op& op, Arch arch);

/// An op as JSON of jobs and cases: "{\"gpr\": [1, 5]}".
std::string op_json(const Op& op);

}  // namespace tessera
