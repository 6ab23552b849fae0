// SPDX-License-Identifier: Apache-2.0
// Names that stand for numbers in assembly text: the data formats, and what `.equ` defines.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace tessera::program {

class Symbols {
public:
    std::optional<std::int64_t> find(std::string_view name) const;
    /// The same without the data formats.
    std::optional<std::int64_t> find_defined(std::string_view name) const;

    /// False, and nothing is defined, for a name that is predefined.
    bool define(std::string_view name, std::int64_t value);
    /// The same for a text that need not be a name at all.
    bool define_from_outside(std::string_view text, std::int64_t value);

    // What a text comes to is what it came to before if nothing has changed since, or if it asks for no symbol.
    std::uint64_t changes() const { return changes_; }
    std::uint64_t lookups() const { return lookups_; }

private:
    std::uint64_t changes_ = 0;
    mutable std::uint64_t lookups_ = 0;
    std::map<std::string, std::int64_t, std::less<>> defined_;
};

}  // namespace tessera::program
