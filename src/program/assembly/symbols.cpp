// SPDX-License-Identifier: Apache-2.0
#include "program/assembly/symbols.hpp"

#include <fmt/format.h>

#include <utility>

#include "isa/text.hpp"
#include "tessera/data_format.hpp"
#include "tessera/similar_name.hpp"

namespace tessera::program {

std::string SymbolUses::no_effect(std::string_view name, std::string_view no_use) const {
    if (given.contains(name)) return {};
    if (asked.contains(name))
        return fmt::format("a value for '{}' has no effect, since .equ defines it before it is used: remove the .equ", name);
    const std::vector<std::string_view> known(asked.begin(), asked.end());
    return fmt::format("{} '{}'{}", no_use, name, suggestion(name, known));
}

std::string not_a_symbol(std::string_view text) {
    return fmt::format("'{}' is not the name of a symbol{}", text,
                       parse_data_format(text) ? ": it is the name of a data format" : "");
}

std::optional<std::int64_t> Symbols::find(std::string_view name) const {
    if (const auto format = parse_data_format(name)) return static_cast<std::int64_t>(hardware_format(*format));
    return find_defined(name);
}

std::optional<std::int64_t> Symbols::find_defined(std::string_view name) const {
    ++lookups_;
    const auto found = defined_.find(name);
    if (found == defined_.end()) {
        if (uses_) uses_->asked.emplace(name);
        return std::nullopt;
    }
    const Definition& definition = found->second;
    if (uses_ && !std::exchange(definition.is_noted, true)) {
        uses_->asked.emplace(name);
        if (definition.is_given) uses_->given.emplace(name);
    }
    return definition.value;
}

bool Symbols::define(std::string_view name, std::int64_t value) {
    if (parse_data_format(name)) return false;
    const auto known = defined_.find(name);
    if (known == defined_.end() || known->second.value != value) ++changes_;
    if (known == defined_.end())
        defined_.emplace(name, Definition{value});
    else
        known->second = {value};
    return true;
}

bool Symbols::define_from_outside(std::string_view text, std::int64_t value) {
    isa::LineCursor cursor(text);
    if (text.empty() || cursor.take_name() != text || !define(text, value)) return false;
    defined_.find(text)->second.is_given = true;
    return true;
}

void Symbols::note_lookups(SymbolUses& uses) {
    uses_ = &uses;
    for (auto& [name, definition] : defined_) definition.is_noted = false;
}

std::vector<std::string_view> Symbols::names() const {
    std::vector<std::string_view> all;
    for (const auto& [name, definition] : defined_) all.push_back(name);
    for (const DataFormat format : all_data_formats) all.push_back(tessera::name(format));
    return all;
}

}  // namespace tessera::program
