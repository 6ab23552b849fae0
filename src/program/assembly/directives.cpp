// SPDX-License-Identifier: Apache-2.0
#include "program/assembly/directives.hpp"

#include <fmt/format.h>
#include <vector>

#include "formats/other_names.hpp"
#include "isa/names.hpp"
#include "program/assembly/cfg_directive.hpp"
#include "program/assembly/directive_values.hpp"
#include "program/assembly/expression.hpp"
#include "program/ops/rules.hpp"
#include "program/ops/semaphore_condition.hpp"
#include "tessera/similar_name.hpp"

namespace tessera::program {

namespace {

using isa::fail_at;
using isa::LineCursor;

/// `I = value`
template <Op::Kind kind>
Result<void> indexed_store(const DirectiveContext& context, LineCursor& cursor) {
    const auto index = read_index(context, cursor, kind);
    if (!index) return tl::make_unexpected(index.error());
    if (!cursor.take('=')) return expected("'='", cursor);
    const auto value = read_word(context, cursor);
    if (!value) return tl::make_unexpected(value.error());
    context.thread.push({.kind = kind, .index = *index, .value = *value}, context.line);
    return {};
}

/// True if an instruction follows, not a value. Symbols take precedence over instructions.
bool names_instruction(const DirectiveContext& context, LineCursor cursor) {
    const auto name = cursor.take_name();
    if (name.empty() || context.symbols.find(name)) return false;
    for (const Arch arch : all_archs)
        if (isa::find_spec(isa::mnemonic_of(name), arch)) return true;
    const bool has_operands = cursor.peek() == '.' || !cursor.take_word().empty();
    return has_operands;
}

/// `I = value` or `I = instruction`
Result<void> mop_store(const DirectiveContext& context, LineCursor& cursor) {
    const auto index = read_index(context, cursor, Op::Kind::mop);
    if (!index) return tl::make_unexpected(index.error());
    if (!cursor.take('=')) return expected("'='", cursor);
    const auto word = names_instruction(context, cursor) ? context.instruction(cursor) : read_mop_word(context, cursor);
    if (!word) return tl::make_unexpected(word.error());
    context.thread.push({.kind = Op::Kind::mop, .index = *index, .value = *word}, context.line);
    return {};
}

template <Op::Kind kind>
Result<void> semaphore(const DirectiveContext& context, LineCursor& cursor) {
    const auto index = read_index(context, cursor, kind);
    if (!index) return tl::make_unexpected(index.error());
    context.thread.push({.kind = kind, .index = *index}, context.line);
    return {};
}

Result<void> sem_wait(const DirectiveContext& context, LineCursor& cursor) {
    const auto index = read_index(context, cursor, Op::Kind::sem_wait);
    if (!index) return tl::make_unexpected(index.error());
    if (!cursor.take(',')) return expected("',' and nonzero or below_max", cursor);
    const int column = cursor.next_column();
    const auto until = parse_semaphore_condition(cursor.take_name());
    if (!until) return fail_at(column, "asm.syntax", "expected nonzero or below_max");
    context.thread.push({.kind = Op::Kind::sem_wait, .index = *index, .value = *until}, context.line);
    return {};
}

Result<void> drain(const DirectiveContext& context, LineCursor&) {
    context.thread.push({.kind = Op::Kind::drain}, context.line);
    return {};
}

Result<void> raw_instruction(const DirectiveContext& context, LineCursor& cursor) {
    const auto word = read_word(context, cursor);
    if (!word) return tl::make_unexpected(word.error());
    context.thread.push({.kind = Op::Kind::ins, .value = *word}, context.line);
    return {};
}

Result<void> equ(const DirectiveContext& context, LineCursor& cursor) {
    const int column = cursor.next_column();
    const auto name = cursor.take_name();
    if (name.empty()) return expected("a name", cursor);
    if (!cursor.take(',') && !cursor.take('=')) return expected("',' or '='", cursor);
    const auto value = context.value(cursor);
    if (!value) return tl::make_unexpected(value.error());
    if (!context.symbols.define(name, *value))
        return fail_at(column, "asm.syntax", fmt::format("{} is the name of a data format", name));
    return {};
}

struct NamedDirective {
    std::string_view name;
    Directive run;
};

constexpr NamedDirective directives[] = {
    {"cfg", cfg_directive},
    {"gpr", indexed_store<Op::Kind::gpr>},
    {"mop", mop_store},
    {"drain", drain},
    {"equ", equ},
    {"sem_post", semaphore<Op::Kind::sem_post>},
    {"sem_get", semaphore<Op::Kind::sem_get>},
    {"sem_wait", sem_wait},
    {"ttinsn", raw_instruction},
};

}  // namespace

Result<std::int64_t> DirectiveContext::value(LineCursor& cursor, const isa::OwnNames& own) const {
    return evaluate(cursor, [&](std::string_view name) -> Result<std::int64_t> {
        const auto found = own.find ? own.find(name) : std::nullopt;
        if (found && own.hide_symbols) return *found;
        const auto defined = found ? symbols.find_defined(name) : symbols.find(name);
        if (found && defined && *found != *defined)
            return fail("asm.ambiguous-name",
                        fmt::format("'{}' is the symbol {} here, and the name of the value {}: rename the symbol", name,
                                    *defined, *found));
        if (found) return *found;
        if (defined) return *defined;
        const auto format = formats::format_called_elsewhere(name);
        const std::string meant = format ? fmt::format(" (did you mean {}?)", tessera::name(*format)) : "";
        const auto near = format ? std::vector<std::string_view>() : symbols.names();
        if (own.unknown) return fail("asm.unknown-symbol", own.unknown(name, near) + meant);
        return fail("asm.unknown-symbol",
                    fmt::format("'{}' has no value: .equ gives it one, or [symbols] of a job, or --symbol{}{}", name, meant,
                                suggestion(name, near)));
    });
}

Result<std::uint32_t> DirectiveContext::instruction(LineCursor& cursor) const {
    return isa::assemble_instruction(cursor, arch,
                                     [this](LineCursor& c, const isa::OwnNames& own) { return value(c, own); });
}

Directive find_directive(std::string_view name) {
    for (const auto& directive : directives)
        if (directive.name == name) return directive.run;
    return nullptr;
}

tl::unexpected<Error> unknown_directive(std::string_view name, int column) {
    std::vector<std::string_view> names = {"thread", "repeat", "end"};
    for (const auto& directive : directives) names.push_back(directive.name);
    const std::string similar = suggestion(name, names);
    return isa::fail_at(
        column, "asm.unknown-directive",
        fmt::format("unknown directive '.{}'{}", name,
                    similar.empty() ? fmt::format("; known are .{}", fmt::join(names, ", .")) : similar));
}

}  // namespace tessera::program
