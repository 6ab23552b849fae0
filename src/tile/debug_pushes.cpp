// SPDX-License-Identifier: Apache-2.0
#include "tile/debug_pushes.hpp"

namespace tessera::tile {

namespace {

constexpr unsigned pushed_word = state::tile_words::debug_register(debug_offset("INSTRN_BUF_CTRL1"));
constexpr unsigned first_push = 4, first_empty = 4;  ///< bits of CTRL0, and of STATUS

}  // namespace

Reply load_push_status(Devices& devices) {
    std::uint32_t status = 0;
    for (unsigned t = 0; t < state::threads; ++t) {
        const engine::Port::Fifo fifo = devices.port().fifo(t);
        status |= std::uint32_t{!fifo.full} << t | std::uint32_t{fifo.empty} << (first_empty + t);
    }
    return Reply::of(status);
}

Reply store_push_control(Devices& devices, const Request& request, std::uint32_t value) {
    const std::uint32_t rises = (value & ~devices.tile[debug_push_control]) >> first_push;
    devices.tile[debug_push_control] = value & 0xFF;
    for (unsigned t = 0; t < state::threads; ++t) {
        if (!(rises >> t & 1) || !has_debug_bus_control(devices, t)) continue;
        if (!devices.port().push_by_debug_bus(devices.asker_of(request), t, devices.tile[pushed_word]))
            return Reply::not_modelled("of a push onto a full FIFO, no document says what comes of it");
    }
    devices.changed();
    return {};
}

}  // namespace tessera::tile
