// SPDX-License-Identifier: Apache-2.0
// What is declared about an instruction. All that isa/ can do with one follows from its row.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "isa/unit.hpp"
#include "tessera/arch.hpp"

namespace tessera::isa {

/// Which architectures a row is for: a bit per Arch.
using ArchMask = std::uint8_t;
inline constexpr ArchMask blackhole = 1, wormhole = 2, both = 3;
constexpr bool includes(ArchMask mask, Arch arch) { return mask >> static_cast<unsigned>(arch) & 1; }

struct OperandSpec {
    std::string_view name;
    std::uint8_t lo = 0;       ///< lowest bit
    std::uint8_t hi = 0;       ///< highest bit of the span that the kernel library gives the operand
    std::uint8_t used_hi = 0;  ///< highest bit that means anything; bits above it, up to hi, should be zero
    bool printed = true;       ///< false: has no place in the vendor's operand list

    constexpr OperandSpec() = default;
    constexpr OperandSpec(std::string_view n, int l, int h) : OperandSpec(n, l, h, h) {}
    constexpr OperandSpec(std::string_view n, int l, int h, int used)
        : name(n), lo(std::uint8_t(l)), hi(std::uint8_t(h)), used_hi(std::uint8_t(used)) {}

    constexpr unsigned width() const { return used_hi - lo + 1u; }
};

/// An operand that exists in the encoding but not in the vendor's syntax.
constexpr OperandSpec extra(std::string_view name, int lo, int hi) {
    OperandSpec spec(name, lo, hi);
    spec.printed = false;
    return spec;
}

struct InstructionSpec {
    static constexpr std::size_t max_operands = 13;

    std::string_view name;
    std::uint8_t opcode = 0;
    ArchMask archs = 0;
    Unit unit = Unit::misc;
    std::string_view meaning;
    std::uint8_t operand_count = 0;
    std::array<OperandSpec, max_operands> operands{};

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
};

}  // namespace tessera::isa
