// SPDX-License-Identifier: Apache-2.0
#include "noc/request_packets.hpp"

#include <algorithm>

#include "noc/coordinates.hpp"
#include "noc/routes.hpp"

namespace tessera::noc {

std::uint32_t packets_of(const Layout& chip, const Request& request) {
    if (request.is_atomic() || request.is_inline() || request.has_byte_enables()) return 1;
    return request.length() / chip.packet_bytes + (request.length() % chip.packet_bytes ? 1 : 0);
}

Packet packet_of(const NiuSite& site, const Request& request, const Places& places, const Origin& origin) {
    const auto place = [&](Coordinates at) { return *place_of(site.chip, site.noc, at.x(), at.y()); };
    Packet packet;
    packet.noc = static_cast<std::uint8_t>(site.noc);
    packet.posted = request.posted();
    packet.transaction = request.transaction();
    packet.source = site.place;
    packet.origin = origin;
    packet.operands = request.length();
    packet.word = request.data();
    const Coordinates goes_to = request.goes_to_answer() ? places.answer : places.target;
    if (request.broadcast()) {
        packet.broadcast = true;
        packet.rectangle = *rectangle_of(site.chip, site.noc, goes_to);
        packet.rectangle.y_major = request.control() & ctrl::y_major;
        packet.rectangle.include_source = request.control() & ctrl::include_source;
        if (site.chip.arch == Arch::blackhole) packet.rectangle.exclude = request.word(offset::brcst_exclude);
        packet.to = packet.rectangle.last;
    } else {
        packet.to = place(goes_to);
    }
    // A broadcast is for Tensix tiles, even if another one is in a corner of its rectangle.
    const TileKind goes_to_kind = request.broadcast() ? TileKind::tensix : site.chip.kind(packet.to);
    packet.address = local_address(site.chip.arch, goes_to_kind, request.goes_to_answer() ? request.answer() : request.target());
    packet.answer_to = site.place;
    if (request.is_atomic()) {
        packet.kind = Packet::Kind::atomic;
    } else if (request.is_inline()) {
        packet.kind = Packet::Kind::write_word;
    } else {
        packet.kind = request.is_read() ? Packet::Kind::read : Packet::Kind::write;
        packet.length = std::min(request.length(), site.chip.packet_bytes);
    }
    if (request.is_read() || (request.is_atomic() && !packet.posted)) {
        packet.answer_to = place(places.answer);
        packet.answer_address = local_address(site.chip.arch, site.chip.kind(packet.answer_to), request.answer());
    } else if (request.goes_to_answer() && !packet.posted) {
        packet.answer_to = place(places.target);
    }
    if (request.stores_header()) packet.header_address = std::uint64_t{packet.word} << 4;
    return packet;
}

bool goes_to_register(const Layout& chip, const Packet& packet) {
    // The last tile of a broadcast's rectangle need not be one of its receivers, which are Tensix tiles.
    return is_register(packet.broadcast ? TileKind::tensix : chip.kind(packet.to), packet.address);
}

std::uint32_t output_ports(const NiuSite& site, const Packet& packet) {
    constexpr std::uint32_t here = 1, y = 2, x = 4;
    if (packet.broadcast) {
        const auto step = BroadcastRoute(site.chip, site.noc, site.place, packet.rectangle).step({site.place});
        return (step.here && packet.rectangle.include_source ? here : 0) | (step.onward[0] ? x : 0) | (step.onward[1] ? y : 0);
    }
    if (packet.to == site.place) return here;
    return way_out(site.chip, site.noc, site.place, packet.to) == Axis::x ? x : y;
}

}  // namespace tessera::noc
