// SPDX-License-Identifier: Apache-2.0
// One step of the linear feedback shift register for the random bits of the vector unit (numerics 8, PRNG) and of the
// packers (spec-notes E35).
#pragma once

#include <bit>
#include <cstdint>

namespace tessera {

constexpr std::uint32_t next_random(std::uint32_t x) {
    const std::uint32_t parity = static_cast<std::uint32_t>(std::popcount(x & 0x80200003u)) & 1;
    return x >> 1 | (parity ^ 1) << 31;
}

}  // namespace tessera
