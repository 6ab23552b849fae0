// SPDX-License-Identifier: Apache-2.0
#include "engine/sources/noc_port.hpp"

#include "checks/checker.hpp"
#include "checks/missing_mover_wait.hpp"
#include "checks/noc_conflicts.hpp"
#include "engine/scheduler.hpp"

namespace tessera::engine {

hazards::SharedNocKnowledge NocPort::asked(const hazards::NocOrder::Asked& what) {
    if (!checker_.looks_on()) return nullptr;
    auto asked = order_.noc_asked(what);
    if (asked.conflict) report(what.by.core, what.by.pc, *asked.conflict);
    return std::move(asked.carried);
}

void NocPort::sent(const hazards::NocRequest& request) { order_.noc_sent(request); }

void NocPort::answered(const hazards::NocRequest& request, std::uint32_t first, std::uint32_t bytes,
                       const hazards::SharedNocKnowledge& carried) {
    order_.noc_answered(request, first, bytes, carried);
}

void NocPort::sign_seen(unsigned core, std::uint32_t pc, unsigned noc, hazards::NocOrder::Sign sign, unsigned transaction) {
    order_.core_saw_noc(core, pc, noc, sign, transaction);
}

void NocPort::arrived(const hazards::NocOrder::Arrival& what) {
    if (!checker_.looks_on()) return;
    if (const auto met = order_.noc_arrived(what))
        checks::report_intrusion(diagnostics_, what.by, *met, order_.noc_tile(), scheduler_.now());
}

hazards::SharedNocKnowledge NocPort::read_away(const hazards::NocOrder::Arrival& what) { return order_.noc_read_away(what); }

void NocPort::stream_written(std::uint32_t stream, const hazards::SharedNocKnowledge& carried) { order_.noc_wrote_stream(stream, carried); }

hazards::SharedNocKnowledge NocPort::stream_read_away(std::uint32_t stream) { return order_.noc_stream_read_away(stream); }

void NocPort::report(unsigned core, std::uint32_t pc, const hazards::Conflict& met) {
    const auto where = [&] { return places_.where_of(core, pc, scheduler_.now()); };
    if (met.request.use != hazards::NocUse::none) {
        checks::report_meeting(diagnostics_, {state::threads + core, pc}, where, met, order_.noc_tile());
        return;
    }
    const auto id = met.storage == plan::Storage::dst ? findings::id("hazard.core-dst") : findings::id("hazard.core-l1");
    const findings::Note what{id, {met.first, met.last, met.other_thread, static_cast<std::uint32_t>(met.other_index)}};
    diagnostics_.add(what, {state::threads + core, pc, places_.key(met.other_thread, met.other_index)}, where,
                     diagnostics_.shown(met.other_thread, met.other_index), [&](Finding& finding) {
                         if (places_.is_command(met.other_index))
                             finding.cure = checks::missing_mover_wait(met.other_index, core);
                     });
}

}  // namespace tessera::engine
