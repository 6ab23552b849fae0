// SPDX-License-Identifier: Apache-2.0
// Words become instructions with their operands, and text.
#pragma once

#include <cstdint>
#include <string>

#include "riscv/instructions.hpp"
#include "tessera/arch.hpp"

namespace tessera::riscv {

/// An instruction as it is executed. Operands that it does not have are 0.
struct DecodedOp {
    std::uint32_t word = 0;  ///< what it was decoded from
    std::int32_t imm = 0;    ///< immediate, offset, shift or number of a CSR; of .ttinsn: the word to push
    Op op = Op::illegal;
    std::uint8_t rd = 0, rs1 = 0, rs2 = 0;
};

/// Op::illegal for a word that is no instruction of that architecture; Op::unsupported for floating-point and vector instructions.
DecodedOp decode(Arch arch, std::uint32_t word);

/// As GNU objdump writes it without aliases, with one space behind the mnemonic. `pc` is where the word is. What is no
/// instruction becomes ".word 0x…".
std::string disassemble(Arch arch, std::uint32_t word, std::uint32_t pc);

/// Of x0 to x31, by the ABI: "zero", "ra", "sp", …
std::string_view register_name(unsigned i);

}  // namespace tessera::riscv
