// SPDX-License-Identifier: Apache-2.0
// Definition of an instruction's modes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "isa/form.hpp"
#include "registers/field.hpp"
#include "tessera/explanation.hpp"

namespace tessera::fidelity {

/// One or two operands or fields whose value is a mode.
struct Setting {
    std::string_view first, second;
    bool of_configuration = false;

    std::string text() const;  ///< displayed name: fields without their registers' names
};

/// Settings of an instruction's form: operands of up to four bits that are neither registers nor numbers, and
/// configuration fields that select the unit's operation.
std::vector<Setting> settings_of(const isa::InstructionSpec& spec, const isa::Form& form, Arch arch);

/// A value of a setting, with its bits in each operand or field.
struct ModeValue {
    std::uint32_t first = 0, second = 0;
    std::string text;
};
std::vector<ModeValue> values_of(const Setting& setting, const isa::Form& form, Arch arch);

/// Key of a mode in the evidence: "instr_mod1=4".
std::string mode_key(std::string_view form, const std::string& setting, const std::string& value);

/// Modes of an issued instruction. Without an explanation, only those encoded in its word.
std::vector<std::string> modes_of(const isa::Instruction& instruction, const Explanation& explanation);

}  // namespace tessera::fidelity
