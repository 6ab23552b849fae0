// SPDX-License-Identifier: Apache-2.0
#include "engine/sources/noc_port.hpp"

#include "checks/missing_wait.hpp"
#include "checks/noc_conflicts.hpp"
#include "engine/scheduler.hpp"

namespace tessera::engine {

hazards::SharedNocKnowledge NocPort::asked(const hazards::NocOrder::Asked& what) {
    auto asked = order_.noc_asked(what);
    if (asked.conflict) report(what.by.core, what.by.pc, *asked.conflict);
    return std::move(asked.carried);
}

void NocPort::arrived(const hazards::NocOrder::Arrival& what) {
    if (const auto met = order_.noc_arrived(what))
        checks::report_intrusion(diagnostics_, what.by, *met, order_.noc_tile(), scheduler_.now());
}

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
