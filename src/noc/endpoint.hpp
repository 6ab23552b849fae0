// SPDX-License-Identifier: Apache-2.0
// What lies behind an NIU: the address space of a tile.
#pragma once

#include <span>
#include <string>

#include "noc/packet.hpp"

namespace tessera::noc {

/// On whose behalf an endpoint is accessed.
struct Access {
    const Packet& packet;
    bool own = false;  ///< by the NIU of this tile for its own request: its data, or the response to it
    Cycle at = 0;
};

/// All functions return why the access is impossible; empty: it is done. Ranges and alignment have been checked.
class Endpoint {
public:
    virtual ~Endpoint() = default;
    virtual std::string read(const Access& access, std::uint64_t address, std::span<std::uint8_t> bytes) = 0;
    virtual std::string write(const Access& access, std::uint64_t address, std::span<const std::uint8_t> bytes) = 0;
    virtual std::string load_register(const Access& access, std::uint32_t address, std::uint32_t& value) = 0;
    virtual std::string store_register(const Access& access, std::uint32_t address, std::uint32_t value) = 0;
    /// Cycles that the memory adds to those of the NIU, for a request that arrives at `at`.
    virtual Cycle delay(const Packet&, Cycle /*at*/) { return 0; }
    /// Cycles that the memory takes to give so many bytes, if that is slower than the NIU.
    virtual Cycle cycles_of(std::uint32_t /*bytes*/) const { return 0; }
    /// Something changed that software may wait for: registers of the NIU.
    virtual void changed() {}
};

}  // namespace tessera::noc
