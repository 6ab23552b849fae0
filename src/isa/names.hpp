// SPDX-License-Identifier: Apache-2.0
// How instructions and operands are spelled in text, and which one a spelling means.
#pragma once

#include <functional>
#include <string>
#include <span>
#include <string_view>

#include "isa/instruction_spec.hpp"

namespace tessera::isa {

/// Whether two names are the same: letter case does not matter, and a blank is written as an underscore.
bool same_name(std::string_view a, std::string_view b);

/// An operand's name with underscores for blanks.
std::string spelled(std::string_view operand);

/// The vendor's spelling of an instruction's name: "ttsetadcxx".
std::string vendor_spelling(std::string_view mnemonic);

/// The row of an instruction, or null.
const InstructionSpec* find_spec(std::string_view mnemonic, Arch arch);

/// Calls f(alias) for each other name of an instruction's operand.
void for_each_alias(const InstructionSpec& spec, const OperandSpec& operand,
                    const std::function<void(std::string_view)>& f);

/// One of an instruction's or a form's operands by its name or another name of it (docs/assembly.md, "Instructions"), or
/// null.
const OperandSpec* find_operand(const InstructionSpec& spec, std::span<const OperandSpec> among,
                                std::string_view written);

}  // namespace tessera::isa
