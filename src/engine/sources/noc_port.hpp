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
    /// A packet accesses L1 for another tile's request, or for one of this tile to itself.
    void arrived(const hazards::NocOrder::Arrival& what);
    /// For what meets nothing: its functions about requests over the NoC.
    hazards::Order& order() { return order_; }

    /// A core's access, or a request that it starts, met something.
    void report(unsigned core, std::uint32_t pc, const hazards::Conflict& met);

private:
    const Scheduler& scheduler_;
};

}  // namespace tessera::engine
