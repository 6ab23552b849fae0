// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "util/golden_ratio.hpp"

namespace tessera::util {

/// Another number for each number, as good as random (SplitMix64).
constexpr std::uint64_t split_mix(std::uint64_t bits) {
    bits += golden_ratio;
    bits = (bits ^ bits >> 30) * 0xBF58'476D'1CE4'E5B9;
    bits = (bits ^ bits >> 27) * 0x94D0'49BB'1331'11EB;
    return bits ^ bits >> 31;
}

}  // namespace tessera::util
