// SPDX-License-Identifier: Apache-2.0
// Pushes of Tensix instructions by the debug registers INSTRN_BUF_CTRL0 and CTRL1, and the status of the FIFOs that they go to
// (PushTensixInstruction, Debug registers).
#pragma once

#include "tile/device.hpp"
#include "tile/registers.hpp"

namespace tessera::tile {

/// INSTRN_BUF_CTRL0, among the tile's words.
inline constexpr unsigned debug_push_control = state::tile_words::debug_register(debug_offset("INSTRN_BUF_CTRL0"));

/// Whether INSTRN_BUF_CTRL0 keeps cores from pushing to the thread. Each push asks.
inline bool has_debug_bus_control(const Devices& devices, unsigned thread) {
    return devices.tile[debug_push_control] >> thread & 1;
}
/// The value of INSTRN_BUF_STATUS.
Reply load_push_status(Devices& devices);
/// A store to INSTRN_BUF_CTRL0.
Reply store_push_control(Devices& devices, const Request& request, std::uint32_t value);

}  // namespace tessera::tile
