// SPDX-License-Identifier: Apache-2.0
// Ethernet tiles as a host sees them: what base firmware has left in L1, and the reset of their cores, which do not run
// (CHIP_FACTS 4.2). No link is connected.
#pragma once

#include <cstdint>
#include <map>

#include "tessera/hosted_chip.hpp"

namespace tessera::host {

class EthernetTiles {
public:
    /// Writes to L1 of the chip's Ethernet tiles.
    explicit EthernetTiles(HostedChip& chip);

    static constexpr std::uint64_t soft_reset = 0xFFB1'21B0;
    std::uint32_t reset(NocPlace place) const;
    /// Error "host.ethernet" if that releases a core: it stays where it is.
    Result<void> set_reset(NocPlace place, std::uint32_t value);
    /// A word of L1 in which base firmware counts while it lives; 0: there is none.
    std::uint32_t heartbeat() const;

private:
    const Arch arch_;
    std::map<std::pair<unsigned, unsigned>, std::uint32_t> resets_;  ///< by x, y
};

}  // namespace tessera::host
