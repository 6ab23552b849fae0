// SPDX-License-Identifier: Apache-2.0
// Mailboxes: FIFOs of four words from each of B, T0, T1, T2 to each of them (Mailboxes).
#include "tile/device.hpp"
#include "tile/fifo.hpp"

namespace tessera::tile {

namespace {

using namespace state::tile_words;

constexpr std::uint32_t query = 4;  ///< address bit of a load that asks whether a value is there

}  // namespace

Reply load_mailbox(Devices& devices, const Request& request) {
    const unsigned from = request.region->index, to = static_cast<unsigned>(request.user);
    std::uint32_t& count = devices.tile[mailbox_size(from, to)];
    if (request.address & query) return Reply::of(count != 0);
    if (count == 0) return Reply::wait(WaitFor::mailbox_value, from);
    const std::uint32_t value = take_oldest(devices.tile, mailbox_entry(from, to, 0), mailbox_entries, count);
    devices.changed();
    return Reply::of(value);
}

// A core's four mailboxes together hold at most four words as well.
Reply store_mailbox(Devices& devices, const Request& request, std::uint32_t value) {
    const unsigned from = static_cast<unsigned>(request.user), to = request.region->index;
    const auto held = [&](unsigned reader) { return devices.tile[mailbox_size(from, reader)]; };
    std::uint32_t all = 0;
    unsigned fullest = 0;
    for (unsigned i = 0; i < mailbox_cores; ++i) {
        all += held(i);
        if (held(i) > held(fullest)) fullest = i;
    }
    if (all >= mailbox_entries) return Reply::wait(WaitFor::mailbox_room, fullest);
    std::uint32_t& count = devices.tile[mailbox_size(from, to)];
    devices.tile[mailbox_entry(from, to, count++)] = value;
    devices.changed();
    return {};
}

}  // namespace tessera::tile
