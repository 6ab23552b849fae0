// SPDX-License-Identifier: Apache-2.0
// Constants of float sums, one per lane, as loads from memory. The compiler would build known constants from
// immediates with a shuffle whenever registers run out; loads leave the arithmetic ports free.
#pragma once

#include <cstdint>

namespace tessera::units::matrix {

/// Exponents of float products are bytes, offset by this from BF16's. A float with such an exponent is 1.5 * 2^23
/// units, and a unit is the product's last bit.
inline constexpr unsigned unit_bits = 13;

/// Range of product exponents, and of the exponents they are added to. Within it sums neither underflow nor overflow.
inline constexpr unsigned least_float_exponent = 26, most_float_exponent = 220;

/// Bit patterns of floats, and of integers.
struct FloatConstants {
    std::uint32_t sign = 0x80000000, exponent = 0x7F800000;
    std::uint32_t half = 1 << 22;  ///< turns 1 into 1.5
    std::uint32_t one = 1;
    std::uint32_t before_least = (least_float_exponent << 23) - 1, most = most_float_exponent << 23;
    std::uint32_t units = unit_bits << 23 | 1 << 22;  ///< plus an exponent: 1.5 * 2^36 units of a datum with it
    std::uint32_t in_units = (277 + unit_bits) << 23 | 1 << 22;  ///< minus those: 1 in units
    std::uint32_t half_unit = (24 + unit_bits) << 23 | 1 << 22;  ///< those minus this: half a unit
    std::uint32_t below_half = 0x3EFFFFFF;                       ///< the float below 0.5
    std::uint32_t twice_below = (1 << 25) - 1;                   ///< larger integers are twice one of 2^24 or more
    float rounding = 0.5F;
};
[[gnu::visibility("hidden")]] extern const FloatConstants float_constants;

}  // namespace tessera::units::matrix
