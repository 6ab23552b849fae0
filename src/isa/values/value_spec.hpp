// SPDX-License-Identifier: Apache-2.0
// The declaration of an operand's values: names and meanings.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "isa/instruction_spec.hpp"

namespace tessera::isa {

/// A named value of an operand, or of some of its bits.
struct ValueSpec {
    /// whole: all bits of the operand; bits: some bits, combined with others; part: the value of a bit field.
    enum class Kind : std::uint8_t { whole, bits, part };

    std::string_view name;
    std::array<std::uint32_t, 2> value{};  ///< by architecture
    std::string_view meaning;              ///< empty: an alternative spelling, read but never printed
    std::string_view also;                 ///< other spellings, separated by blanks
    ArchMask archs = both;
    Kind kind = Kind::whole;
    std::uint32_t part = 0;  ///< the mask of the bit field

    constexpr std::uint32_t on(Arch arch) const { return value[static_cast<unsigned>(arch)]; }
    /// The bits of the operand that this value determines.
    constexpr std::uint32_t mask(Arch arch) const {
        return kind == Kind::whole ? ~0u : kind == Kind::bits ? on(arch) : part;
    }
    constexpr bool matches(std::uint32_t operand, Arch arch) const { return (operand & mask(arch)) == on(arch); }

    /// The same on one architecture only.
    constexpr ValueSpec only(ArchMask which) const {
        ValueSpec result = *this;
        result.archs = which;
        return result;
    }
};

/// The whole operand.
constexpr ValueSpec choice(std::string_view name, std::uint32_t value, std::string_view meaning,
                           std::string_view also = {}) {
    return {name, {value, value}, meaning, also};
}
/// One or more bits, which can be combined with others.
constexpr ValueSpec bits(std::string_view name, std::uint32_t blackhole_value, std::uint32_t wormhole_value,
                         std::string_view meaning, std::string_view also = {}) {
    return {name, {blackhole_value, wormhole_value}, meaning, also, both, ValueSpec::Kind::bits};
}
constexpr ValueSpec bits(std::string_view name, std::uint32_t value, std::string_view meaning,
                         std::string_view also = {}) {
    return bits(name, value, value, meaning, also);
}
/// A value of a bit field.
constexpr ValueSpec part(std::string_view name, std::uint32_t mask, std::uint32_t value, std::string_view meaning,
                         std::string_view also = {}) {
    return {name, {value, value}, meaning, also, both, ValueSpec::Kind::part, mask};
}

/// The values of an operand; several operands may share them.
struct ValueSet {
    std::string_view title;   ///< of the operand's values: "block mask"
    std::string_view about;   ///< remarks that hold for all values
    std::span<const ValueSpec> values{};
    std::string_view prefix{};  ///< that the vendor's names have before these: "SFPIADD_MOD1_"
    bool hide_symbols = false;  ///< a symbol with the same name as a value is not ambiguous
    bool ignored = false;       ///< the operand has no effect; its values only have names

    /// The meaning of a value here: a value of an operand without effect has none of its own.
    std::string_view meaning(const ValueSpec& value) const { return ignored && !value.meaning.empty() ? no_effect : value.meaning; }
    static constexpr std::string_view no_effect = "no effect";
};

/// Assigns values to operands. They also hold for a form's operand, unless it has a row of its own.
struct OperandValues {
    std::string_view instructions;  ///< separated by blanks, "NAME.form" for a form; empty: all that have the operand
    std::string_view operand;
    const ValueSet* set = nullptr;
};

/// The value called `name`, which must be the same on all its architectures. An undeclared name does not compile.
template <std::size_t N>
consteval std::uint32_t value(const ValueSpec (&among)[N], std::string_view name) {
    for (const ValueSpec& v : among)
        if (v.name == name) {
            if (v.archs == both && v.value[0] != v.value[1]) throw "it differs between the architectures";
            return v.value[includes(v.archs, Arch::blackhole) ? 0 : 1];
        }
    throw "no such value is declared";
}

}  // namespace tessera::isa
