// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/program.hpp"

namespace tessera {

/// Assembles `.tts` text (docs/assembly.md) into the three threads' ops. Text before the first `.thread` directive
/// belongs to `thread`. `file` is only used in errors and in Program::place.
/// Error codes: "asm.syntax", "asm.unknown-instruction", "asm.unknown-operand", "asm.operand-range",
/// "asm.operand-count", "asm.unknown-register", "asm.register-range", "asm.unknown-directive", "asm.unknown-symbol",
/// "asm.ambiguous-name", "asm.nesting", "asm.range"; each with file, line and column.
Result<Program> assemble(std::string_view text, Arch arch, std::string_view file = {}, unsigned thread = 0);

/// assemble() of a file's contents. Error "asm.read" besides.
Result<Program> assemble_file(const std::string& path, Arch arch, unsigned thread = 0);

/// One plain instruction word in the spelling of the vendor's objdump: lower case, prefix "tt", a tab, decimal operands
/// from the highest bits down: "ttsetadcxx\t1,255,0". An opcode that the architecture lacks gives ".ttinsn\t0x…".
std::string disassemble(std::uint32_t word, Arch arch);

/// The same word with operands and values by name, zero operands left out: "SETADCXX CntSetMask=A x_end2=255".
std::string disassemble_named(std::uint32_t word, Arch arch);

/// An op as a line of `.tts` text: disassemble_named(), or a directive such as ".gpr 1 = 0x5".
std::string op_text(const Op& op, Arch arch);

/// An op as jobs and cases have it in JSON: "{\"gpr\": [1, 5]}".
std::string op_json(const Op& op);

}  // namespace tessera
