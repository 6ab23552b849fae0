// SPDX-License-Identifier: Apache-2.0
#include "program/assembly/symbols.hpp"

#include "isa/text.hpp"
#include "tessera/data_format.hpp"

namespace tessera::program {

std::optional<std::int64_t> Symbols::find(std::string_view name) const {
    if (const auto format = parse_data_format(name)) return static_cast<std::int64_t>(hardware_format(*format));
    return find_defined(name);
}

std::optional<std::int64_t> Symbols::find_defined(std::string_view name) const {
    ++lookups_;
    if (asked_) asked_->emplace(name);
    const auto found = defined_.find(name);
    return found == defined_.end() ? std::nullopt : std::optional(found->second);
}

bool Symbols::define(std::string_view name, std::int64_t value) {
    if (parse_data_format(name)) return false;
    const auto known = defined_.find(name);
    if (known != defined_.end() && known->second == value) return true;
    ++changes_;
    defined_.insert_or_assign(std::string(name), value);
    return true;
}

bool Symbols::define_from_outside(std::string_view text, std::int64_t value) {
    isa::LineCursor cursor(text);
    return !text.empty() && cursor.take_name() == text && define(text, value);
}

}  // namespace tessera::program
