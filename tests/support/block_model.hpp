// SPDX-License-Identifier: Apache-2.0
// A literal model of block formats, one value at a time: to_bytes() and from_bytes() with the host's rounding.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "tessera/data_format.hpp"

namespace tessera::test {

struct Block {
    std::uint8_t exponent = 0;
    std::array<std::uint8_t, 16> datums{};  ///< a sign above a magnitude of 7, 3 or 1 bits
};

/// The shared exponent is the largest, or the one given.
Block to_block(const std::array<float, 16>& values, DataFormat format, std::optional<std::uint8_t> exponent = {});

float from_block(std::uint8_t datum, std::uint8_t exponent, DataFormat format);

}  // namespace tessera::test
