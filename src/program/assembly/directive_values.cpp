// SPDX-License-Identifier: Apache-2.0
#include "program/assembly/directive_values.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <vector>

#include "isa/names.hpp"
#include "isa/operand_values.hpp"
#include "isa/values/frontend.hpp"
#include "program/ops/rules.hpp"
#include "tessera/similar_name.hpp"

namespace tessera::program {

namespace {

/// MOP registers have different names in the two templates.
isa::OwnNames mop_registers(Arch arch) {
    constexpr auto& first = isa::values::mop_register_0;
    constexpr auto& second = isa::values::mop_register_1;
    return {[arch](std::string_view name) -> std::optional<std::int64_t> {
                const auto* found = isa::find_value(first, name, arch);
                if (!found) found = isa::find_value(second, name, arch);
                return found ? std::optional<std::int64_t>(found->on(arch)) : std::nullopt;
            },
            [arch](std::string_view name, std::span<const std::string_view>) {
                std::vector<std::string_view> names;
                for (const auto* set : {&first, &second})
                    isa::for_each_value(*set, arch, [&](const isa::ValueSpec& value) { names.push_back(value.name); });
                return fmt::format("'{}' is neither a MOP register nor a symbol{}; they are {}", name,
                                   suggestion(name, names), fmt::join(names, ", "));
            },
            false};
}

std::string neither_instruction_nor_symbol(std::string_view name, std::span<const std::string_view> symbols, Arch arch) {
    const std::vector<std::string> instructions = isa::instruction_names(name, arch);
    std::vector<std::string_view> known(instructions.begin(), instructions.end());
    known.insert(known.end(), symbols.begin(), symbols.end());
    return fmt::format("'{}' is neither an instruction nor a symbol{}", name, suggestion(name, known));
}

}  // namespace

tl::unexpected<Error> expected(std::string_view what, isa::LineCursor& cursor) {
    return isa::fail_at(cursor.next_column(), "asm.syntax", fmt::format("expected {}", what));
}

Result<std::uint16_t> read_index(const DirectiveContext& context, isa::LineCursor& cursor, Op::Kind kind) {
    const int column = cursor.next_column();
    const auto index = context.value(cursor, kind == Op::Kind::mop ? mop_registers(context.arch) : isa::OwnNames{});
    if (!index) return tl::make_unexpected(index.error());
    if (*index < 0 || *index > std::numeric_limits<std::uint16_t>::max())
        return isa::fail_at(column, "asm.register-range", fmt::format("no value has index {}", *index));
    const auto result = static_cast<std::uint16_t>(*index);
    if (const auto what = problem({.kind = kind, .index = result}, context.arch))
        return isa::fail_at(column, "asm.register-range", *what);
    return result;
}

Result<std::uint32_t> read_word(const DirectiveContext& context, isa::LineCursor& cursor, const isa::OwnNames& own) {
    const int column = cursor.next_column();
    const auto value = context.value(cursor, own);
    if (!value) return tl::make_unexpected(value.error());
    if (*value < std::numeric_limits<std::int32_t>::min() || *value > std::numeric_limits<std::uint32_t>::max())
        return isa::fail_at(column, "asm.operand-range", fmt::format("{} does not fit 32 bits", *value));
    return static_cast<std::uint32_t>(*value);
}

Result<std::uint32_t> read_mop_word(const DirectiveContext& context, isa::LineCursor& cursor) {
    const auto unknown = [arch = context.arch](std::string_view name, std::span<const std::string_view> symbols) {
        return neither_instruction_nor_symbol(name, symbols, arch);
    };
    return read_word(context, cursor, {.find = {}, .unknown = unknown});
}

}  // namespace tessera::program
