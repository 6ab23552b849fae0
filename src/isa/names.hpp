// SPDX-License-Identifier: Apache-2.0
// The spelling of instructions and operands in text, and lookups by it.
#pragma once

#include <functional>
#include <string>
#include <span>
#include <string_view>
#include <vector>

#include "isa/instruction_spec.hpp"

namespace tessera::isa {

/// Compares two names: letter case is ignored, and a blank equals an underscore.
bool same_name(std::string_view a, std::string_view b);

/// An operand's name with underscores for blanks.
std::string spelled(std::string_view operand);

/// The vendor's spelling of an instruction's name: "ttsetadcxx".
std::string vendor_spelling(std::string_view mnemonic);

/// The mnemonic of an instruction's name in either spelling: "setadcxx" of "ttsetadcxx".
std::string_view mnemonic_of(std::string_view written);

/// The names of all instructions, in the spelling of `written`.
std::vector<std::string> instruction_names(std::string_view written, Arch arch);

/// The row of an instruction, or null.
const InstructionSpec* find_spec(std::string_view mnemonic, Arch arch);

/// Calls f(alias) for each alternative name of an instruction's operand.
void for_each_alias(const InstructionSpec& spec, const OperandSpec& operand,
                    const std::function<void(std::string_view)>& f);

/// Finds an operand of an instruction or form by any of its names (docs/assembly.md, "Instructions"); null if there
/// is none.
const OperandSpec* find_operand(const InstructionSpec& spec, std::span<const OperandSpec> among,
                                std::string_view written);

}  // namespace tessera::isa
