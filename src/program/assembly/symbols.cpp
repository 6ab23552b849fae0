// SPDX-License-Identifier: Apache-2.0
#include "program/assembly/symbols.hpp"

#include <fmt/format.h>

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
    if (uses_) uses_->asked.emplace(name);
    if (uses_ && given_.contains(name)) uses_->given.emplace(name);
    const auto found = defined_.find(name);
    return found == defined_.end() ? std::nullopt : std::optional(found->second);
}

bool Symbols::define(std::string_view name, std::int64_t value) {
    if (parse_data_format(name)) return false;
    if (const auto outer = given_.find(name); outer != given_.end()) given_.erase(outer);
    const auto known = defined_.find(name);
    if (known != defined_.end() && known->second == value) return true;
    ++changes_;
    defined_.insert_or_assign(std::string(name), value);
    return true;
}

bool Symbols::define_from_outside(std::string_view text, std::int64_t value) {
    isa::LineCursor cursor(text);
    if (text.empty() || cursor.take_name() != text || !define(text, value)) return false;
    given_.emplace(text);
    return true;
}

std::vector<std::string_view> Symbols::names() const {
    std::vector<std::string_view> all;
    for (const auto& [name, value] : defined_) all.push_back(name);
    for (const DataFormat format : all_data_formats) all.push_back(tessera::name(format));
    return all;
}

}  // namespace tessera::program
