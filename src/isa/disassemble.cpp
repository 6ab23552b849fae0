// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "isa/form.hpp"
#include "isa/names.hpp"
#include "isa/operand_values.hpp"
#include "tessera/assembly.hpp"

namespace tessera {

namespace {

using isa::OperandSpec;

enum class Which : std::uint8_t { printed, unprinted };

std::uint32_t covered(const isa::InstructionSpec& spec, Which which) {
    std::uint32_t mask = 0;
    for (const auto& o : isa::operands(spec))
        if (o.printed == (which == Which::printed)) mask |= o.span_mask();
    return mask;
}

constexpr std::uint32_t span_value(const OperandSpec& o, std::uint32_t word) { return word >> o.lo & o.span_max(); }

std::string raw(std::uint32_t word) { return fmt::format(".ttinsn\t0x{:08X}", word); }

void append(std::string& text, std::uint32_t number) {
    const fmt::format_int digits(number);
    text.append(digits.data(), digits.size());
}

void append_operand(std::string& text, const OperandSpec& o, std::uint32_t value, Arch arch) {
    if (value == 0) return;
    text += ' ';
    text += isa::spelled(o.name);
    text += '=';
    const auto* set = isa::values_of(o);
    const auto names = set ? isa::value_text(*set, value, arch) : std::nullopt;
    if (names)
        text += *names;
    else
        append(text, value);
}

// "NAME.form" with the form's operands, if the form has its own and they determine the whole word.
std::optional<std::string> in_own_operands(const isa::Instruction& instruction) {
    const auto form = isa::form_of(instruction);
    if (!form || form->operands.data() == instruction.spec->operands.data()) return std::nullopt;
    const std::uint32_t word = instruction.word;
    if (word & ~isa::defined_bits(*form)) return std::nullopt;
    std::string text = fmt::format("{}.{}", instruction.spec->name, form->name);
    for (const auto& o : form->operands) {
        const bool given_by_form = !(o.used_mask() & ~form->mask);
        if (!given_by_form) append_operand(text, o, (word & o.used_mask()) >> o.lo, instruction.arch);
    }
    return text;
}

}  // namespace

std::string disassemble(std::uint32_t word, Arch arch) {
    const auto instruction = isa::decode(word, arch);
    if (!instruction.spec) return raw(word);
    const auto& spec = *instruction.spec;
    if (word & ~(isa::opcode_mask | covered(spec, Which::printed))) return raw(word);
    std::string text = isa::vendor_spelling(spec.name);
    char separator = '\t';
    for (const auto& o : isa::operands(spec)) {
        if (!o.printed) continue;
        text += separator;
        append(text, span_value(o, word));
        separator = ',';
    }
    return text;
}

std::string disassemble_named(std::uint32_t word, Arch arch) {
    if (auto text = in_own_operands(isa::decode(word, arch))) return *text;
    const auto instruction = isa::decode(word, arch);
    if (!instruction.spec) return raw(word);
    const auto& spec = *instruction.spec;
    const auto unprinted = covered(spec, Which::unprinted);
    if (word & ~(isa::opcode_mask | unprinted | covered(spec, Which::printed))) return raw(word);
    std::string text(spec.name);
    for (const auto& o : isa::operands(spec)) {
        // Bits of an unprinted operand lie within a printed one's span; each bit is printed once.
        append_operand(text, o, span_value(o, o.printed ? word & ~unprinted : word), arch);
    }
    return text;
}

}  // namespace tessera
