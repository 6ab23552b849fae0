// SPDX-License-Identifier: Apache-2.0
// Sixteen values between float and a block format: a shared exponent, and sign and magnitude of each.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "tessera/data_format.hpp"

namespace tessera::tensor {

struct Block {
    std::uint8_t exponent = 0;
    std::array<std::uint8_t, 16> datums{};  ///< a sign above a magnitude of 7, 3 or 1 bits
};

/// The shared exponent is the largest, or the one given; magnitudes lose the bits that the difference of exponents shifts
/// out, and are then rounded to nearest even, up to the largest magnitude, which what is larger becomes too.
Block to_block(const std::array<float, 16>& values, DataFormat format, std::optional<std::uint8_t> exponent = {});

float from_block(std::uint8_t datum, std::uint8_t exponent, DataFormat format);

}  // namespace tessera::tensor
