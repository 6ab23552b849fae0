// SPDX-License-Identifier: Apache-2.0
// Instruction words by mnemonic, for tests.
#pragma once

#include <bit>
#include <cstdint>

#include "riscv/instructions.hpp"

namespace tessera::test::rv {

using riscv::Op;

inline constexpr unsigned zero = 0, ra = 1, sp = 2, t0 = 5, t1 = 6, t2 = 7, s0 = 8, a0 = 10, a1 = 11, a2 = 12, a3 = 13,
                          a4 = 14, a5 = 15, a6 = 16, a7 = 17;

constexpr std::uint32_t r(Op op, unsigned rd, unsigned rs1, unsigned rs2) {
    return riscv::row(op).match | rd << 7 | rs1 << 15 | rs2 << 20;
}
constexpr std::uint32_t i(Op op, unsigned rd, unsigned rs1, int imm) {
    return riscv::row(op).match | rd << 7 | rs1 << 15 | static_cast<std::uint32_t>(imm) << 20;
}
constexpr std::uint32_t store(Op op, unsigned rs2, int imm, unsigned rs1) {
    const auto bits = static_cast<std::uint32_t>(imm);
    return riscv::row(op).match | rs1 << 15 | rs2 << 20 | (bits & 31) << 7 | (bits >> 5 & 127) << 25;
}
constexpr std::uint32_t branch(Op op, unsigned rs1, unsigned rs2, int offset) {
    const auto bits = static_cast<std::uint32_t>(offset);
    return riscv::row(op).match | rs1 << 15 | rs2 << 20 | (bits >> 11 & 1) << 7 | (bits >> 1 & 15) << 8 |
           (bits >> 5 & 63) << 25 | (bits >> 12 & 1) << 31;
}
constexpr std::uint32_t jal(unsigned rd, int offset) {
    const auto bits = static_cast<std::uint32_t>(offset);
    return riscv::row(Op::jal).match | rd << 7 | (bits >> 12 & 255) << 12 | (bits >> 11 & 1) << 20 |
           (bits >> 1 & 1023) << 21 | (bits >> 20 & 1) << 31;
}
constexpr std::uint32_t lui(unsigned rd, std::uint32_t upper) {
    return riscv::row(Op::lui).match | rd << 7 | upper << 12;
}
constexpr std::uint32_t csr(Op op, unsigned rd, std::uint32_t number, unsigned rs1) {
    return riscv::row(op).match | rd << 7 | rs1 << 15 | number << 20;
}
constexpr std::uint32_t ttinsn(std::uint32_t word) { return std::rotl(word, 2); }
constexpr std::uint32_t li(unsigned rd, int value) { return i(Op::addi, rd, zero, value); }
inline constexpr std::uint32_t nop = riscv::row(Op::addi).match, ebreak = riscv::row(Op::ebreak).match,
                               fence = riscv::row(Op::fence).match | 0x0FF0'0000;
inline constexpr std::uint32_t halt = jal(zero, 0);  ///< where a kernel ends

}  // namespace tessera::test::rv
