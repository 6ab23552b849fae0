// SPDX-License-Identifier: Apache-2.0
// Reports of the tile's NIUs to the hazard checker.
#pragma once

#include "hazards/noc_order.hpp"

namespace tessera::engine {

/// Ranges are bytes of the tile's L1.
class NocWatch {
public:
    virtual ~NocWatch() = default;
    /// A core's instruction starts a request; returns what its packets carry, null: nothing.
    virtual hazards::SharedNocKnowledge asked(const hazards::NocOrder::Asked& what) = 0;
    /// All data of one of its packets have been read.
    virtual void sent(const hazards::NocRequest& request) = 0;
    /// One of its answers has come; that of a read or an atomic to these bytes.
    virtual void answered(const hazards::NocRequest& request, std::uint32_t first, std::uint32_t bytes,
                          const hazards::SharedNocKnowledge& carried) = 0;
    /// A core has read a counter of an NIU.
    virtual void sign_seen(unsigned core, std::uint32_t pc, unsigned noc, hazards::NocOrder::Sign sign, unsigned transaction) = 0;
    /// A packet accesses L1 for another tile's request, or for one of this tile to itself.
    virtual void arrived(const hazards::NocOrder::Arrival& what) = 0;
    /// The knowledge that the answer to a read or an atomic carries.
    virtual hazards::SharedNocKnowledge read_away(const hazards::NocOrder::Arrival& what) = 0;
    // Of registers of an overlay stream, which is named by the address of its first one.

    /// A packet writes one.
    virtual void stream_written(std::uint32_t stream, const hazards::SharedNocKnowledge& carried) = 0;
    /// The knowledge that the answer to a read of one carries.
    virtual hazards::SharedNocKnowledge stream_read_away(std::uint32_t stream) = 0;
};

}  // namespace tessera::engine
