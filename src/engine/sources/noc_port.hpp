// SPDX-License-Identifier: Apache-2.0
// Reports of the tile's NIUs to the hazard checker, and findings about what their requests meet. Ranges are bytes of the tile's L1.
#pragma once

#include "engine/context.hpp"
#include "hazards/order.hpp"

namespace tessera::engine {

class Scheduler;

class NocPort : private Context {
public:
    NocPort(const Context& context, const Scheduler& scheduler) : Context(context), scheduler_(scheduler) {}

    /// A core's instruction starts a request; returns what its packets carry, null: nothing.
    hazards::SharedNocKnowledge asked(const hazards::NocOrder::Asked& what);
    /// All data of one of its packets have been read.
    void sent(const hazards::NocRequest& request) { order_.noc_sent(request); }
    /// One of its answers has come; that of a read or an atomic to these bytes.
    void answered(const hazards::NocRequest& request, std::uint32_t first, std::uint32_t bytes,
                  const hazards::SharedNocKnowledge& carried) {
        order_.noc_answered(request, first, bytes, carried);
    }
    /// A core has read a counter of an NIU.
    void sign_seen(unsigned core, std::uint32_t pc, unsigned noc, hazards::NocOrder::Sign sign, unsigned transaction) {
        order_.core_saw_noc(core, pc, noc, sign, transaction);
    }
    /// A packet accesses L1 for another tile's request, or for one of this tile to itself.
    void arrived(const hazards::NocOrder::Arrival& what);
    /// The knowledge that the answer to a read or an atomic carries.
    hazards::SharedNocKnowledge read_away(const hazards::NocOrder::Arrival& what) { return order_.noc_read_away(what); }
    // Of registers of an overlay stream, which is named by the address of its first one.

    /// A packet writes one.
    void stream_written(std::uint32_t stream, const hazards::SharedNocKnowledge& carried) {
        order_.noc_wrote_stream(stream, carried);
    }
    /// The knowledge that the answer to a read of one carries.
    hazards::SharedNocKnowledge stream_read_away(std::uint32_t stream) { return order_.noc_stream_read_away(stream); }

    /// A core's access, or a request that it starts, met something.
    void report(unsigned core, std::uint32_t pc, const hazards::Conflict& met);

private:
    const Scheduler& scheduler_;
};

}  // namespace tessera::engine
