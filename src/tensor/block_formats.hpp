// SPDX-License-Identifier: Apache-2.0
// Sixteen values between float and a block format: a shared exponent, and sign and magnitude of each.
#pragma once

#include <array>
#include <cstdint>

#include "tessera/data_format.hpp"

namespace tessera::tensor {

struct Block {
    std::uint8_t exponent = 0;
    std::array<std::uint8_t, 16> datums{};  ///< a sign above a magnitude of 7, 3 or 1 bits
};

/// The shared exponent is the largest; magnitudes lose the bits that the difference of exponents shifts out, and are then
/// rounded to nearest even, up to the largest magnitude.
Block to_block(const std::array<float, 16>& values, DataFormat format);

std::array<float, 16> from_block(const Block& block, DataFormat format);

}  // namespace tessera::tensor
