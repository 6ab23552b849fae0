// SPDX-License-Identifier: Apache-2.0
// Decodes words into instructions with operands, and disassembles them.
#pragma once

#include <cstdint>
#include <string>

#include "riscv/instructions.hpp"
#include "tessera/arch.hpp"

namespace tessera::riscv {

/// A decoded instruction. Absent operands are 0.
struct DecodedOp {
    std::uint32_t word = 0;  ///< the word before decoding
    std::int32_t imm = 0;    ///< immediate, offset, shift or CSR number; of .ttinsn: the word to push
    Op op = Op::illegal;
    std::uint8_t rd = 0, rs1 = 0, rs2 = 0;
};

/// Op::illegal if the architecture has no such instruction; Op::unsupported for floating-point and vector instructions.
DecodedOp decode(Arch arch, std::uint32_t word);

/// GNU objdump syntax without aliases, with one space after the mnemonic. `pc` is the word's address. Illegal words
/// become ".word 0x…".
std::string disassemble(Arch arch, std::uint32_t word, std::uint32_t pc);

/// ABI name of x0 to x31: "zero", "ra", "sp", …
std::string_view register_name(unsigned i);

}  // namespace tessera::riscv
