// SPDX-License-Identifier: Apache-2.0
// What counts as a mode of an instruction.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "isa/form.hpp"
#include "registers/field.hpp"
#include "tessera/explanation.hpp"

namespace tessera::fidelity {

/// An operand or a field whose value is a mode by itself, or with a second one.
struct Setting {
    std::string_view first, second;
    bool of_configuration = false;

    std::string text() const;  ///< as it is told: fields without the names of their registers
};

/// Settings of a form of an instruction: operands of up to four bits that name neither registers nor numbers, and the
/// fields of configuration that choose what its unit does.
std::vector<Setting> settings_of(const isa::InstructionSpec& spec, const isa::Form& form, Arch arch);

/// The values that a setting has, with the bits that they are in an operand or a field.
struct ModeValue {
    std::uint32_t first = 0, second = 0;
    std::string text;
};
std::vector<ModeValue> values_of(const Setting& setting, const isa::Form& form, Arch arch);

/// One mode of an instruction, as evidence names it: "instr_mod1=4".
std::string mode_key(std::string_view form, const std::string& setting, const std::string& value);

/// The modes that an instruction had when it was issued. Without an explanation: those that are in its word.
std::vector<std::string> modes_of(const isa::Instruction& instruction, const Explanation& explanation);

}  // namespace tessera::fidelity
