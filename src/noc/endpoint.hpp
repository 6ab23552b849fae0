// SPDX-License-Identifier: Apache-2.0
// The address space of a tile, which lies behind an NIU.
#pragma once

#include <span>

#include "noc/packet.hpp"
#include "noc/refusal.hpp"

namespace tessera::noc {

/// On whose behalf an endpoint is accessed.
struct Access {
    const Packet& packet;
    bool own = false;  ///< by the NIU of this tile for its own request: its data, or the response to it
    Cycle at = 0;
};

/// A request that begins, as its endpoint sees it.
struct Asked {
    const Packet& first;             ///< its first packet
    std::uint64_t own = 0;           ///< where a write's data are, and a read's go, if that is in this tile
    std::uint32_t length = 0;        ///< in bytes, of all packets
    std::uint32_t packets = 0;
    std::uint32_t answers = 0;       ///< how many will come
    bool linked = false;             ///< it is not the last one of its transaction
    std::uint64_t way = 0;           ///< requests with the same way stay in order; 0: nothing keeps them so (NoC/Ordering)
};

/// Ranges and alignment have been checked.
class Endpoint {
public:
    virtual ~Endpoint() = default;
    virtual Refusal read(const Access& access, std::uint64_t address, std::span<std::uint8_t> bytes) = 0;
    virtual Refusal write(const Access& access, std::uint64_t address, std::span<const std::uint8_t> bytes) = 0;
    virtual Refusal load_register(const Access& access, std::uint32_t address, std::uint32_t& value) = 0;
    virtual Refusal store_register(const Access& access, std::uint32_t address, std::uint32_t value) = 0;
    /// Cycles that the memory adds to those of the NIU, for a request that arrives at `at`.
    virtual Cycle delay(const Packet&, Cycle /*at*/) { return 0; }
    /// Cycles that the memory takes to give so many bytes, if that is slower than the NIU.
    virtual Cycle cycles_of(std::uint32_t /*bytes*/) const { return 0; }
    /// A request of the tile begins. Its packets carry the result.
    virtual std::shared_ptr<const void> asked(const Asked&) { return {}; }
    /// All data of a packet of such a request have been read; an answer has come.
    virtual void sent(const Packet&) {}
    virtual void answered(const Packet&) {}
    /// The tag that the answer to a read or to an atomic carries.
    virtual std::shared_ptr<const void> read_away(const Packet& asks) { return asks.hazard_tag; }
    /// Something changed that software may wait for: registers of the NIU.
    virtual void changed() {}
};

}  // namespace tessera::noc
