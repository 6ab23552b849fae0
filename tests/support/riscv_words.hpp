// SPDX-License-Identifier: Apache-2.0
// Instruction words by mnemonic, for tests.
#pragma once

#include <bit>
#include <cstdint>

#include "riscv/encode.hpp"

namespace tessera::test::rv {

using riscv::Op;

inline constexpr unsigned zero = 0, ra = 1, sp = 2, t0 = 5, t1 = 6, t2 = 7, s0 = 8, a0 = 10, a1 = 11, a2 = 12, a3 = 13,
                          a4 = 14, a5 = 15, a6 = 16, a7 = 17;

using namespace riscv::encode;

constexpr std::uint32_t ttinsn(std::uint32_t word) { return std::rotl(word, 2); }
constexpr std::uint32_t li(unsigned rd, int value) { return i(Op::addi, rd, zero, value); }
inline constexpr std::uint32_t nop = riscv::row(Op::addi).match, ebreak = riscv::row(Op::ebreak).match,
                               fence = riscv::row(Op::fence).match | 0x0FF0'0000;
inline constexpr std::uint32_t halt = jal(zero, 0);  ///< the end of a kernel

}  // namespace tessera::test::rv
