// SPDX-License-Identifier: Apache-2.0
// The engine's side of engine/noc_watch.hpp: requests over the NoC go to the hazard checker, and what they meet to the findings.
#pragma once

#include "engine/context.hpp"
#include "engine/noc_watch.hpp"

namespace tessera::engine {

class Scheduler;

class NocPort final : public NocWatch, private Context {
public:
    NocPort(const Context& context, const Scheduler& scheduler) : Context(context), scheduler_(scheduler) {}

    hazards::SharedNocKnowledge asked(const hazards::NocOrder::Asked& what) override;
    void sent(const hazards::NocRequest& request) override;
    void answered(const hazards::NocRequest& request, std::uint32_t first, std::uint32_t bytes,
                  const hazards::SharedNocKnowledge& carried) override;
    void sign_seen(unsigned core, std::uint32_t pc, unsigned noc, hazards::NocOrder::Sign sign, unsigned transaction) override;
    void arrived(const hazards::NocOrder::Arrival& what) override;
    hazards::SharedNocKnowledge read_away(const hazards::NocOrder::Arrival& what) override;
    void stream_written(std::uint32_t stream, const hazards::SharedNocKnowledge& carried) override;
    hazards::SharedNocKnowledge stream_read_away(std::uint32_t stream) override;

    /// A core's access, or a request that it starts, met something.
    void report(unsigned core, std::uint32_t pc, const hazards::Conflict& met);

private:
    const Scheduler& scheduler_;
};

}  // namespace tessera::engine
