// SPDX-License-Identifier: Apache-2.0
#include "isa/operand_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <vector>

#include "isa/names.hpp"
#include "isa/values/config.hpp"
#include "isa/values/frontend.hpp"
#include "isa/values/matrix.hpp"
#include "isa/values/misc.hpp"
#include "isa/values/packer.hpp"
#include "isa/values/scalar.hpp"
#include "isa/values/sync.hpp"
#include "isa/values/unpacker.hpp"
#include "isa/values/vector.hpp"
#include "tessera/similar_name.hpp"

namespace tessera::isa {

namespace {

constexpr std::span<const OperandValues> lists[] = {values::frontend, values::sync,   values::config,
                                                    values::misc,     values::scalar, values::unpacker,
                                                    values::packer,   values::matrix, values::vector};

/// Calls f(word) for each blank-separated word; returns whether a call returned true.
template <class F>
constexpr bool any_word(std::string_view words, F&& f) {
    while (!words.empty()) {
        const auto end = std::min(words.find(' '), words.size());
        if (end && f(words.substr(0, end))) return true;
        words.remove_prefix(std::min(end + 1, words.size()));
    }
    return false;
}

constexpr std::size_t row_count = [] {
    std::size_t count = 0;
    for (const auto& list : lists) count += list.size();
    return count;
}();

/// All rows by operand; rows of one operand in the order of declaration.
using RowsByOperand = std::array<const OperandValues*, row_count>;

consteval RowsByOperand rows_by_operand() {
    struct Row {
        const OperandValues* row = nullptr;
        std::size_t number = 0;
    };
    std::array<Row, row_count> rows{};
    std::size_t number = 0;
    for (const auto& list : lists)
        for (const OperandValues& row : list) {
            rows[number] = {&row, number};
            ++number;
        }
    std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
        return a.row->operand == b.row->operand ? a.number < b.number : a.row->operand < b.row->operand;
    });
    RowsByOperand sorted{};
    for (std::size_t i = 0; i < row_count; ++i) sorted[i] = rows[i].row;
    return sorted;
}
constexpr RowsByOperand rows = rows_by_operand();

/// Rows for the form take precedence over rows for the instruction, and these over general rows.
constexpr const ValueSet* declared(const InstructionSpec& spec, std::string_view form, const OperandSpec& operand) {
    const ValueSet *of_all = nullptr, *of_instruction = nullptr;
    const auto is_form = [&](std::string_view name) {
        return !form.empty() && name.size() == spec.name.size() + 1 + form.size() && name.starts_with(spec.name) &&
               name[spec.name.size()] == '.' && name.ends_with(form);
    };
    auto at = std::lower_bound(rows.begin(), rows.end(), operand.name,
                               [](const OperandValues* row, std::string_view name) { return row->operand < name; });
    for (; at != rows.end() && (*at)->operand == operand.name; ++at) {
        const OperandValues& row = **at;
        if (any_word(row.instructions, is_form)) return row.set;
        if (any_word(row.instructions, [&](std::string_view name) { return name == spec.name; }))
            of_instruction = row.set;
        if (row.instructions.empty()) of_all = row.set;
    }
    return of_instruction ? of_instruction : of_all;
}

/// Calls f(spec, form, operand) for each operand of each instruction, and for those that forms have of their own.
template <class F>
constexpr void for_each_operand(F&& f) {
    for (const auto& spec : table) {
        for (const auto& operand : operands(spec)) f(spec, std::string_view(), operand);
        for (const auto& form : spec.forms)
            for (const auto& operand : std::span(form.operands.data(), form.operand_count)) f(spec, form.name, operand);
    }
}

struct Known {
    const OperandSpec* operand = nullptr;
    const ValueSet* set = nullptr;
};

/// All operands, found by the compiler: a list of them takes longer than to assemble a short text.
consteval auto all_known() {
    constexpr std::size_t count = [] {
        std::size_t n = 0;
        for_each_operand([&](const auto&, auto, const auto&) { ++n; });
        return n;
    }();
    std::array<Known, count> known{};
    std::size_t n = 0;
    for_each_operand([&](const InstructionSpec& spec, std::string_view form, const OperandSpec& operand) {
        known[n++] = {&operand, operand.bits ? declared(spec, form, operand) : nullptr};
    });
    return known;
}
constexpr auto known_sets = all_known();

bool is_called(const ValueSpec& value, std::string_view written) {
    return same_name(value.name, written) ||
           any_word(value.also, [&](std::string_view other) { return same_name(other, written); });
}

const ValueSpec* find_exactly(const ValueSet& set, std::string_view written, Arch arch) {
    for (const ValueSpec& value : set.values)
        if (includes(value.archs, arch) && is_called(value, written)) return &value;
    return nullptr;
}

}  // namespace

const ValueSet* values_of(const OperandSpec& operand) {
    // The order of addresses is known to the linker only.
    static const auto by_address = [] {
        auto known = known_sets;
        std::sort(known.begin(), known.end(),
                  [](const Known& a, const Known& b) { return std::less<>()(a.operand, b.operand); });
        return known;
    }();
    const auto at = std::lower_bound(by_address.begin(), by_address.end(), &operand, [](const Known& entry, const OperandSpec* o) {
        return std::less<>()(entry.operand, o);
    });
    return at != by_address.end() && at->operand == &operand ? at->set : nullptr;
}

const ValueSpec* find_value(const ValueSet& set, std::string_view written, Arch arch) {
    if (const auto* found = find_exactly(set, written, arch)) return found;
    const std::size_t prefix = set.prefix.size();
    if (prefix == 0 || written.size() <= prefix || !same_name(written.substr(0, prefix), set.prefix)) return nullptr;
    return find_exactly(set, written.substr(prefix), arch);
}

std::optional<std::string> value_text(const ValueSet& set, std::uint32_t value, Arch arch) {
    const auto printed = [&](const ValueSpec& v) {
        return includes(v.archs, arch) && !v.meaning.empty() && v.matches(value, arch);
    };
    for (const ValueSpec& v : set.values)
        if (v.kind == ValueSpec::Kind::whole && printed(v)) return std::string(v.name);
    // Leaves out names whose bits another name covers together with more.
    const auto covered = [&](const ValueSpec& v) {
        const std::uint32_t own = v.mask(arch);
        return std::any_of(set.values.begin(), set.values.end(), [&](const ValueSpec& other) {
            const std::uint32_t others = other.mask(arch);
            return &other != &v && (own & ~others) == 0 && (own != others || &other < &v) && printed(other);
        });
    };
    std::string text;
    std::uint32_t reported = 0;
    for (const ValueSpec& v : set.values) {
        if (v.mask(arch) == 0 || !printed(v) || covered(v)) continue;
        text += text.empty() ? "" : "|";
        text += v.name;
        reported |= v.mask(arch);
    }
    if (value & ~reported || text.empty()) return std::nullopt;
    return text;
}

std::string unknown_value(const OperandSpec& operand, const ValueSet& set, std::string_view written, Arch arch,
                          std::span<const std::string_view> symbols) {
    for (Arch other : all_archs)
        if (other != arch && find_value(set, written, other))
            return fmt::format("'{}' is a value of {} on {}, not on {}", written, spelled(operand.name), name(other),
                               name(arch));
    std::vector<std::string_view> candidates;
    std::string all;
    for_each_value(set, arch, [&](const ValueSpec& value) {
        candidates.push_back(value.name);
        if (!value.meaning.empty()) all += fmt::format("{}{}", all.empty() ? "" : ", ", value.name);
    });
    candidates.insert(candidates.end(), symbols.begin(), symbols.end());
    return fmt::format("'{}' is not a value of {} and not a symbol{}; the values are {}", written, spelled(operand.name),
                       suggestion(written, candidates), all);
}

}  // namespace tessera::isa
