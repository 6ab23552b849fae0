// SPDX-License-Identifier: Apache-2.0
// The packets that a request becomes. All functions expect a request that has passed check().
#pragma once

#include "noc/niu_site.hpp"
#include "noc/request.hpp"

namespace tessera::noc {

/// How many.
std::uint32_t packets_of(const Layout& chip, const Request& request);

/// The first of those that its registers still ask for, without data, hazard tag and number of the request.
Packet packet_of(const NiuSite& site, const Request& request, const Places& places, const Origin& origin);

/// Whether its address is that of a register where it arrives.
bool goes_to_register(const Layout& chip, const Packet& packet);

/// NOC_CTRL's bits for the ways on which a packet leaves its router (of Wormhole).
std::uint32_t output_ports(const NiuSite& site, const Packet& packet);

}  // namespace tessera::noc
