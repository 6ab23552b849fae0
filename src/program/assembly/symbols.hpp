// SPDX-License-Identifier: Apache-2.0
// Names of numbers in assembly text: data formats, and `.equ` symbols.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::program {

/// The lookups of texts in a table of symbols.
struct SymbolUses {
    std::set<std::string, std::less<>> asked;  ///< names that the texts ask for
    std::set<std::string, std::less<>> given;  ///< those of them whose value from outside the texts get

    /// The reason why a name's value from outside has no effect; empty if it has one. `no_use` begins the reason of a name that no
    /// text asks for: "the text uses no symbol".
    std::string no_effect(std::string_view name, std::string_view no_use) const;
};

/// The reason why define_from_outside() refuses a text.
std::string not_a_symbol(std::string_view text);

class Symbols {
public:
    std::optional<std::int64_t> find(std::string_view name) const;
    /// Same, without the data formats.
    std::optional<std::int64_t> find_defined(std::string_view name) const;

    /// Returns false and defines nothing if the name is predefined.
    bool define(std::string_view name, std::int64_t value);
    /// Same, for a value from outside of the texts, and a name that may not be valid.
    bool define_from_outside(std::string_view text, std::int64_t value);

    /// All names that find() knows. They are valid until the next change.
    std::vector<std::string_view> names() const;

    /// Adds what this table and its copies are asked for to `uses`, which must outlive them.
    void note_lookups(SymbolUses& uses);

    // A cached value stays valid while changes() is the same, or if computing it did not change lookups().
    std::uint64_t changes() const { return changes_; }
    std::uint64_t lookups() const { return lookups_; }

private:
    struct Definition {
        std::int64_t value = 0;
        bool is_given = false;          ///< from outside of the texts
        mutable bool is_noted = false;  ///< in *uses_, as it is now
    };

    std::uint64_t changes_{};
    mutable std::uint64_t lookups_{};
    SymbolUses* uses_ = nullptr;  ///< null: not noted
    std::map<std::string, Definition, std::less<>> defined_;
};

}  // namespace tessera::program
