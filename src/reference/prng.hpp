// SPDX-License-Identifier: Apache-2.0
// VectorUnit, PRNG. Spec-notes E35 and E56 decide that packers and matrix unit have generators of the same kind.
#pragma once

#include <bit>
#include <cstdint>

namespace tessera::reference {

constexpr std::uint32_t NextPRNG(std::uint32_t State) {
    const auto Taps = static_cast<std::uint32_t>(std::popcount(State & 0x80200003));
    return (~Taps << 31) | (State >> 1);
}

}  // namespace tessera::reference
