// SPDX-License-Identifier: Apache-2.0
// Requests over the NoC, as the hazard checker identifies them.
#pragma once

#include "hazards/noc_knowledge.hpp"
#include "noc/packet.hpp"

namespace tessera::tile {

inline hazards::NocRequest request_of(const noc::Packet& packet) {
    return {packet.origin.tile.number(), packet.noc, packet.request};
}

inline hazards::NocOrigin origin_of(const noc::Packet& packet) { return {request_of(packet), packet.origin.core, packet.origin.pc}; }

/// The knowledge that the packet carries: only Tensix tiles load packets.
inline hazards::SharedNocKnowledge knowledge(const noc::Packet& packet) {
    return std::static_pointer_cast<const hazards::NocKnowledge>(packet.hazard_tag);
}

}  // namespace tessera::tile
