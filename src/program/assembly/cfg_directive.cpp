// SPDX-License-Identifier: Apache-2.0
#include "program/assembly/cfg_directive.hpp"

#include <fmt/format.h>
#include <limits>
#include <vector>

#include "program/assembly/directive_values.hpp"
#include "registers/field.hpp"
#include "tessera/similar_name.hpp"

namespace tessera::program {

namespace {

using isa::fail_at;
using isa::LineCursor;
using registers::Space;

tl::unexpected<Error> unknown_field(std::string_view name, Arch arch, int column) {
    for (Arch other : all_archs)
        if (other != arch && registers::find_field(name, other))
            return fail_at(
                column, "asm.unknown-register",
                fmt::format("'{}' is a field of {}, not of {}", name, tessera::name(other), tessera::name(arch)));
    std::vector<std::string_view> candidates;
    auto add = [&](const auto& fields) {
        for (const auto& field : fields)
            if (field.at(arch).present()) candidates.push_back(field.name);
    };
    add(registers::backend_fields);
    add(registers::thread_fields);
    return fail_at(column, "asm.unknown-register",
                   fmt::format("'{}' is not a configuration field of {}{}", name, tessera::name(arch),
                               suggestion(name, candidates)));
}

/// Reads `[0]` or `[1]` after a field name; without it, bank 0.
Result<unsigned> read_bank(const DirectiveContext& context, LineCursor& cursor, const registers::NamedField& field) {
    const int bracket = cursor.next_column();
    if (!cursor.take('[')) return 0u;
    if (field.space == Space::thread)
        return fail_at(bracket, "asm.register-range", "thread configuration has no banks");
    const int column = cursor.next_column();
    const auto bank = context.value(cursor);
    if (!bank) return tl::make_unexpected(bank.error());
    if (*bank != 0 && *bank != 1)
        return fail_at(column, "asm.register-range", fmt::format("bank {} does not exist: banks are 0 and 1", *bank));
    if (!cursor.take(']')) return expected("']'", cursor);
    return static_cast<unsigned>(*bank);
}

Result<void> store_field(const DirectiveContext& context, LineCursor& cursor, const registers::NamedField& field) {
    const auto& position = field.spec->at(context.arch);
    const auto bank = read_bank(context, cursor, field);
    if (!bank) return tl::make_unexpected(bank.error());
    if (!cursor.take('=')) return expected("'='", cursor);
    const int column = cursor.next_column();
    auto value = context.value(cursor);
    if (!value) return tl::make_unexpected(value.error());
    if (context.registers) value = context.registers->replace(field.spec->name).value_or(*value);
    // A value of 32 bits may be signed.
    const std::int64_t most = position.mask();
    const std::int64_t least = most == std::numeric_limits<std::uint32_t>::max() ? std::numeric_limits<std::int32_t>::min() : 0;
    if (*value < least || *value > most)
        return fail_at(column, "asm.register-range",
                       fmt::format("{} does not fit {}, which takes {} to {}", *value, field.spec->name, least, most));
    context.thread.store_field(field.space, position, *bank, static_cast<std::uint32_t>(*value), context.line);
    return {};
}

Result<void> store_word(const DirectiveContext& context, LineCursor& cursor) {
    const auto address = read_index(context, cursor, Op::Kind::cfg);
    if (!address) return tl::make_unexpected(address.error());
    if (!cursor.take('=')) return expected("'='", cursor);
    const auto value = read_word(context, cursor);
    if (!value) return tl::make_unexpected(value.error());
    context.thread.push({.kind = Op::Kind::cfg, .index = *address, .value = *value}, context.line);
    return {};
}

}  // namespace

Result<void> cfg_directive(const DirectiveContext& context, LineCursor& cursor) {
    LineCursor ahead = cursor;
    const int column = ahead.next_column();
    const auto name = ahead.take_name();
    if (name.empty()) return store_word(context, cursor);
    if (const auto field = registers::find_field(name, context.arch)) {
        cursor = ahead;
        return store_field(context, cursor, *field);
    }
    if (context.symbols.find(name)) return store_word(context, cursor);
    return unknown_field(name, context.arch, column);
}

}  // namespace tessera::program
