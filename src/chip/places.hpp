// SPDX-License-Identifier: Apache-2.0
// A tile's place and a packet, in the public headers and in the NoC.
#pragma once

#include "noc/layout.hpp"
#include "noc/packet.hpp"
#include "tessera/chip.hpp"

namespace tessera::chip {

inline NocPlace public_place(noc::Place place) { return {place.x, place.y}; }
inline noc::Place inner_place(NocPlace place) { return {static_cast<std::uint8_t>(place.x), static_cast<std::uint8_t>(place.y)}; }

/// A packet as users are told of it.
inline PacketEvent packet_event(const noc::Packet& packet, noc::Place to, noc::Cycle sent, noc::Cycle arrived) {
    return {packet.noc,
            name(packet.kind),
            public_place(packet.source),
            public_place(to),
            sent,
            arrived,
            packet.address,
            packet.length,
            public_place(packet.origin.tile),
            RiscvCore(packet.origin.core),
            packet.origin.pc,
            packet.request};
}

}  // namespace tessera::chip
