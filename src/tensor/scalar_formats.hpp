// SPDX-License-Identifier: Apache-2.0
// Single values between float and the 16-bit formats of Tensix.
#pragma once

#include <bit>
#include <cstdint>

namespace tessera::tensor {

/// Float16 of Tensix: exponent 31 is a binade like any other, there is no infinity and no NaN; 0x7FFF is the largest
/// magnitude, and what everything beyond it, infinity and NaN become.
constexpr std::uint16_t to_float16(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000);
    const std::uint32_t magnitude = bits & 0x7FFF'FFFF;
    constexpr std::uint32_t rebias = (127 - 15) << 23, largest = 0x7FFF;

    std::uint32_t result = 0;
    if (magnitude >= rebias + (1u << 23)) {
        const std::uint32_t odd = magnitude >> 13 & 1;
        result = (magnitude - rebias + 0xFFF + odd) >> 13;
    } else if (const std::uint32_t exponent = magnitude >> 23; exponent >= 127 - 15 - 10) {
        const std::uint32_t mantissa = (magnitude & 0x7F'FFFF) | 0x80'0000;
        const std::uint32_t shift = 13 + (127 - 15 + 1) - exponent;
        const std::uint32_t odd = mantissa >> shift & 1;
        result = (mantissa + (1u << (shift - 1)) - 1 + odd) >> shift;
    }
    return static_cast<std::uint16_t>(sign | (result < largest ? result : largest));
}

/// Exact.
constexpr float from_float16(std::uint16_t value) {
    const std::uint32_t sign = (value & 0x8000u) << 16;
    const std::uint32_t exponent = value >> 10 & 0x1F, mantissa = value & 0x3FF;
    if (exponent == 0) {
        const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
        return std::bit_cast<float>(std::bit_cast<std::uint32_t>(magnitude) | sign);
    }
    return std::bit_cast<float>(sign | (exponent + 127 - 15) << 23 | mantissa << 13);
}

/// The 16-bit float of other machines, with infinities and NaNs, as `.npy` files hold it.
constexpr float from_ieee_half(std::uint16_t value) {
    if ((value & 0x7C00) != 0x7C00) return from_float16(value);
    return std::bit_cast<float>((value & 0x8000u) << 16 | 0x7F80'0000u | (value & 0x3FFu) << 13);
}

/// Float16_b: the upper half of a float, rounded to nearest even; NaNs stay NaNs and become quiet.
constexpr std::uint16_t to_float16_b(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    if ((bits & 0x7FFF'FFFF) > 0x7F80'0000) return static_cast<std::uint16_t>(bits >> 16 | 0x40);
    return static_cast<std::uint16_t>((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

/// Exact.
constexpr float from_float16_b(std::uint16_t value) { return std::bit_cast<float>(std::uint32_t{value} << 16); }

}  // namespace tessera::tensor
