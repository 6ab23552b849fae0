// SPDX-License-Identifier: Apache-2.0
// The declaration of an instruction. All functions of isa/ derive from its row.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "isa/unit.hpp"
#include "tessera/arch.hpp"

namespace tessera::isa {

/// The architectures of a row: a bit per Arch.
using ArchMask = std::uint8_t;
inline constexpr ArchMask blackhole = 1, wormhole = 2, both = 3;
constexpr bool includes(ArchMask mask, Arch arch) { return mask >> static_cast<unsigned>(arch) & 1; }

struct OperandSpec {
    std::string_view name;
    std::uint8_t lo = 0;    ///< lowest bit
    std::uint8_t hi = 0;    ///< highest bit of the span that the kernel library gives the operand
    std::uint8_t bits = 0;  ///< number of meaningful bits from lo on; those above, up to hi, should be zero
    bool printed = true;    ///< false: absent from the vendor's operand list

    constexpr OperandSpec() = default;
    constexpr OperandSpec(std::string_view n, int l, int h) : OperandSpec(n, l, h, h) {}
    constexpr OperandSpec(std::string_view n, int l, int h, int used_hi)
        : name(n), lo(std::uint8_t(l)), hi(std::uint8_t(h)), bits(std::uint8_t(used_hi - l + 1)) {}

    constexpr unsigned width() const { return bits; }
    constexpr std::uint32_t span_max() const { return (1u << (hi - lo + 1)) - 1; }
    constexpr std::uint32_t span_mask() const { return span_max() << lo; }
    constexpr std::uint32_t used_mask() const { return ((1u << bits) - 1) << lo; }
};

/// An operand of the vendor's list without a meaning in this instruction: all its bits should be zero.
constexpr OperandSpec unused(std::string_view name, int lo, int hi) { return {name, lo, hi, lo - 1}; }

/// An operand of the encoding that the vendor's syntax lacks.
constexpr OperandSpec extra(std::string_view name, int lo, int hi) {
    OperandSpec spec(name, lo, hi);
    spec.printed = false;
    return spec;
}

inline constexpr std::size_t max_operands = 13;

/// One of an opcode's several meanings. If several forms match a word, the first one counts.
struct FormSpec {
    std::string_view name;
    std::uint32_t mask = 0;   ///< the bits that select the form
    std::uint32_t value = 0;  ///< their value for this form
    std::string_view meaning;
    std::uint8_t operand_count = 0;  ///< 0: the instruction's own operands
    std::array<OperandSpec, max_operands> operands{};

    constexpr FormSpec(std::string_view n, std::uint32_t mask_, std::uint32_t value_, std::string_view m)
        : name(n), mask(mask_), value(value_), meaning(m) {}

    template <std::size_t N>
    constexpr FormSpec(std::string_view n, std::uint32_t mask_, std::uint32_t value_, std::string_view m,
                       const OperandSpec (&list)[N])
        : FormSpec(n, mask_, value_, m) {
        static_assert(N <= max_operands);
        operand_count = N;
        for (std::size_t i = 0; i < N; ++i) operands[i] = list[i];
    }

    constexpr bool matches(std::uint32_t word) const { return (word & mask) == value; }
};

struct InstructionSpec {
    std::string_view name;
    std::uint8_t opcode = 0;
    ArchMask archs = 0;
    Unit unit = Unit::misc;
    std::string_view meaning;
    std::uint8_t operand_count = 0;
    std::array<OperandSpec, max_operands> operands{};
    std::span<const FormSpec> forms{};  ///< empty: only one form

    constexpr InstructionSpec(std::string_view n, int op, ArchMask a, Unit u, std::string_view m)
        : name(n), opcode(std::uint8_t(op)), archs(a), unit(u), meaning(m) {}

    template <std::size_t N>
    constexpr InstructionSpec(std::string_view n, int op, ArchMask a, Unit u, std::string_view m,
                              const OperandSpec (&list)[N])
        : InstructionSpec(n, op, a, u, m) {
        static_assert(N <= max_operands);
        operand_count = N;
        for (std::size_t i = 0; i < N; ++i) operands[i] = list[i];
    }

    template <std::size_t N>
    constexpr InstructionSpec(std::string_view n, int op, ArchMask a, Unit u, std::string_view m,
                              const OperandSpec (&list)[N], std::span<const FormSpec> f)
        : InstructionSpec(n, op, a, u, m, list) {
        forms = f;
    }
};

}  // namespace tessera::isa
