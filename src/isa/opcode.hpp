// SPDX-License-Identifier: Apache-2.0
// Words by their opcode alone.
#pragma once

#include "isa/instruction.hpp"

namespace tessera::isa {

namespace detail {

consteval bool each_mnemonic_has_one_opcode() {
    for (const InstructionSpec& spec : table)
        if (table[mnemonic(spec.name).index].opcode != spec.opcode) return false;
    return true;
}

}  // namespace detail

static_assert(detail::each_mnemonic_has_one_opcode(), "an instruction's opcode depends on the architecture");

/// The plain word of an instruction whose other bits are all 0.
constexpr std::uint32_t bare_word(const InstructionSpec& spec) { return std::uint32_t{spec.opcode} << 24; }
constexpr std::uint32_t bare_word(Mnemonic m) { return bare_word(table[m.index]); }

/// Whether a plain word is of this instruction, on a chip that has it.
constexpr bool is_word_of(Mnemonic m, std::uint32_t word) { return (word & opcode_mask) == bare_word(m); }

}  // namespace tessera::isa
