// SPDX-License-Identifier: Apache-2.0
// Datums of block formats: sign and magnitude in L1, and an exponent byte for each 16 of them.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace tessera::formats {

inline constexpr std::uint32_t narrow_exponent = 0x1F, wide_exponent = 0xFF;

/// Datum `index` of a packed array, its sign at bit 7: 4 and 2 bits begin with the lowest (spec-notes A38).
template <unsigned Bits>
constexpr std::uint32_t block_datum(const std::uint8_t* packed, std::size_t index) {
    constexpr unsigned per_byte = 8 / Bits;
    return static_cast<std::uint32_t>(packed[index / per_byte] >> index % per_byte * Bits << (8 - Bits)) & 0xFF;
}

/// Added to the float of a magnitude for its shared exponent. Magnitudes 64 to 127 have exponent 127 + 6 there.
inline constexpr std::uint32_t term_bias = 133;
constexpr std::uint32_t block_exponent_term(std::uint32_t exponent) { return (exponent - term_bias) << 23; }

/// A block's scale: for a range of shared exponents, the float that its magnitudes are multiplied by. Its exponent field is the
/// shared exponent - scale_bias. In that range scale and product stay normal, and fit narrow exponents.
inline constexpr std::uint32_t scale_bias = 6;
inline constexpr std::uint32_t least_scaled = 7;
template <std::uint32_t ExponentMask>
inline constexpr std::uint32_t most_scaled = ExponentMask == narrow_exponent ? narrow_exponent : wide_exponent - 1;

/// A source register's datum from sign and magnitude (8 bits) and the shared exponent. Normalising may wrap the exponent
/// (spec-notes A40); a magnitude of 0 with a sign is the largest negative pattern (spec-notes A39).
template <std::uint32_t ExponentMask>
constexpr std::uint32_t src_from_block(std::uint32_t datum, std::uint32_t exponent) {
    const std::uint32_t magnitude = datum & 0x7F, sign = (datum & 0x80) << 24;
    if (!magnitude) return sign ? sign | ExponentMask << 23 : 0;
    // The conversion from integer to float normalises.
    const auto normalised = std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<std::int32_t>(magnitude)));
    constexpr std::uint32_t keep = ExponentMask << 23 | 0x7FFFFF;
    return sign | ((normalised + block_exponent_term(exponent)) & keep);
}

}  // namespace tessera::formats
