// SPDX-License-Identifier: Apache-2.0
// Constants of the packers' vector loops, as loads from memory. The compiler would build known constants from
// immediates with two instructions and a shuffle at each loop entry; loads leave the arithmetic ports free.
#pragma once

#include <array>
#include <cstdint>

namespace tessera::formats {

/// A 16-bit constant, in as many lanes as LoadDup128() takes.
class LaneConstant {
public:
    explicit constexpr LaneConstant(std::uint16_t value) { lanes_.fill(value); }
    const std::uint16_t* data() const { return lanes_.data(); }

private:
    alignas(16) std::array<std::uint16_t, 8> lanes_{};
};

struct LaneConstants {
    LaneConstant magnitude{0x7FFF}, bf16_infinity{0x7F80};
    LaneConstant upper_byte{0xFF00}, lower_byte{0x00FF};
    LaneConstant hidden_bit{0x0100};       ///< of a doubled magnitude
    LaneConstant beyond_power{0x70FF};     ///< saturating addend: sets bit 7 of indices from 16 on, and of lower bytes
    LaneConstant byte_magnitudes{0x7F7F};  ///< of two bytes with signs
};
[[gnu::visibility("hidden")]] extern const LaneConstants lane_constants;

}  // namespace tessera::formats
