// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <numeric>
#include <vector>

#include "isa/form.hpp"
#include "isa/names.hpp"
#include "isa/opcode.hpp"
#include "isa/operand_values.hpp"
#include "isa/text.hpp"
#include "tessera/similar_name.hpp"

namespace tessera::isa {

namespace {

tl::unexpected<Error> unknown_instruction(std::string_view written, std::string_view mnemonic, Arch arch, int column) {
    for (Arch other : all_archs)
        if (other != arch && find_spec(mnemonic, other))
            return fail_at(column, "asm.unknown-instruction",
                           fmt::format("'{}' is an instruction of {}, not of {}", written, name(other), name(arch)));
    const std::vector<std::string> spellings = instruction_names(written, arch);
    const std::vector<std::string_view> candidates(spellings.begin(), spellings.end());
    return fail("asm.unknown-instruction",
                fmt::format("'{}' is not an instruction of {}{}", written, name(arch), suggestion(written, candidates)), {},
                0, column);
}

/// Reads an expression that may use the names of the operand's values.
class ValueReader {
public:
    ValueReader(const OperandSpec& operand, Arch arch) : operand_(operand), set_(values_of(operand)), arch_(arch) {}

    Result<std::int64_t> read(LineCursor& cursor, const ReadValue& read_value) {
        const int column = cursor.next_column();
        const auto value = read_value(cursor, own_names());
        if (!value) return value;
        for (const ValueSpec* a : used_)
            for (const ValueSpec* b : used_)
                if (contradict(*a, *b, arch_))
                    return fail_at(column, "asm.operand-range",
                                   fmt::format("'{}' and '{}' are values of {} that exclude each other", a->name,
                                               b->name, spelled(operand_.name)));
        return value;
    }

private:
    OwnNames own_names() {
        if (!set_ || set_->values.empty()) return {};
        return {[this](std::string_view name) -> std::optional<std::int64_t> {
                    const auto* found = find_value(*set_, name, arch_);
                    if (!found) return std::nullopt;
                    used_.push_back(found);
                    return found->on(arch_);
                },
                [this](std::string_view name, std::span<const std::string_view> symbols) {
                    return unknown_value(operand_, *set_, name, arch_, symbols);
                },
                set_->hide_symbols};
    }

    const OperandSpec& operand_;
    const ValueSet* set_;
    Arch arch_;
    std::vector<const ValueSpec*> used_;
};

Result<std::uint32_t> read_operand(LineCursor& cursor, const OperandSpec& operand, Arch arch,
                                   const ReadValue& read_value) {
    const int column = cursor.next_column();
    const auto number = cursor.take_small_number();
    const Result<std::int64_t> value =
        number ? std::int64_t{*number} : ValueReader(operand, arch).read(cursor, read_value);
    if (!value) return tl::make_unexpected(value.error());
    if (*value < 0 || *value > operand.span_max())
        return fail_at(
            column, "asm.operand-range",
            fmt::format("{} does not fit {}, which takes 0 to {}{}", *value, spelled(operand.name), operand.span_max(),
                        *value < 0 ? fmt::format("; {} & {} has its low bits", *value, operand.span_max()) : ""));
    return static_cast<std::uint32_t>(*value) << operand.lo;
}

/// The error for an operand at `start`. If the text is the name of an operand, the operand's value is missing.
Error with_forgotten_value(Error error, LineCursor start, const InstructionSpec& spec) {
    const int column = start.next_column();
    const auto* named = find_operand(spec, operands(spec), start.take_name());
    if (named && error.code == "asm.unknown-symbol" && error.column == column)
        error.message = fmt::format("{0} needs a value: {0}=...", spelled(named->name));
    return error;
}

tl::unexpected<Error> wrong_count(const InstructionSpec& spec, std::size_t expected, int column) {
    std::string names;
    for (const auto& o : operands(spec))
        if (o.printed) names += (names.empty() ? ": " : ", ") + spelled(o.name);
    return fail_at(column, "asm.operand-count",
                   fmt::format("{} takes {} operand{}{}", spec.name, expected, expected == 1 ? "" : "s", names));
}

Result<std::uint32_t> assemble_positional(LineCursor& cursor, const InstructionSpec& spec, Arch arch,
                                          const ReadValue& read_value) {
    const auto expected = std::accumulate(operands(spec).begin(), operands(spec).end(), std::size_t{0},
                                          [](std::size_t n, const OperandSpec& o) { return n + o.printed; });
    std::uint32_t bits = 0;
    std::size_t given = 0;
    for (const auto& o : operands(spec)) {
        if (!o.printed) continue;
        if (cursor.at_end() || (given > 0 && !cursor.take(','))) break;
        const LineCursor start = cursor;
        auto value = read_operand(cursor, o, arch, read_value);
        if (!value) return tl::make_unexpected(with_forgotten_value(std::move(value.error()), start, spec));
        bits |= *value;
        ++given;
    }
    if (given < expected && cursor.at_end()) return wrong_count(spec, expected, cursor.next_column());
    if (given < expected) return fail_at(cursor.next_column(), "asm.syntax", "expected ','");
    if (given == expected && (cursor.peek() == ',' || expected == 0) && !cursor.at_end())
        return wrong_count(spec, expected, cursor.next_column());
    return bits;
}

/// Reads the form behind "NAME." in the named spelling. Only forms with operands of their own can be named.
Result<Form> read_form(LineCursor& cursor, const InstructionSpec& spec) {
    const int column = cursor.next_column();
    std::string written(cursor.take_word());
    while (cursor.peek() == '-' && cursor.take('-')) written += '-' + std::string(cursor.take_word());
    std::vector<std::string_view> candidates;
    for (std::size_t i = 0; i < spec.forms.size(); ++i) {
        if (spec.forms[i].operand_count == 0) continue;
        if (same_name(spec.forms[i].name, written)) return form(spec, i);
        candidates.push_back(spec.forms[i].name);
    }
    std::string instead = suggestion(written, candidates);
    if (instead.empty() && !candidates.empty()) instead = fmt::format("; such forms: {}", fmt::join(candidates, ", "));
    return fail_at(column, "asm.unknown-form",
                   fmt::format("{} has no form '{}' with operands of its own{}", spec.name, written, instead));
}

/// " (did you mean pool_addr_mode?)" for addr_mode, if an operand's name ends so; otherwise empty.
std::string longer_name(const InstructionSpec& spec, std::string_view written) {
    for (const OperandSpec& operand : operands(spec))
        if (operand.name.ends_with(fmt::format("_{}", written)))
            return fmt::format(" (did you mean {}?)", spelled(operand.name));
    return {};
}

/// " on Blackhole: only Wormhole has it", for an operand of the other chip; otherwise empty.
std::string of_other_arch(const InstructionSpec& spec, std::string_view written) {
    for (const Arch own : {Arch::blackhole, Arch::wormhole}) {
        const Arch other = own == Arch::blackhole ? Arch::wormhole : Arch::blackhole;
        const auto* there = find_spec(spec.name, other);
        if (find_spec(spec.name, own) != &spec || !there || there == &spec) continue;
        if (find_operand(*there, operands(*there), written))
            return fmt::format(" on {}: it is an operand of {}{}", name(own), name(other), longer_name(spec, written));
    }
    return {};
}

/// ": it is one of SETDMAREG.immediate", for an operand that only a form has; otherwise empty.
std::string of_a_form(const InstructionSpec& spec, std::string_view written) {
    for (std::size_t i = 0; i < spec.forms.size(); ++i)
        if (find_operand(spec, form(spec, i).operands, written))
            return fmt::format(": it is one of {}.{}", spec.name, spec.forms[i].name);
    return {};
}

Result<std::uint32_t> assemble_named(LineCursor& cursor, const InstructionSpec& spec,
                                     std::span<const OperandSpec> among, Arch arch, const ReadValue& read_value) {
    std::uint32_t bits = 0, named = 0;
    while (!cursor.at_end()) {
        const int column = cursor.next_column();
        const auto written = cursor.take_name();
        if (written.empty() && cursor.peek() == '.')
            return fail_at(column, "asm.syntax",
                           "values are whole numbers: write the bits of a fraction, such as 0x3F80 for 1.0 in BF16");
        if (written.empty() || !cursor.take('=')) return fail_at(column, "asm.syntax", "expected OPERAND=VALUE");
        const auto* operand = find_operand(spec, among, written);
        if (!operand) {
            std::vector<std::string_view> candidates;
            std::string all;
            for (const auto& o : among) {
                candidates.push_back(o.name);
                all += (all.empty() ? "; its operands: " : ", ") + spelled(o.name);
            }
            std::string hint = of_other_arch(spec, written);
            if (hint.empty()) hint = of_a_form(spec, written);
            return fail_at(column, "asm.unknown-operand",
                           fmt::format("{} has no operand '{}'{}{}", spec.name, written,
                                       hint.empty() ? suggestion(written, candidates) : hint, all));
        }
        auto value = read_operand(cursor, *operand, arch, read_value);
        if (!value) return value;
        const std::uint32_t id = 1u << (operand - among.data());
        if (named & id) return fail_at(column, "asm.syntax", fmt::format("{} is given twice", spelled(operand->name)));
        if (bits & operand->span_mask() & *value)
            return fail_at(
                column, "asm.operand-range",
                fmt::format("{} sets bits that another operand of this line has set", spelled(operand->name)));
        named |= id;
        bits |= *value;
        cursor.take(',');
    }
    return bits;
}

}  // namespace

Result<std::uint32_t> assemble_instruction(LineCursor& cursor, Arch arch, const ReadValue& read_value) {
    const int column = cursor.next_column();
    const auto written = cursor.take_name();
    if (written.empty()) return fail_at(column, "asm.syntax", "expected an instruction");
    const auto mnemonic = mnemonic_of(written);
    const bool vendor = mnemonic.size() != written.size();
    const auto* spec = find_spec(mnemonic, arch);
    if (!spec) return unknown_instruction(written, mnemonic, arch, column);

    if (!vendor && cursor.take('.')) {
        const auto chosen = read_form(cursor, *spec);
        if (!chosen) return tl::make_unexpected(chosen.error());
        const auto bits = assemble_named(cursor, *spec, chosen->operands, arch, read_value);
        if (!bits) return bits;
        return bare_word(*spec) | (*bits & ~chosen->mask) | chosen->value;
    }

    LineCursor ahead = cursor;
    const bool named = cursor.at_end() ? !vendor : !ahead.take_name().empty() && ahead.take('=');
    auto bits = named ? assemble_named(cursor, *spec, operands(*spec), arch, read_value)
                      : assemble_positional(cursor, *spec, arch, read_value);
    if (!bits) return bits;
    return bare_word(*spec) | *bits;
}

}  // namespace tessera::isa
