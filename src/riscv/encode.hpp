// SPDX-License-Identifier: Apache-2.0
// Encodes instruction words by form, with the fields that decode.cpp reads.
#pragma once

#include <cstdint>

#include "riscv/instructions.hpp"

namespace tessera::riscv::encode {

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

}  // namespace tessera::riscv::encode
