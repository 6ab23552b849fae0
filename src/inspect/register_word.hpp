// SPDX-License-Identifier: Apache-2.0
// Bounds of configuration words.
#pragma once

#include <cstdint>

#include "tessera/registers.hpp"

namespace tessera::inspect {

/// The largest value of a word. Those of thread configuration have 16 bits.
constexpr std::uint32_t largest_word(RegisterSpace space) {
    return space == RegisterSpace::thread ? UINT16_MAX : UINT32_MAX;
}

}  // namespace tessera::inspect
