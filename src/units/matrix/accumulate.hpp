// SPDX-License-Identifier: Apache-2.0
// The matrix unit's common last stage: terms onto Dst (docs/numerics.md 3). Integers only.
#pragma once

#include <bit>
#include <cstdint>

namespace tessera::units::matrix {

/// A product or sum on its way into Dst: sign, exponent, mantissa with bit 23 worth 1.0.
struct Term {
    std::uint32_t sign = 0;
    std::int32_t exponent = 0;
    std::int32_t mantissa = 0;
};

/// How Dst takes a result.
struct Accumulator {
    bool acc32;            ///< 32-bit Dst
    bool wide_exponent;    ///< class E8, else E5
    bool renormalise_bug;  ///< Wormhole: a leading-sign miscount for a sum of exactly -1 unit
};

/// `term` plus `d`, which is Dst's old value as FP32 fields, rounded as Dst takes it; the result in the same form.
constexpr std::uint32_t accumulate(const Term& term, std::uint32_t d, const Accumulator& how) {
    const auto d_sign = static_cast<std::int32_t>(d >> 31);
    const auto d_exponent = static_cast<std::int32_t>(d >> 23 & 255);
    std::int32_t d_mantissa = d_exponent ? static_cast<std::int32_t>(d & 0x7FFFFF) | 1 << 23 : 0;

    std::int32_t exponent = term.exponent > d_exponent ? term.exponent : d_exponent;
    if (exponent <= 0) return 0;

    // Alignment: a tie goes up in magnitude, except for negative terms.
    std::int32_t t = term.mantissa;
    if (const int shift = exponent - term.exponent; shift > 0)
        t = shift < 31 ? (t + (1 << (shift - 1)) - static_cast<std::int32_t>(term.sign)) >> shift : 0;
    if (const int shift = exponent - d_exponent; shift > 0)
        d_mantissa = shift < 31 ? (d_mantissa + (1 << (shift - 1))) >> shift : 0;
    if (!how.acc32) {
        t = (t + 4096 - static_cast<std::int32_t>(term.sign)) & ~8191;
        d_mantissa = (d_mantissa + 4096) & ~8191;
    }

    std::uint32_t sign = static_cast<std::uint32_t>(d_sign);
    std::int32_t sum = d_mantissa + (term.sign == sign ? t : -t);
    if (sum < 0) {
        sum = -sum;
        sign ^= 1;
    }
    if (sum == 0) return 0;

    auto magnitude = static_cast<std::uint32_t>(sum);
    int shift = std::countl_zero(magnitude) - 8;
    if (how.renormalise_bug && sign && magnitude == 1) shift -= 27;
    exponent -= shift;
    const int drop = how.acc32 ? 0 : how.wide_exponent ? 16 : 13;
    shift -= drop;
    if (shift < 0)
        magnitude = (magnitude + (1u << (-shift - 1))) >> -shift;
    else
        magnitude <<= shift;
    magnitude <<= drop;
    if (magnitude & 1u << 24) ++exponent;
    const std::uint32_t fraction = magnitude & 0x7FFFFF;

    if (exponent <= 0) return 0;
    if (how.acc32 || how.wide_exponent) {
        if (exponent >= 255) return sign << 31 | 0x7F800000;
    } else if (exponent >= 32) {
        return sign << 31 | 31u << 23 | 0x3FFu << 13;
    }
    return sign << 31 | static_cast<std::uint32_t>(exponent) << 23 | fraction;
}

}  // namespace tessera::units::matrix
