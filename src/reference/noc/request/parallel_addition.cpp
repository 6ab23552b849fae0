// SPDX-License-Identifier: Apache-2.0
#include "reference/noc/request/parallel_addition.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>

#include "reference/noc/bits.hpp"

namespace tessera::reference::noc {

namespace {

/// One lane of a parallel addition of floats. The page says that denormals are flushed; how a sum is rounded, the sign
/// of a flushed zero, infinities and NaN it leaves open. Empty: the sum depends on one of these.
std::optional<std::uint32_t> add_floats(std::uint32_t a, std::uint32_t b, unsigned exponent_bits,
                                        unsigned mantissa_bits) {
    const std::uint32_t special = (1u << exponent_bits) - 1;
    const int bias = static_cast<int>(special >> 1);
    double addend[2];
    bool negative_zero = false;
    for (int n = 0; n < 2; ++n) {
        const std::uint32_t value = n ? b : a;
        const std::uint32_t exponent = bits(value, mantissa_bits, exponent_bits);
        const bool negative = bit(value, mantissa_bits + exponent_bits);
        if (exponent == special) return {};
        const std::uint32_t mantissa = exponent ? bits(value, 0, mantissa_bits) | 1u << mantissa_bits : 0;
        negative_zero |= negative && !exponent;
        addend[n] = std::ldexp(mantissa, static_cast<int>(exponent) - bias - static_cast<int>(mantissa_bits));
        if (negative) addend[n] = -addend[n];
    }
    const double sum = addend[0] + addend[1], second = sum - addend[0];
    if ((addend[0] - (sum - second)) + (addend[1] - second) != 0) return {};
    if (sum == 0) return negative_zero ? std::nullopt : std::optional<std::uint32_t>(0);
    int exponent = 0;
    const double mantissa = std::ldexp(std::frexp(std::abs(sum), &exponent), static_cast<int>(mantissa_bits) + 1);
    exponent += bias - 1;
    if (exponent <= 0) return sum < 0 ? std::nullopt : std::optional<std::uint32_t>(0);
    if (mantissa != std::floor(mantissa) || exponent >= static_cast<int>(special)) return {};
    const std::uint32_t sign = sum < 0 ? 1u << (mantissa_bits + exponent_bits) : 0;
    return sign | static_cast<std::uint32_t>(exponent) << mantissa_bits |
           bits(static_cast<std::uint32_t>(mantissa), 0, mantissa_bits);
}

/// Adds in lanes of some bytes. False: one of the sums is not defined.
template <typename Add>
bool add_lanes(Line& line, std::size_t size, std::uint32_t AT_DATA, Add&& add) {
    std::array<std::uint8_t, 4> data{};
    write_bytes(data, AT_DATA);
    for (std::size_t at = 0; at < line.size(); at += size) {
        const auto lane = std::span(line).subspan(at, size);
        const std::optional<std::uint32_t> sum =
            add(read_bytes(lane), read_bytes(std::span(data).subspan(at % 4, size)));
        if (!sum) return false;
        write_bytes(lane, *sum);
    }
    return true;
}

}  // namespace

Checked<> add_in_parallel(Line& line, std::uint32_t Fmt, std::uint32_t AT_DATA) {
    const auto wrap = [](std::uint32_t a, std::uint32_t b) { return std::optional(a + b); };
    const auto saturate = [](std::uint32_t a, std::uint32_t b) { return std::optional(std::min(a + b, 0xFFu)); };
    const auto floats = [](unsigned exponent, unsigned mantissa) {
        return [=](std::uint32_t a, std::uint32_t b) { return add_floats(a, b, exponent, mantissa); };
    };
    bool defined = true;
    switch (Fmt) {
        case 0:
        case 8: defined = add_lanes(line, 4, AT_DATA, floats(8, 23)); break;
        case 1:
        case 9: defined = add_lanes(line, 2, AT_DATA, floats(5, 10)); break;
        case 2:
        case 10: defined = add_lanes(line, 2, AT_DATA, floats(8, 7)); break;
        case 4:
        case 12:
        case 13: add_lanes(line, 4, AT_DATA, wrap); break;
        case 7: add_lanes(line, 1, AT_DATA, saturate); break;
        case 15: add_lanes(line, 1, AT_DATA, wrap); break;
        default: return refuse("the page lists no parallel addition with Fmt " + std::to_string(Fmt));
    }
    if (!defined)
        return refuse("the page does not say how a parallel addition rounds, nor its zeros, infinities and NaN");
    return {};
}

}  // namespace tessera::reference::noc
