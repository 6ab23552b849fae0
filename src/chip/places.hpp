// SPDX-License-Identifier: Apache-2.0
// A tile's place in the public headers, and among packets.
#pragma once

#include "noc/layout.hpp"
#include "tessera/chip.hpp"

namespace tessera::chip {

inline NocPlace public_place(noc::Place place) { return {place.x, place.y}; }
inline noc::Place inner_place(NocPlace place) { return {static_cast<std::uint8_t>(place.x), static_cast<std::uint8_t>(place.y)}; }

}  // namespace tessera::chip
