// SPDX-License-Identifier: Apache-2.0
// Stochastic rounding: rounds up if that many random bits are not larger than the dropped bits. It has the slight
// upward bias that the pages mention, even for numbers that need no rounding (spec-notes E35).
#pragma once

#include "util/shift_register.hpp"

namespace tessera::formats {

/// `dropped` has `bits` bits, 1 to 31; the generator makes a step.
constexpr bool rounds_up(std::uint32_t dropped, unsigned bits, std::uint32_t& random) {
    random = next_random(random);
    return dropped >= random >> (32 - bits);
}

}  // namespace tessera::formats
