// SPDX-License-Identifier: Apache-2.0
// Names of numbers in assembly text: data formats, and `.equ` symbols.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace tessera::program {

class Symbols {
public:
    std::optional<std::int64_t> find(std::string_view name) const;
    /// Same, without the data formats.
    std::optional<std::int64_t> find_defined(std::string_view name) const;

    /// Returns false and defines nothing if the name is predefined.
    bool define(std::string_view name, std::int64_t value);
    /// Same, for a text that may not be a valid name.
    bool define_from_outside(std::string_view text, std::int64_t value);

    /// Adds every name that this table and its copies are asked for to `names`, which must outlive them.
    void note_lookups(std::set<std::string, std::less<>>& names) { asked_ = &names; }

    // A cached value stays valid while changes() is the same, or if computing it did not change lookups().
    std::uint64_t changes() const { return changes_; }
    std::uint64_t lookups() const { return lookups_; }

private:
    std::uint64_t changes_ = 0;
    mutable std::uint64_t lookups_ = 0;
    std::set<std::string, std::less<>>* asked_ = nullptr;  ///< null: not noted
    std::map<std::string, std::int64_t, std::less<>> defined_;
};

}  // namespace tessera::program
