// SPDX-License-Identifier: Apache-2.0
// Instruction results that C++ has no operator for, and the latency of divisions.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "riscv/costs.hpp"
#include "riscv/instructions.hpp"

namespace tessera::riscv {

constexpr std::int32_t as_signed(std::uint32_t value) { return static_cast<std::int32_t>(value); }
constexpr std::uint32_t as_unsigned(std::int32_t value) { return static_cast<std::uint32_t>(value); }

constexpr std::uint32_t mulh(std::uint32_t a, std::uint32_t b) {
    return static_cast<std::uint32_t>(std::int64_t{as_signed(a)} * as_signed(b) >> 32);
}
constexpr std::uint32_t mulhsu(std::uint32_t a, std::uint32_t b) {
    return static_cast<std::uint32_t>(std::int64_t{as_signed(a)} * std::int64_t{b} >> 32);
}
constexpr std::uint32_t mulhu(std::uint32_t a, std::uint32_t b) {
    return static_cast<std::uint32_t>(std::uint64_t{a} * b >> 32);
}

constexpr bool overflows(std::uint32_t a, std::uint32_t b) { return a == 0x8000'0000 && b == 0xFFFF'FFFF; }

constexpr std::uint32_t div(std::uint32_t a, std::uint32_t b) {
    if (b == 0) return 0xFFFF'FFFF;
    return overflows(a, b) ? a : as_unsigned(as_signed(a) / as_signed(b));
}
constexpr std::uint32_t divu(std::uint32_t a, std::uint32_t b) { return b == 0 ? 0xFFFF'FFFF : a / b; }
constexpr std::uint32_t rem(std::uint32_t a, std::uint32_t b) {
    if (b == 0) return a;
    return overflows(a, b) ? 0 : as_unsigned(as_signed(a) % as_signed(b));
}
constexpr std::uint32_t remu(std::uint32_t a, std::uint32_t b) { return b == 0 ? a : a % b; }

/// Cycles for which a division occupies its unit.
constexpr std::uint32_t division_cycles(const Costs& cost, bool with_sign, std::uint32_t a, std::uint32_t b) {
    if (b <= 1 || (with_sign && overflows(a, b))) return cost.divide_short.cycles;
    const std::uint32_t magnitude = with_sign && as_signed(a) < 0 ? 0u - a : a;
    const std::uint32_t group = cost.divide_group.cycles;
    const std::uint32_t bits = (static_cast<std::uint32_t>(std::bit_width(magnitude)) + group - 1) / group * group;
    return std::clamp<std::uint32_t>(cost.divide_base.cycles + bits, cost.divide_least.cycles, cost.divide_most.cycles);
}

/// Bitmanip's generalised reverse: each set bit of `how` swaps neighbouring groups of that many bits.
constexpr std::uint32_t grev(std::uint32_t value, unsigned how) {
    constexpr std::uint32_t lower[] = {0x5555'5555, 0x3333'3333, 0x0F0F'0F0F, 0x00FF'00FF, 0x0000'FFFF};
    for (unsigned i = 0; i < 5; ++i)
        if (how >> i & 1) value = (value & lower[i]) << (1u << i) | (value >> (1u << i) & lower[i]);
    return value;
}

/// Sets each byte that has any bit set to 0xFF.
constexpr std::uint32_t orc_b(std::uint32_t value) {
    std::uint32_t result = 0;
    for (unsigned i = 0; i < 32; i += 8)
        if (value >> i & 0xFF) result |= 0xFFu << i;
    return result;
}

constexpr std::uint32_t sext_b(std::uint32_t value) { return as_unsigned(static_cast<std::int8_t>(value)); }
constexpr std::uint32_t sext_h(std::uint32_t value) { return as_unsigned(static_cast<std::int16_t>(value)); }

/// The value that an atomic instruction writes to memory.
constexpr std::uint32_t atomic_result(Op op, std::uint32_t old, std::uint32_t operand) {
    switch (op) {
        case Op::amoadd: return old + operand;
        case Op::amoxor: return old ^ operand;
        case Op::amoand: return old & operand;
        case Op::amoor: return old | operand;
        case Op::amomin: return as_signed(old) < as_signed(operand) ? old : operand;
        case Op::amomax: return as_signed(old) > as_signed(operand) ? old : operand;
        case Op::amominu: return std::min(old, operand);
        case Op::amomaxu: return std::max(old, operand);
        default: return operand;
    }
}

}  // namespace tessera::riscv
