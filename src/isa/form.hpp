// SPDX-License-Identifier: Apache-2.0
// Finds the form of an instruction word, and the bits that have no meaning in it.
#pragma once

#include <optional>
#include <span>

#include "isa/instruction.hpp"
#include "isa/opcode.hpp"

namespace tessera::isa {

/// A declared form, or the whole instruction if it has only one.
struct Form {
    std::string_view name;  ///< empty: the only form
    std::uint32_t mask = 0, value = 0;
    std::string_view meaning;
    std::span<const OperandSpec> operands;
};

constexpr std::size_t form_count(const InstructionSpec& spec) { return spec.forms.empty() ? 1 : spec.forms.size(); }

/// Form `index`, in the order of priority; index < form_count(spec).
constexpr Form form(const InstructionSpec& spec, std::size_t index) {
    if (spec.forms.empty()) return {{}, 0, 0, spec.meaning, operands(spec)};
    const FormSpec& f = spec.forms[index];
    return {f.name, f.mask, f.value, f.meaning,
            f.operand_count ? std::span<const OperandSpec>(f.operands.data(), f.operand_count) : operands(spec)};
}

/// The form of an instruction: the first match. None for an opcode that the architecture lacks.
constexpr std::optional<Form> form_of(const Instruction& instruction) {
    if (!instruction.spec) return std::nullopt;
    for (std::size_t i = 0; i < form_count(*instruction.spec); ++i) {
        const Form candidate = form(*instruction.spec, i);
        if ((instruction.word & candidate.mask) == candidate.value) return candidate;
    }
    return std::nullopt;
}

/// The bits of a word with a meaning in a form: the opcode, the selecting bits, the operands.
constexpr std::uint32_t defined_bits(const Form& f) {
    std::uint32_t mask = opcode_mask | f.mask;
    for (const auto& operand : f.operands) mask |= operand.used_mask();
    return mask;
}

/// The set bits without a meaning in the instruction's form; none for an opcode that the architecture lacks.
std::uint32_t undefined_bits(const Instruction& instruction);

/// Encodes a form with these operand values, in the order of form.operands. Excess bits are dropped; the selecting
/// bits are the form's.
constexpr std::uint32_t encode(const InstructionSpec& spec, const Form& f, std::span<const std::uint32_t> values) {
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < f.operands.size() && i < values.size(); ++i)
        bits |= values[i] << f.operands[i].lo & f.operands[i].used_mask();
    return bare_word(spec) | (bits & ~f.mask) | f.value;
}

/// Operand `operand` of form `form_name` of an instruction. If the two architectures name it differently, the second
/// name is Wormhole's. Width 0 on an architecture without it; an operand declared on neither does not compile.
consteval Operand form_operand(std::string_view instruction, std::string_view form_name, std::string_view operand,
                               std::string_view wormhole_operand = {}) {
    return detail::find_operand(instruction, operand, wormhole_operand, [form_name](const InstructionSpec& spec) {
        for (std::size_t i = 0; i < form_count(spec); ++i)
            if (const Form f = form(spec, i); f.name == form_name) return f.operands;
        return std::span<const OperandSpec>();
    });
}

}  // namespace tessera::isa
