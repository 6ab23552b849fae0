// SPDX-License-Identifier: Apache-2.0
// Access to the registers of the two NIUs (NoC/MemoryMap, NoC/Counters).
#include "tile/askers.hpp"
#include "tile/device.hpp"

namespace tessera::tile {

namespace {

/// Of an initiator's register; empty: nothing is wrong.
std::string_view text(noc::Niu::Misuse misuse) {
    using Misuse = noc::Niu::Misuse;
    switch (misuse) {
        case Misuse::none: return {};
        case Misuse::too_early: return "belongs to a request initiator whose request has not begun yet";
        case Misuse::in_split: break;
    }
    return "gets a command before a request of several packets has left another initiator of its NIU; Tessera does both in turn";
}

}  // namespace

Reply load_noc(Devices& devices, const Request& request) {
    const unsigned which = request.region->index;
    const std::uint32_t offset = request.offset(devices.arch);
    // Before the load, which takes the bit of rtz_num.
    const std::uint32_t returned = devices.nius[which].returned_to_zero();
    const auto value = devices.nius[which].load(offset);
    if (!value) return Reply::unknown_register();
    if (request.user == User::noc) return Reply::of(*value);
    if (const auto counter = noc::counter_at(offset)) devices.nius.counter_seen(request.by(), which, *counter);
    if (offset == noc::offset::rtz_source) devices.nius.returned_to_zero_seen(request.by(), which, *value);
    if (offset == noc::offset::rtz_num) devices.nius.returned_to_zero_seen(request.by(), which, returned & 1u << *value);
    return Reply::of(*value);
}

Reply store_noc(Devices& devices, const Request& request, std::uint32_t value) {
    const noc::Origin own{devices.nius.place(), static_cast<std::uint8_t>(request.user), request.pc};
    const auto stored = devices.nius[request.region->index].store(request.offset(devices.arch), value, request.origin ? *request.origin : own, request.at);
    if (!stored.known) return Reply::unknown_register();
    if (!stored.wrong.empty()) return Reply::fail(code_of(stored.wrong), devices.keep(stored.wrong.why));
    if (const std::string_view why = text(stored.misuse); !why.empty())
        devices.note(request, {findings::id("tile.noc-busy"), {request.address}, why});
    devices.changed();
    return {};
}

}  // namespace tessera::tile
