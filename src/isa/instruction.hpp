// SPDX-License-Identifier: Apache-2.0
// A decoded instruction word.
#pragma once

#include "isa/table.hpp"

namespace tessera::isa {

/// The place of the opcode in a plain word.
inline constexpr std::uint32_t opcode_mask = 0xFF000000;

struct Instruction {
    std::uint32_t word = 0;
    Arch arch = Arch::blackhole;
    const InstructionSpec* spec = nullptr;  ///< null: the opcode names no instruction of this architecture
    Mnemonic mnemonic{};

    constexpr std::uint32_t operator[](const Operand& operand) const { return operand.get(word, arch); }
    constexpr bool is(Mnemonic m) const { return spec && mnemonic == m; }
    constexpr bool is_of(Unit unit) const { return spec && unit_of(mnemonic) == unit; }
    friend constexpr bool operator==(const Instruction&, const Instruction&) = default;
};

namespace detail {

struct DecodeRow {
    std::int16_t spec = -1;
    std::uint8_t mnemonic = 0;
};

consteval std::array<DecodeRow, 256> decode_rows(Arch arch) {
    std::array<DecodeRow, 256> rows{};
    for (std::size_t i = 0; i < table.size(); ++i) {
        if (!includes(table[i].archs, arch)) continue;
        if (rows[table[i].opcode].spec >= 0) throw "two instructions share an opcode";
        rows[table[i].opcode] = {static_cast<std::int16_t>(i), mnemonic(table[i].name).index};
    }
    return rows;
}

inline constexpr std::array<DecodeRow, 256> decode_table[] = {decode_rows(Arch::blackhole),
                                                              decode_rows(Arch::wormhole)};

}  // namespace detail

/// Decodes a plain (not rotated) 32-bit instruction word; spec is null for an opcode that the architecture lacks.
constexpr Instruction decode(std::uint32_t word, Arch arch) {
    const auto row = detail::decode_table[static_cast<unsigned>(arch)][word >> 24];
    if (row.spec < 0) return {word, arch, nullptr, {}};
    return {word, arch, &table[static_cast<std::size_t>(row.spec)], {row.mnemonic}};
}

}  // namespace tessera::isa
