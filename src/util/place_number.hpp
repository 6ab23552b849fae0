// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>

namespace tessera::util {

/// One number for a place in a grid of at most 256 columns and rows; it differs for each place.
constexpr std::uint16_t place_number(unsigned x, unsigned y) { return static_cast<std::uint16_t>(x | y << 8); }

/// The x and y of such a number.
constexpr std::pair<std::uint8_t, std::uint8_t> place_of_number(std::uint16_t number) {
    return {static_cast<std::uint8_t>(number), static_cast<std::uint8_t>(number >> 8)};
}

}  // namespace tessera::util
