// SPDX-License-Identifier: Apache-2.0
#include "isa/text.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <numeric>
#include <vector>

#include "isa/instruction.hpp"
#include "tessera/assembly.hpp"

namespace tessera::isa {

namespace {

/// Another name for an operand. An empty instruction stands for all that have the operand.
struct OperandAlias {
    std::string_view instruction, alias, operand;
};

constexpr OperandAlias operand_aliases[] = {
    {"", "unpackers", "CntSetMask"}, {"SETADCXX", "x1", "x_end2"}, {"SETADCXX", "x0", "x_start"},
    {"SETADCXY", "y1", "Ch1_Y"},     {"SETADCXY", "x1", "Ch1_X"},  {"SETADCXY", "y0", "Ch0_Y"},
    {"SETADCXY", "x0", "Ch0_X"},     {"INCADCXY", "y1", "Ch1_Y"},  {"INCADCXY", "x1", "Ch1_X"},
    {"INCADCXY", "y0", "Ch0_Y"},     {"INCADCXY", "x0", "Ch0_X"},  {"ADDRCRXY", "y1", "Ch1_Y"},
    {"ADDRCRXY", "x1", "Ch1_X"},     {"ADDRCRXY", "y0", "Ch0_Y"},  {"ADDRCRXY", "x0", "Ch0_X"},
    {"SETADCZW", "w1", "Ch1_Y"},     {"SETADCZW", "z1", "Ch1_X"},  {"SETADCZW", "w0", "Ch0_Y"},
    {"SETADCZW", "z0", "Ch0_X"},     {"INCADCZW", "w1", "Ch1_Y"},  {"INCADCZW", "z1", "Ch1_X"},
    {"INCADCZW", "w0", "Ch0_Y"},     {"INCADCZW", "z0", "Ch0_X"},  {"ADDRCRZW", "w1", "Ch1_Y"},
    {"ADDRCRZW", "z1", "Ch1_X"},     {"ADDRCRZW", "w0", "Ch0_Y"},  {"ADDRCRZW", "z0", "Ch0_X"},
};

/// A word that stands for a number in one operand.
struct OperandValue {
    std::string_view operand, name;
    std::int64_t value;
};

constexpr OperandValue operand_values[] = {
    {"CntSetMask", "A", 1},
    {"CntSetMask", "B", 2},
    {"CntSetMask", "AB", 3},
    {"CntSetMask", "PAC", 4},
};

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Some operands of the vendor's list have blanks in their names, which are written as underscores.
constexpr char fold(char c) { return c == ' ' ? '_' : lower(c); }

bool same_name(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return fold(x) == fold(y); });
}

std::string spelled(std::string_view operand) {
    std::string text(operand);
    std::replace(text.begin(), text.end(), ' ', '_');
    return text;
}

std::string vendor_spelling(std::string_view mnemonic) {
    std::string text = "tt";
    for (char c : mnemonic) text += lower(c);
    return text;
}

constexpr std::uint32_t span_max(const OperandSpec& o) { return (1u << (o.hi - o.lo + 1)) - 1; }
constexpr std::uint32_t span_mask(const OperandSpec& o) { return span_max(o) << o.lo; }
constexpr std::uint32_t span_value(const OperandSpec& o, std::uint32_t word) { return word >> o.lo & span_max(o); }

std::span<const OperandSpec> operands(const InstructionSpec& spec) {
    return {spec.operands.data(), spec.operand_count};
}

enum class Which : std::uint8_t { printed, unprinted };

std::uint32_t covered(const InstructionSpec& spec, Which which) {
    std::uint32_t mask = 0;
    for (const auto& o : operands(spec))
        if (o.printed == (which == Which::printed)) mask |= span_mask(o);
    return mask;
}

constexpr std::uint32_t opcode_mask = 0xFF000000;

std::string raw(std::uint32_t word) { return fmt::format(".ttinsn\t0x{:08X}", word); }

const InstructionSpec* find_spec(std::string_view mnemonic, Arch arch) {
    for (const auto& spec : table)
        if (spec.name.size() == mnemonic.size() && includes(spec.archs, arch) && same_name(spec.name, mnemonic))
            return &spec;
    return nullptr;
}

tl::unexpected<Error> unknown_instruction(std::string_view written, std::string_view mnemonic, Arch arch, int column) {
    for (Arch other : all_archs)
        if (other != arch && find_spec(mnemonic, other))
            return fail("asm.unknown-instruction",
                        fmt::format("'{}' is an instruction of {}, not of {}", written, name(other), name(arch)), {}, 0,
                        column);
    const bool vendor = mnemonic.size() != written.size();
    std::vector<std::string> spellings;
    for (const auto& spec : table)
        if (includes(spec.archs, arch))
            spellings.push_back(vendor ? vendor_spelling(spec.name) : std::string(spec.name));
    const std::vector<std::string_view> candidates(spellings.begin(), spellings.end());
    return fail("asm.unknown-instruction",
                fmt::format("'{}' is no instruction of {}{}", written, name(arch), suggestion(written, candidates)), {},
                0, column);
}

const OperandSpec* find_operand(const InstructionSpec& spec, std::string_view written) {
    for (const auto& o : operands(spec))
        if (same_name(o.name, written)) return &o;
    for (const auto& alias : operand_aliases) {
        if (!same_name(alias.alias, written) || (!alias.instruction.empty() && alias.instruction != spec.name))
            continue;
        for (const auto& o : operands(spec))
            if (o.name == alias.operand) return &o;
    }
    return nullptr;
}

SymbolLookup values_of(const OperandSpec& operand) {
    return [&operand](std::string_view name) -> std::optional<std::int64_t> {
        for (const auto& v : operand_values)
            if (v.operand == operand.name && v.name == name) return v.value;
        return std::nullopt;
    };
}

Result<std::uint32_t> read_operand(LineCursor& cursor, const OperandSpec& operand, const ReadValue& read_value) {
    const int column = cursor.next_column();
    const auto value = read_value(cursor, values_of(operand));
    if (!value) return tl::make_unexpected(value.error());
    if (*value < 0 || *value > span_max(operand))
        return fail(
            "asm.operand-range",
            fmt::format("{} does not fit {}, which takes 0 to {}", *value, spelled(operand.name), span_max(operand)),
            {}, 0, column);
    return static_cast<std::uint32_t>(*value) << operand.lo;
}

tl::unexpected<Error> wrong_count(const InstructionSpec& spec, std::size_t expected, int column) {
    std::string names;
    for (const auto& o : operands(spec))
        if (o.printed) names += (names.empty() ? ": " : ", ") + spelled(o.name);
    return fail("asm.operand-count",
                fmt::format("{} takes {} operand{}{}", spec.name, expected, expected == 1 ? "" : "s", names), {}, 0,
                column);
}

Result<std::uint32_t> assemble_positional(LineCursor& cursor, const InstructionSpec& spec,
                                          const ReadValue& read_value) {
    const auto expected = std::accumulate(operands(spec).begin(), operands(spec).end(), std::size_t{0},
                                          [](std::size_t n, const OperandSpec& o) { return n + o.printed; });
    std::uint32_t bits = 0;
    std::size_t given = 0;
    for (const auto& o : operands(spec)) {
        if (!o.printed) continue;
        if (cursor.at_end() || (given > 0 && !cursor.take(','))) break;
        auto value = read_operand(cursor, o, read_value);
        if (!value) return value;
        bits |= *value;
        ++given;
    }
    if (given < expected && cursor.at_end()) return wrong_count(spec, expected, cursor.next_column());
    if (given < expected) return fail("asm.syntax", "expected ','", {}, 0, cursor.next_column());
    if (given == expected && (cursor.peek() == ',' || expected == 0) && !cursor.at_end())
        return wrong_count(spec, expected, cursor.next_column());
    return bits;
}

Result<std::uint32_t> assemble_named(LineCursor& cursor, const InstructionSpec& spec, const ReadValue& read_value) {
    std::uint32_t bits = 0, named = 0;
    while (!cursor.at_end()) {
        const int column = cursor.next_column();
        const auto written = cursor.take_name();
        if (written.empty() || !cursor.take('=')) return fail("asm.syntax", "expected OPERAND=VALUE", {}, 0, column);
        const auto* operand = find_operand(spec, written);
        if (!operand) {
            std::vector<std::string_view> candidates;
            for (const auto& o : operands(spec)) candidates.push_back(o.name);
            return fail("asm.unknown-operand",
                        fmt::format("{} has no operand '{}'{}", spec.name, written, suggestion(written, candidates)),
                        {}, 0, column);
        }
        auto value = read_operand(cursor, *operand, read_value);
        if (!value) return value;
        const std::uint32_t id = 1u << (operand - spec.operands.data());
        if (named & id)
            return fail("asm.syntax", fmt::format("{} is given twice", spelled(operand->name)), {}, 0, column);
        if (bits & span_mask(*operand) & *value)
            return fail("asm.operand-range",
                        fmt::format("{} sets bits that another operand of this line has set", spelled(operand->name)),
                        {}, 0, column);
        named |= id;
        bits |= *value;
        cursor.take(',');
    }
    return bits;
}

bool is_name_start(char c) { return (lower(c) >= 'a' && lower(c) <= 'z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Edits (insert, delete, replace) between two names, letter case aside.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t replaced = diagonal + (fold(a[i]) != fold(b[j]));
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row[b.size()];
}

}  // namespace

int LineCursor::next_column() {
    skip_blanks();
    return column();
}

bool LineCursor::at_end() { return peek() == 0; }

char LineCursor::peek() {
    skip_blanks();
    return at_ < line_.size() ? line_[at_] : '\0';
}

bool LineCursor::take(char wanted) {
    if (at_end() || peek() != wanted) return false;
    ++at_;
    return true;
}

bool LineCursor::take(std::string_view wanted) {
    skip_blanks();
    if (!line_.substr(at_).starts_with(wanted)) return false;
    at_ += wanted.size();
    return true;
}

std::string_view LineCursor::take_name() { return is_name_start(peek()) ? take_word() : std::string_view{}; }

std::string_view LineCursor::take_word() {
    skip_blanks();
    const std::size_t start = at_;
    while (at_ < line_.size() && (is_name_start(line_[at_]) || is_digit(line_[at_]))) ++at_;
    return line_.substr(start, at_ - start);
}

void LineCursor::skip_blanks() {
    while (at_ < line_.size() && (line_[at_] == ' ' || line_[at_] == '\t' || line_[at_] == '\r')) ++at_;
}

Result<std::uint32_t> assemble_instruction(LineCursor& cursor, Arch arch, const ReadValue& read_value) {
    const int column = cursor.next_column();
    const auto written = cursor.take_name();
    if (written.empty()) return fail("asm.syntax", "expected an instruction", {}, 0, column);
    const bool vendor = written.size() > 2 && same_name(written.substr(0, 2), "tt");
    const auto mnemonic = vendor ? written.substr(2) : written;
    const auto* spec = find_spec(mnemonic, arch);
    if (!spec) return unknown_instruction(written, mnemonic, arch, column);

    LineCursor ahead = cursor;
    const bool named = cursor.at_end() ? !vendor : !ahead.take_name().empty() && ahead.take('=');
    auto bits = named ? assemble_named(cursor, *spec, read_value) : assemble_positional(cursor, *spec, read_value);
    if (!bits) return bits;
    return std::uint32_t{spec->opcode} << 24 | *bits;
}

std::string suggestion(std::string_view name, std::span<const std::string_view> candidates) {
    // A hostile name may be as long as its file.
    constexpr std::size_t longest = 100;
    if (name.size() > longest) return {};
    std::string_view best;
    std::size_t best_distance = name.size() / 3 + 2;
    for (const auto candidate : candidates) {
        const auto distance = edit_distance(name, candidate);
        if (distance >= best_distance) continue;
        best = candidate;
        best_distance = distance;
    }
    return best.empty() ? std::string{} : fmt::format(" (did you mean {}?)", spelled(best));
}

}  // namespace tessera::isa

namespace tessera {

std::string disassemble(std::uint32_t word, Arch arch) {
    const auto instruction = isa::decode(word, arch);
    if (!instruction.spec) return isa::raw(word);
    const auto& spec = *instruction.spec;
    if (word & ~(isa::opcode_mask | isa::covered(spec, isa::Which::printed))) return isa::raw(word);
    std::string text = isa::vendor_spelling(spec.name);
    char separator = '\t';
    for (const auto& o : isa::operands(spec)) {
        if (!o.printed) continue;
        text += separator;
        text += fmt::format("{}", isa::span_value(o, word));
        separator = ',';
    }
    return text;
}

std::string disassemble_named(std::uint32_t word, Arch arch) {
    const auto instruction = isa::decode(word, arch);
    if (!instruction.spec) return isa::raw(word);
    const auto& spec = *instruction.spec;
    const auto unprinted = isa::covered(spec, isa::Which::unprinted);
    if (word & ~(isa::opcode_mask | unprinted | isa::covered(spec, isa::Which::printed))) return isa::raw(word);
    std::string text(spec.name);
    for (const auto& o : isa::operands(spec)) {
        // Bits of an unprinted operand lie within a printed one's span; each bit is told once.
        const auto value = isa::span_value(o, o.printed ? word & ~unprinted : word);
        if (value != 0) text += fmt::format(" {}={}", isa::spelled(o.name), value);
    }
    return text;
}

}  // namespace tessera
