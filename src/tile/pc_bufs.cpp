// SPDX-License-Identifier: Apache-2.0
// PCBufs: FIFOs of 16 words from B to each of T0, T1, T2. The override configuration makes reads not wait (PCBufs).
#include "tile/device.hpp"
#include "tile/fifo.hpp"
#include "tile/registers.hpp"

namespace tessera::tile {

namespace {

using namespace state::tile_words;

/// OverrideEn, OverrideBusy and OverrideValue of a PCBuf.
struct Override {
    bool enabled, busy;
    std::uint32_t value;
};
Override override_of(const Devices& devices, unsigned thread) {
    const std::uint32_t bits = devices.tile[debug_register(debug_offset("TRISC_PC_BUF_OVERRIDE"))] >> 10 * thread;
    return {(bits & 1) != 0, (bits & 2) != 0, bits >> 2 & 0xFF};
}

bool t_waits(const Devices& devices, unsigned thread) {
    return devices.waiting[static_cast<std::size_t>(User::t0) + thread].what() == WaitFor::pc_buf_value;
}

}  // namespace

bool override_busy(const Devices& devices, unsigned thread) {
    const auto configured = override_of(devices, thread);
    return configured.enabled && configured.busy;
}

Reply load_pc_buf(Devices& devices, const Request& request) {
    const unsigned thread = request.region->index;
    if (override_busy(devices, thread)) return Reply::of(0);
    if (devices.tile[pc_buf_count[thread]] == 0 && t_waits(devices, thread) &&
        devices.port().idle(request.by(), thread))
        return Reply::of(0);
    return Reply::wait(WaitFor::pc_buf_done, thread);
}

Reply store_pc_buf(Devices& devices, const Request& request, std::uint32_t value) {
    const unsigned thread = request.region->index;
    std::uint32_t& count = devices.tile[pc_buf_count[thread]];
    if (count >= pc_buf_entries) return Reply::wait(WaitFor::pc_buf_room, thread);
    devices.tile[pc_buf_entry(thread, count++)] = value;
    devices.changed();
    return {};
}

Reply load_own_pc_buf(Devices& devices, const Request& request) {
    const unsigned thread = request.thread();
    std::uint32_t& count = devices.tile[pc_buf_count[thread]];
    if (count == 0) {
        const auto configured = override_of(devices, thread);
        if (configured.enabled) return Reply::of(configured.value);
        return Reply::wait(WaitFor::pc_buf_value, thread);
    }
    const std::uint32_t value = take_oldest(devices.tile, pc_buf_entry(thread, 0), pc_buf_entries, count);
    devices.changed();
    return Reply::of(value);
}

}  // namespace tessera::tile
