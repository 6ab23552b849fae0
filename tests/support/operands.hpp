// SPDX-License-Identifier: Apache-2.0
// Random operands for the matrix unit's arithmetic.
#pragma once

#include <cstdint>
#include <random>

namespace tessera::test {

/// Operands whose exponents meet or stand at the extremes; Dst at and around the exponent of the sum.
struct Operands {
    std::mt19937_64 random;
    bool E8, acc32;
    bool extremes = true;  ///< exponents may be far from those that meet

    std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); }
    std::uint32_t exponent(std::uint32_t near_to) {
        const std::uint32_t mask = E8 ? 255 : 31;
        if (!extremes) return below(12) ? (near_to + below(15) - 7) & mask : 0;
        switch (below(12)) {
            case 0: return 0;
            case 1: return mask - below(2);
            case 2: return below(mask + 1);
            case 3: return 1 + below(3);
            default: return (near_to + below(15) - 7) & mask;
        }
    }
    std::uint32_t datum(std::uint32_t near_to) {
        const std::uint32_t mantissas[] = {below(1024), below(1024), 0, 1023, 512, 1u << below(10)};
        return below(2) << 18 | exponent(near_to) << 10 | mantissas[below(6)];
    }
    std::uint32_t dst(std::uint32_t near_to) {
        // The sum of two operands with 5-bit exponents has a rebiased exponent in a 32-bit Dst.
        const std::uint32_t e = acc32 && !E8 ? (exponent(near_to) + 112) & 255 : exponent(near_to);
        std::uint32_t fraction = static_cast<std::uint32_t>(random()) & 0x7FFFFF;
        if (below(4) == 0) fraction &= 0x7F << 16;
        if (below(8) == 0) fraction = 0;
        if (!acc32) fraction &= E8 ? 0x7F0000 : 0x7FE000;
        return below(2) << 31 | e << 23 | fraction;
    }
};

}  // namespace tessera::test
