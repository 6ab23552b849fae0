// SPDX-License-Identifier: Apache-2.0
// Patterns of datums, and the unpackers' conversion of them.
#pragma once

#include <cstdint>
#include <random>
#include <stdexcept>
#include <vector>

#include "formats/datum_size.hpp"
#include "formats/layouts.hpp"
#include "formats/unpack_convert.hpp"

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

// Results in stored order. Patterns are datums of `in`, packed from the first on.
inline std::vector<std::uint32_t> unpack_to_src(const formats::SrcConversion& conversion,
                                                const std::vector<std::uint32_t>& patterns,
                                                const std::vector<std::uint8_t>& exponents = {},
                                                std::uint8_t forced = 0, std::size_t at = 0) {
    const unsigned bits = formats::datum_bits(conversion.in);
    std::vector<std::uint8_t> bytes((patterns.size() * bits + 7) / 8);
    for (std::size_t i = 0; i < patterns.size(); ++i)
        for (unsigned b = 0; b < bits; ++b)
            bytes[(i * bits + b) / 8] |= static_cast<std::uint8_t>((patterns[i] >> b & 1) << (i * bits + b) % 8);
    std::vector<std::uint32_t> result(patterns.size() - at);
    const auto loop = formats::unpack_to_src(conversion);
    if (!loop) throw std::runtime_error("no such conversion");
    loop({bytes.data(), exponents.data(), forced}, at, result.data(), result.size());
    for (auto& x : result) x = formats::src_to_stored(x);
    return result;
}

inline std::vector<std::uint32_t> unpack_to_src(DataFormat in, DataFormat out,
                                                const std::vector<std::uint32_t>& patterns) {
    return unpack_to_src({.in = in, .out = out}, patterns);
}

}  // namespace tessera::test
