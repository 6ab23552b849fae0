// SPDX-License-Identifier: Apache-2.0
#include "isa/names.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "isa/form.hpp"

namespace tessera::isa {

namespace {

/// Another name for an operand. An empty instruction means every instruction with that operand.
struct OperandAlias {
    std::string_view instruction, alias, operand;
};

constexpr OperandAlias operand_aliases[] = {
    {"", "block", "stall_res"},      {"STALLWAIT", "wait", "wait_res"},
    {"SEMWAIT", "wait", "wait_sem_cond"}, {"STREAMWAIT", "wait", "target_sel"},
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

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Some operands of the vendor's list have blanks in their names, which are written as underscores.
constexpr char fold(char c) { return c == ' ' ? '_' : lower(c); }

constexpr bool precedes(std::string_view a, std::string_view b) {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                        [](char x, char y) { return fold(x) < fold(y); });
}

/// An architecture's rows in the order of their names.
struct Index {
    std::array<std::uint16_t, table.size()> rows{};
    std::size_t size = 0;
};

constexpr Index make_index(Arch arch) {
    Index index;
    for (std::size_t i = 0; i < table.size(); ++i)
        if (includes(table[i].archs, arch)) index.rows[index.size++] = static_cast<std::uint16_t>(i);
    std::sort(index.rows.begin(), index.rows.begin() + static_cast<std::ptrdiff_t>(index.size),
              [](std::uint16_t a, std::uint16_t b) { return precedes(table[a].name, table[b].name); });
    return index;
}

constexpr Index indices[] = {make_index(Arch::blackhole), make_index(Arch::wormhole)};

}  // namespace

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

std::string_view mnemonic_of(std::string_view written) {
    const bool vendor = written.size() > 2 && same_name(written.substr(0, 2), "tt");
    return written.substr(vendor ? 2 : 0);
}

std::vector<std::string> instruction_names(std::string_view written, Arch arch) {
    const bool vendor = mnemonic_of(written).size() != written.size();
    std::vector<std::string> names;
    for (const auto& spec : table)
        if (includes(spec.archs, arch)) names.push_back(vendor ? vendor_spelling(spec.name) : std::string(spec.name));
    return names;
}

const InstructionSpec* find_spec(std::string_view mnemonic, Arch arch) {
    const Index& index = indices[static_cast<unsigned>(arch)];
    const auto* end = index.rows.data() + index.size;
    const auto* found =
        std::lower_bound(index.rows.data(), end, mnemonic,
                         [](std::uint16_t row, std::string_view name) { return precedes(table[row].name, name); });
    return found != end && same_name(table[*found].name, mnemonic) ? &table[*found] : nullptr;
}

void for_each_alias(const InstructionSpec& spec, const OperandSpec& operand,
                    const std::function<void(std::string_view)>& f) {
    for (const auto& alias : operand_aliases)
        if ((alias.instruction.empty() || alias.instruction == spec.name) && alias.operand == operand.name)
            f(alias.alias);
}

const OperandSpec* find_operand(const InstructionSpec& spec, std::span<const OperandSpec> among,
                                std::string_view written) {
    for (const auto& o : among)
        if (same_name(o.name, written)) return &o;
    for (const auto& alias : operand_aliases) {
        if (!same_name(alias.alias, written) || (!alias.instruction.empty() && alias.instruction != spec.name))
            continue;
        for (const auto& o : among)
            if (o.name == alias.operand) return &o;
    }
    return nullptr;
}

}  // namespace tessera::isa
