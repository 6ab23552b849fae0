// SPDX-License-Identifier: Apache-2.0
// Pushes of Tensix instructions by the debug registers INSTRN_BUF_CTRL0 and CTRL1, and the status of the FIFOs that they go to
// (PushTensixInstruction, Debug registers).
#include "tile/device.hpp"
#include "tile/registers.hpp"

namespace tessera::tile {

namespace {

constexpr std::uint32_t control = state::tile_words::debug_register(debug_offset("INSTRN_BUF_CTRL0")),
                        word = state::tile_words::debug_register(debug_offset("INSTRN_BUF_CTRL1"));
constexpr unsigned first_push = 4, first_empty = 4;  ///< bits of CTRL0, and of STATUS

}  // namespace

bool has_debug_bus_control(const Devices& devices, unsigned thread) { return devices.tile[control] >> thread & 1; }

Reply load_push_status(Devices& devices) {
    std::uint32_t status = 0;
    for (unsigned t = 0; t < state::threads; ++t) {
        const engine::Port::Fifo fifo = devices.port().fifo(t);
        status |= std::uint32_t{!fifo.full} << t | std::uint32_t{fifo.empty} << (first_empty + t);
    }
    return Reply::of(status);
}

Reply store_push_control(Devices& devices, const Request& request, std::uint32_t value) {
    const std::uint32_t rises = (value & ~devices.tile[control]) >> first_push;
    devices.tile[control] = value & 0xFF;
    for (unsigned t = 0; t < state::threads; ++t) {
        if (!(rises >> t & 1) || !has_debug_bus_control(devices, t)) continue;
        if (!devices.port().push_by_debug_bus(devices.asker_of(request), t, devices.tile[word]))
            return Reply::not_modelled("of a push onto a full FIFO, no document says what comes of it");
    }
    devices.changed();
    return {};
}

}  // namespace tessera::tile
