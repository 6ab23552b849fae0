// SPDX-License-Identifier: Apache-2.0
// Access to the registers of the two NIUs (NoC/MemoryMap, NoC/Counters).
#include "tile/askers.hpp"
#include "tile/device.hpp"

namespace tessera::tile {

Reply load_noc(Devices& devices, const Request& request) {
    const std::uint32_t offset = request.offset(devices.arch);
    const auto value = devices.nius[request.region->index].load(offset);
    if (offset >= noc::offset::counters_begin && offset < noc::offset::counters_end && request.user != User::noc)
        devices.nius.counter_seen(request.by(), request.region->index, (offset - noc::offset::counters_begin) / 4);
    return value ? Reply::of(*value) : Reply::unknown_register();
}

Reply store_noc(Devices& devices, const Request& request, std::uint32_t value) {
    const noc::Origin own{devices.nius.place(), static_cast<std::uint8_t>(request.user), request.pc};
    const auto stored = devices.nius[request.region->index].store(request.offset(devices.arch), value, request.origin ? *request.origin : own, request.at);
    if (!stored.known) return Reply::unknown_register();
    if (!stored.wrong.empty()) return Reply::fail(code_of(stored.wrong), devices.keep(stored.wrong.why));
    if (stored.too_early) devices.note(request, {findings::id("tile.noc-busy"), {request.address}});
    devices.machine.changed();
    return {};
}

}  // namespace tessera::tile
