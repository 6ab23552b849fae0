// SPDX-License-Identifier: Apache-2.0
// Converts many patterns with the unpackers.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "formats/datum_size.hpp"
#include "formats/layouts.hpp"
#include "formats/unpack_convert.hpp"
#include "support/patterns.hpp"

namespace tessera::test {

// Results as the loop makes them. Patterns are datums of `in`, packed from the first on.
inline std::vector<std::uint32_t> unpack(formats::UnpackLoop loop, const formats::UnpackConversion& conversion,
                                         const std::vector<std::uint32_t>& patterns,
                                         const std::vector<std::uint8_t>& exponents, std::uint8_t forced,
                                         std::size_t at) {
    const unsigned bits = formats::datum_bits(conversion.in);
    std::vector<std::uint8_t> bytes((patterns.size() * bits + 7) / 8);
    for (std::size_t i = 0; i < patterns.size(); ++i)
        for (unsigned b = 0; b < bits; ++b)
            bytes[(i * bits + b) / 8] |= static_cast<std::uint8_t>((patterns[i] >> b & 1) << (i * bits + b) % 8);
    std::vector<std::uint32_t> result(patterns.size() - at);
    if (!loop) throw std::runtime_error("no such conversion");
    loop({bytes.data(), exponents.data(), forced}, at, result.data(), result.size());
    return result;
}

// In stored order.
inline std::vector<std::uint32_t> unpack_to_src(const formats::UnpackConversion& conversion,
                                                const std::vector<std::uint32_t>& patterns,
                                                const std::vector<std::uint8_t>& exponents = {},
                                                std::uint8_t forced = 0, std::size_t at = 0) {
    auto result = unpack(formats::unpack_to_src(conversion), conversion, patterns, exponents, forced, at);
    for (auto& x : result) x = formats::src_to_stored(x);
    return result;
}

// In stored order: 16 bits, or both halves.
inline std::vector<std::uint32_t> unpack_to_dst(const formats::UnpackConversion& conversion,
                                                const std::vector<std::uint32_t>& patterns,
                                                const std::vector<std::uint8_t>& exponents = {},
                                                std::uint8_t forced = 0, std::size_t at = 0) {
    auto result = unpack(formats::unpack_to_dst(conversion), conversion, patterns, exponents, forced, at);
    for (auto& x : result) x = formats::dst_to_stored(x >> 16) << 16 | formats::dst_to_stored(x & 0xFFFF);
    return result;
}

inline std::vector<std::uint32_t> unpack_to_src(DataFormat in, DataFormat out,
                                                const std::vector<std::uint32_t>& patterns) {
    return unpack_to_src({.in = in, .out = out}, patterns);
}

}  // namespace tessera::test
