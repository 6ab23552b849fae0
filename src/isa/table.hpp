// SPDX-License-Identifier: Apache-2.0
// All declarations as one table, with lookups at compile time: an undeclared instruction or operand does not compile.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "isa/declarations/config.hpp"
#include "isa/declarations/frontend.hpp"
#include "isa/declarations/matrix.hpp"
#include "isa/declarations/misc.hpp"
#include "isa/declarations/mover.hpp"
#include "isa/declarations/packer.hpp"
#include "isa/declarations/scalar.hpp"
#include "isa/declarations/sync.hpp"
#include "isa/declarations/unpacker.hpp"
#include "isa/declarations/vector.hpp"

namespace tessera::isa {

namespace detail {

template <std::size_t... N>
constexpr auto concatenate(const InstructionSpec (&... lists)[N]) {
    constexpr InstructionSpec none{"", 0, 0, Unit::misc, ""};
    constexpr std::size_t total = (N + ...);
    auto table = [&]<std::size_t... I>(std::index_sequence<I...>) {
        return std::array<InstructionSpec, total>{(static_cast<void>(I), none)...};
    }
    (std::make_index_sequence<total>{});
    std::size_t at = 0;
    auto append = [&](const auto& list) {
        for (const auto& spec : list) table[at++] = spec;
    };
    (append(lists), ...);
    return table;
}

}  // namespace detail

inline constexpr auto table = detail::concatenate(
    declarations::frontend, declarations::sync, declarations::config, declarations::misc, declarations::scalar,
    declarations::mover, declarations::unpacker, declarations::packer, declarations::matrix, declarations::vector);

/// An instruction's name as a compile-time constant, so that comparing decoded instructions compares integers.
struct Mnemonic {
    std::uint8_t index = 0;  ///< of the first row with that name
    friend constexpr bool operator==(Mnemonic, Mnemonic) = default;
};

/// The mnemonic called `name`. An undeclared name does not compile.
consteval Mnemonic mnemonic(std::string_view name) {
    for (std::size_t i = 0; i < table.size(); ++i)
        if (table[i].name == name) return {static_cast<std::uint8_t>(i)};
    throw "no instruction of that name is declared";
}

namespace detail {

consteval std::array<Unit, table.size()> units_of_rows() {
    std::array<Unit, table.size()> units{};
    for (std::size_t i = 0; i < table.size(); ++i) {
        units[i] = table[i].unit;
        if (table[mnemonic(table[i].name).index].unit != units[i])
            throw "the unit of an instruction depends on the architecture";
    }
    return units;
}

inline constexpr std::array<Unit, table.size()> units = units_of_rows();

}  // namespace detail

/// The unit of the instructions called so. Rows of the table are far apart in memory; this stays near.
constexpr Unit unit_of(Mnemonic mnemonic) { return detail::units[mnemonic.index]; }

/// The place of an operand's value in the word, per architecture; width 0 on an architecture without it.
struct Operand {
    struct Bits {
        std::uint8_t lo = 0;
        std::uint8_t width = 0;
    };
    std::array<Bits, 2> at{};

    constexpr std::uint32_t get(std::uint32_t word, Arch arch) const {
        const Bits bits = at[static_cast<unsigned>(arch)];
        return word >> bits.lo & ((1u << bits.width) - 1);
    }
};

constexpr std::span<const OperandSpec> operands(const InstructionSpec& spec) {
    return {spec.operands.data(), spec.operand_count};
}

namespace detail {

/// The place of an operand among those that `operands_of` names for a row. The second name is Wormhole's; empty: the same.
template <class OperandsOf>
consteval Operand find_operand(std::string_view instruction, std::string_view operand, std::string_view wormhole_operand,
                               OperandsOf operands_of) {
    if (wormhole_operand.empty()) wormhole_operand = operand;
    Operand result;
    bool found = false;
    for (const auto& spec : table) {
        if (spec.name != instruction) continue;
        for (Arch arch : all_archs) {
            if (!includes(spec.archs, arch)) continue;
            for (const OperandSpec& o : operands_of(spec)) {
                if (o.name != (arch == Arch::blackhole ? operand : wormhole_operand)) continue;
                result.at[static_cast<unsigned>(arch)] = {o.lo, static_cast<std::uint8_t>(o.width())};
                found = true;
            }
        }
    }
    if (!found) throw "no such operand is declared";
    return result;
}

}  // namespace detail

/// Operand `operand` of instruction `instruction`. If the two architectures name it differently, the second name is
/// Wormhole's. An operand declared on neither does not compile.
consteval Operand operand(std::string_view instruction, std::string_view operand,
                          std::string_view wormhole_operand = {}) {
    return detail::find_operand(instruction, operand, wormhole_operand, [](const InstructionSpec& spec) { return operands(spec); });
}

}  // namespace tessera::isa
