// SPDX-License-Identifier: Apache-2.0
// Words that sums of floats take in each lane. One that the compiler knows it makes of an immediate, with a shuffle each time that no
// register is left for it; these it has to load, which no unit that computes has part in.
#pragma once

#include <cstdint>

namespace tessera::units::matrix {

/// Exponents of products of floats are bytes, larger than a BF16's by this: 1.5 * 2^23 units, the last bits of a product, are a float with
/// such an exponent.
inline constexpr unsigned unit_bits = 13;

/// Which exponents products have, and what they are added to: no sum but 0 then has an exponent of 0 or less, and no float ends.
inline constexpr unsigned least_float_exponent = 26, most_float_exponent = 220;

/// Bits of floats, and of integers.
struct FloatConstants {
    std::uint32_t sign = 0x80000000, exponent = 0x7F800000;
    std::uint32_t half = 1 << 22;  ///< makes 1.5 of 1
    std::uint32_t one = 1;
    std::uint32_t before_least = (least_float_exponent << 23) - 1, most = most_float_exponent << 23;
    std::uint32_t units = unit_bits << 23 | 1 << 22;  ///< and an exponent: 1.5 * 2^36 units of a datum that has it
    std::uint32_t in_units = (277 + unit_bits) << 23 | 1 << 22;  ///< less those: how many units 1 is
    std::uint32_t half_unit = (24 + unit_bits) << 23 | 1 << 22;  ///< those less this: half a unit
    std::uint32_t below_half = 0x3EFFFFFF;                       ///< the float below 0.5
    std::uint32_t twice_below = (1 << 25) - 1;                   ///< an integer above it is twice one of 2^24 or more
    float rounding = 0.5F;
};
[[gnu::visibility("hidden")]] extern const FloatConstants float_constants;

}  // namespace tessera::units::matrix
