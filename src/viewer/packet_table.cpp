// SPDX-License-Identifier: Apache-2.0
#include "viewer/packet_table.hpp"

#include <algorithm>

#include "trace/names.hpp"
#include "viewer/paths.hpp"

namespace tessera::viewer {

const std::string& PacketTable::place_of(const PacketEvent& packet, unsigned asked) {
    const auto [at, added] = known_places_.try_emplace({asked, static_cast<unsigned>(packet.core), packet.pc});
    if (added && asked < places_.tiles()) {
        const Job& job = jobs_.of(asked % places_.columns(), asked / places_.columns());
        at->second = Paths(job).shorten(trace::place_of(job, -1, -1, static_cast<int>(packet.core), packet.pc).place);
    }
    return at->second;
}

Json PacketTable::json(Packer& packer) {
    std::stable_sort(packets_.begin(), packets_.end(), [](const PacketEvent& a, const PacketEvent& b) { return a.sent < b.sent; });
    Texts texts;
    Column<std::uint8_t> noc;
    Column<double> sent, arrived, address;
    Column<std::uint32_t> kind, from, to, bytes, asked_by, core, pc, place, request;
    for (const PacketEvent& packet : packets_) {
        noc.add(static_cast<std::uint8_t>(packet.noc));
        sent.add(static_cast<double>(packet.sent));
        arrived.add(static_cast<double>(packet.arrived));
        address.add(static_cast<double>(packet.address));
        kind.add(texts.number(packet.kind));
        from.add(places_.number(packet.from));
        to.add(places_.number(packet.to));
        bytes.add(packet.bytes);
        const unsigned asked = places_.number(packet.asked_by);
        asked_by.add(asked);
        core.add(texts.number(name(packet.core)));
        pc.add(packet.pc);
        place.add(texts.number(place_of(packet, asked)));
        request.add(packet.request);
    }
    return {{"count", packets_.size()},
            {"texts", packer.pack_json(texts.all())},
            {"noc", noc.json(packer)},
            {"kind", kind.json(packer)},
            {"from", from.json(packer)},
            {"to", to.json(packer)},
            {"sent", sent.json(packer)},
            {"arrived", arrived.json(packer)},
            {"address", address.json(packer)},
            {"bytes", bytes.json(packer)},
            {"asked_by", asked_by.json(packer)},
            {"core", core.json(packer)},
            {"pc", pc.json(packer)},
            {"place", place.json(packer)},
            {"request", request.json(packer)}};
}

}  // namespace tessera::viewer
