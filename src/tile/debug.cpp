// SPDX-License-Identifier: Apache-2.0
// Tile control / debug / status registers: plain words, the wall clock, reads of configuration and of arrays, and reset.
#include "tile/debug_pushes.hpp"
#include "tile/device.hpp"
#include "tile/registers.hpp"

namespace tessera::tile {

namespace {

using state::tile_words::debug_register;

constexpr const char* nothing = "no document describes this register";

constexpr std::uint32_t high(Cycle cycle) { return static_cast<std::uint32_t>(cycle >> 32); }

// An access to the low word latches the high one (DebugTimestamper).
Cycle latch_wall_clock(Devices& devices, const Request& request) {
    const Cycle now = devices.time(request);
    devices.tile[debug_register(debug_offset("WALL_CLOCK_H"))] = high(now);
    return now;
}

void disable_features(Devices& devices, const Request& request, std::uint32_t value) {
    using state::cells::upper_dst;
    const std::uint32_t set = value & ~devices.state[state::cells::feature_disable];
    if (set & upper_dst) devices.note(request, {findings::id("tile.upper-dst")});
    if (set & ~upper_dst) devices.note(request, {findings::id("tile.feature-bits"), {set & ~upper_dst}});
    devices.state.write(state::cells::feature_disable, value);
    devices.changed();
}

}  // namespace

Reply load_debug(Devices& devices, const Request& request) {
    const std::uint32_t offset = request.offset(devices.arch);
    const auto* row = debug_register_at(devices.arch, offset);
    if (!row) return Reply::not_modelled(nothing);
    switch (row->kind) {
        case DebugKind::not_modelled: break;
        case DebugKind::word:
        case DebugKind::kept:
        case DebugKind::config_read:
        case DebugKind::push_control:
        case DebugKind::soft_reset: return Reply::of(devices.tile[debug_register(offset)]);
        case DebugKind::wall_clock_latched:
            devices.time(request);
            return Reply::of(devices.tile[debug_register(offset)]);
        case DebugKind::feature_disable: return Reply::of(devices.state[state::cells::feature_disable]);
        case DebugKind::array_data: devices.port().catch_up(); return debug_array(devices, request);
        case DebugKind::core_debugger: return Reply::of(devices.debugger.load(offset));
        case DebugKind::daisychain: return read_daisychain(devices);
        case DebugKind::push_status: return load_push_status(devices);
        case DebugKind::wall_clock: return Reply::of(static_cast<std::uint32_t>(latch_wall_clock(devices, request)));
        case DebugKind::wall_clock_high: return Reply::of(high(devices.time(request)));
    }
    return Reply::unknown_register();
}

Reply store_debug(Devices& devices, const Request& request, std::uint32_t value) {
    const std::uint32_t offset = request.offset(devices.arch);
    const auto* row = debug_register_at(devices.arch, offset);
    if (!row) return Reply::not_modelled(nothing);
    switch (row->kind) {
        case DebugKind::not_modelled: return Reply::unknown_register();
        case DebugKind::kept:
        case DebugKind::array_data:
        case DebugKind::daisychain:
        case DebugKind::push_status:
        case DebugKind::wall_clock_latched:
        case DebugKind::wall_clock_high: return {};
        case DebugKind::feature_disable: disable_features(devices, request, value); return {};
        case DebugKind::wall_clock: latch_wall_clock(devices, request); return {};
        case DebugKind::core_debugger: return devices.debugger.store(request, offset, value);
        case DebugKind::push_control: return store_push_control(devices, request, value);
        case DebugKind::word:
        case DebugKind::config_read:
        case DebugKind::soft_reset: break;
    }
    std::uint32_t& word = devices.tile[debug_register(offset)];
    const std::uint32_t before = word;
    word = value;
    if (row->kind == DebugKind::config_read) {
        devices.port().catch_up();
        devices.tile[debug_register(debug_offset("CFGREG_RDDATA"))] =
            config_word(devices.state, value & 0x7FF).value_or(0);
    }
    if (row->kind == DebugKind::soft_reset) soft_reset(devices, request, before, value);
    devices.changed();
    return {};
}

}  // namespace tessera::tile
