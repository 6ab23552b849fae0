// SPDX-License-Identifier: Apache-2.0
// Converts single values between float and Tensix floating-point formats.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "formats/layouts.hpp"

namespace tessera::tensor {

/// A small Tensix float: no infinity and no NaN, so the largest exponent is an ordinary binade. Infinity, NaN and
/// values beyond the range become the largest magnitude (all ones). Rounds to nearest even.
template <unsigned ExponentBits, unsigned MantissaBits>
constexpr std::uint32_t to_small_float(float value) {
    constexpr std::uint32_t bias = (1u << (ExponentBits - 1)) - 1, drop = 23 - MantissaBits;
    constexpr std::uint32_t rebias = (127 - bias) << 23, largest = (1u << (ExponentBits + MantissaBits)) - 1;
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t sign = bits >> 31 << (ExponentBits + MantissaBits);
    const std::uint32_t magnitude = bits & 0x7FFF'FFFF;

    std::uint32_t result = 0;
    if (magnitude >= rebias + (1u << 23)) {
        const std::uint32_t odd = magnitude >> drop & 1;
        result = (magnitude - rebias + (1u << (drop - 1)) - 1 + odd) >> drop;
    } else if (const std::uint32_t exponent = magnitude >> 23; exponent >= 127 - bias - MantissaBits) {
        const std::uint32_t mantissa = (magnitude & 0x7F'FFFF) | 0x80'0000;
        const std::uint32_t shift = drop + (127 - bias + 1) - exponent;
        const std::uint32_t odd = mantissa >> shift & 1;
        result = (mantissa + (1u << (shift - 1)) - 1 + odd) >> shift;
    }
    return sign | std::min(result, largest);
}

/// Exact.
template <unsigned ExponentBits, unsigned MantissaBits>
constexpr float from_small_float(std::uint32_t value) {
    constexpr std::uint32_t bias = (1u << (ExponentBits - 1)) - 1, drop = 23 - MantissaBits;
    const std::uint32_t sign = value >> (ExponentBits + MantissaBits) << 31;
    const std::uint32_t magnitude = value & ((1u << (ExponentBits + MantissaBits)) - 1);
    if (magnitude >> MantissaBits == 0) {
        constexpr auto unit = std::bit_cast<float>((127 - bias + 1 - MantissaBits) << 23);
        return std::bit_cast<float>(std::bit_cast<std::uint32_t>(static_cast<float>(magnitude) * unit) | sign);
    }
    return std::bit_cast<float>(sign | ((magnitude << drop) + ((127 - bias) << 23)));
}

constexpr std::uint32_t to_float16(float value) { return to_small_float<5, 10>(value); }
constexpr float from_float16(std::uint32_t value) { return from_small_float<5, 10>(value); }

/// IEEE half precision, with infinities and NaNs, as in `.npy` files.
constexpr float from_ieee_half(std::uint16_t value) {
    if ((value & 0x7C00) != 0x7C00) return from_float16(value);
    return std::bit_cast<float>((value & 0x8000u) << 16 | 0x7F80'0000u | (value & 0x3FFu) << 13);
}

/// Drops low bits, rounding to nearest even; NaNs become quiet NaNs.
template <unsigned Drop>
constexpr std::uint32_t without_low_bits(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    if ((bits & 0x7FFF'FFFF) > 0x7F80'0000) return (bits | 0x40'0000) >> Drop;
    return (bits + (1u << (Drop - 1)) - 1 + (bits >> Drop & 1)) >> Drop;
}

/// Float32: its own bits.
constexpr std::uint32_t to_float32(float value) { return std::bit_cast<std::uint32_t>(value); }
constexpr float from_float32(std::uint32_t bits) { return std::bit_cast<float>(bits); }

/// Float16_b: the upper half of a float.
constexpr std::uint32_t to_float16_b(float value) { return without_low_bits<16>(value); }
constexpr float from_float16_b(std::uint32_t value) { return std::bit_cast<float>(value << 16); }

/// Tf32 in L1: a float whose low 13 bits are 0.
constexpr std::uint32_t to_tf32(float value) { return without_low_bits<13>(value) << 13; }

/// As packers convert FP32 late (formats/pack_late.cpp): truncated.
constexpr std::uint32_t late_float16(float value) { return formats::fp16_from_fp32(to_float32(value)); }
constexpr std::uint32_t late_lf8(float value) { return late_float16(value) >> 8; }
constexpr std::uint32_t late_float16_b(float value) {
    const std::uint32_t bits = to_float32(value);
    return bits & 0x7F80'0000 ? bits >> 16 : 0;
}

}  // namespace tessera::tensor
