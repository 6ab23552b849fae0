// SPDX-License-Identifier: Apache-2.0
// Converts single values between integers and Tensix integer formats, with saturation.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace tessera::tensor {

/// Rounds to nearest even; NaN becomes 0. The result saturates beyond every format's range.
inline std::int64_t to_integer(float value) {
    constexpr float beyond = 0x1p40f;
    if (std::isnan(value)) return 0;
    return static_cast<std::int64_t>(std::nearbyint(std::clamp(value, -beyond, beyond)));
}

/// Two's complement or unsigned.
template <class Integer>
constexpr std::uint32_t to_plain_integer(std::int64_t value) {
    using Limits = std::numeric_limits<Integer>;
    const auto clamped = std::clamp<std::int64_t>(value, Limits::min(), Limits::max());
    return static_cast<std::uint32_t>(static_cast<Integer>(clamped));
}
template <class Integer>
constexpr std::common_type_t<Integer, std::int32_t> from_plain_integer(std::uint32_t bits) {
    return static_cast<Integer>(bits);
}

/// Int8: a sign and seven bits of magnitude, as unpackers read it.
constexpr std::uint32_t to_sign_magnitude(std::int64_t value) {
    const auto clamped = std::clamp<std::int64_t>(value, -127, 127);
    return static_cast<std::uint32_t>(clamped < 0 ? 0x80 - clamped : clamped);
}
constexpr std::int32_t from_sign_magnitude(std::uint32_t bits) {
    const auto magnitude = static_cast<std::int32_t>(bits & 0x7F);
    return bits & 0x80 ? -magnitude : magnitude;
}

}  // namespace tessera::tensor
