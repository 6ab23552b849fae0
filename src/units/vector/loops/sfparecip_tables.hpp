// SPDX-License-Identifier: Apache-2.0
// The tables of SFPARECIP (its page; spec-notes V36), computed by rule.
#pragma once

#include <array>
#include <cstdint>

namespace tessera::units::vector {

/// Mantissas of 7 bits of 1 / x, by the upper 7 mantissa bits of x: for the middle of the interval, to nearest.
inline constexpr auto reciprocals = [] {
    std::array<std::uint32_t, 128> table{};
    for (std::uint32_t i = 0; i < table.size(); ++i) {
        const std::uint32_t twice = 2 * i + 257;  // 256 times the middle
        table[i] = (2 * 65536 - 255 * twice) / (2 * twice);
    }
    return table;
}();

/// Upper halves of FP32 numbers: the range of the table of exponentials, and the first entry whose result is 2 or
/// more.
inline constexpr std::uint32_t first_exponential = 0x3C80, first_above_2 = 0x3F32, end_of_exponentials = 0x4000;

namespace detail {

// The series is exact enough below 2: no entry is within 1e-6 of its neighbour.
constexpr double exponential(double x) {
    double sum = 1, term = 1;
    for (int i = 1; i < 40; ++i) sum += term *= x / i;
    return sum;
}

// The number with this upper half; exponents from 2^-6 to 2^0.
constexpr double number(std::uint32_t upper_half) {
    double x = 128 + (upper_half & 0x7F);
    for (std::uint32_t exponent = upper_half >> 7; exponent < 127 + 7; ++exponent) x /= 2;
    return x;
}

}  // namespace detail

/// Mantissas of 7 bits of e^x, truncated; from 4 on they include a bit of the exponent.
inline constexpr auto exponentials = [] {
    std::array<std::uint32_t, end_of_exponentials - first_exponential> table{};
    for (std::uint32_t i = 0; i < table.size(); ++i) {
        const double y = detail::exponential(detail::number(first_exponential + i));
        const bool above_2 = first_exponential + i >= first_above_2;
        table[i] = static_cast<std::uint32_t>(!above_2 ? (y - 1) * 128
                                              : y < 4  ? (y / 2 - 1) * 128
                                                       : (y / 4 - 1) * 128 + 128);
    }
    return table;
}();

}  // namespace tessera::units::vector
