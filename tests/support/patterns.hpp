// SPDX-License-Identifier: Apache-2.0
// Bit patterns for tests of conversions.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace tessera::test {

inline std::vector<std::uint32_t> patterns16() {
    std::vector<std::uint32_t> all(0x10000);
    for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
    return all;
}

// 2^20 random patterns, and every exponent with mantissas at the edges of what conversions keep, round and drop.
inline std::vector<std::uint32_t> patterns32() {
    std::vector<std::uint32_t> all;
    std::mt19937 random(32);
    for (unsigned i = 0; i < 1u << 20; ++i) all.push_back(static_cast<std::uint32_t>(random()));
    constexpr std::uint32_t mantissas[] = {0,        1,        0xFFF,    0x1000,   0x1FFF,   0x2000,   0x3FFF,
                                           0x7FFF,   0x8000,   0x8001,   0xFFFF,   0x10000,  0x17FFF,  0x18000,
                                           0x3FFFFF, 0x400000, 0x7F7FFF, 0x7F8000, 0x7FDFFF, 0x7FE000, 0x7FFFFF};
    for (std::uint32_t sign = 0; sign < 2; ++sign)
        for (std::uint32_t exponent = 0; exponent < 256; ++exponent)
            for (std::uint32_t mantissa : mantissas) all.push_back(sign << 31 | exponent << 23 | mantissa);
    return all;
}

}  // namespace tessera::test
