// SPDX-License-Identifier: Apache-2.0
#include "checks/noc_conflicts.hpp"

#include <algorithm>

#include "diagnostics/op_index.hpp"

namespace tessera::checks {

namespace {

using diagnostics::KernelOp;
using hazards::NocUse;

std::uint32_t op_of(const hazards::NocOrigin& by) { return static_cast<std::uint32_t>(KernelOp{0, by.core, by.pc}.index()); }

std::uint64_t key_of(const hazards::NocOrigin& by) { return std::uint64_t{by.request.tile} << 32 | op_of(by); }

std::string text_of(const diagnostics::Places& places, const hazards::NocOrigin& by, std::uint16_t here) {
    return by.request.tile == here ? places.core_op_text(op_of(by))
                                   : places.text_on_other_tile(by.request.tile, by.core, by.pc);
}

findings::Id id_of(NocUse use) {
    switch (use) {
        case NocUse::fills: return findings::id("hazard.noc-read");
        case NocUse::sends: return findings::id("hazard.noc-sent");
        case NocUse::is_read: return findings::id("hazard.noc-taken");
        default: return findings::id("hazard.noc-arrival");
    }
}

}  // namespace

void report_meeting(const diagnostics::Diagnostics& diagnostics, diagnostics::FindingsLog::Subject subject,
                    const std::function<Where()>& where, const hazards::Conflict& met, std::uint16_t here) {
    const hazards::NocOrigin& by = met.request.by;
    subject.other = key_of(by);
    diagnostics.add(findings::Note{id_of(met.request.use), {met.first, met.last, by.pc}}, subject, where,
                    [&](std::string_view name, std::uint32_t) {
                        return name == "request_pc" ? text_of(diagnostics.places(), by, here) : std::string();
                    });
}

void report_intrusion(const diagnostics::Diagnostics& diagnostics, const hazards::NocOrigin& by, const hazards::Conflict& met,
                      std::uint16_t here, diagnostics::Cycle now) {
    const diagnostics::Places& places = diagnostics.places();
    const bool of_request = met.request.use != NocUse::none, by_core = met.core >= 0;
    const KernelOp op = KernelOp::of(met.other_index);
    const unsigned core = of_request ? met.request.by.core : by_core ? static_cast<unsigned>(met.core) : op.core;
    const std::uint32_t pc = of_request ? met.request.by.pc : by_core ? met.core_pc : op.pc;
    const bool is_here = !of_request || met.request.by.request.tile == here;
    const auto other = [&] {
        if (of_request) return text_of(places, met.request.by, here);
        if (by_core) return places.core_access_text(core, pc);
        return places.op_text(met.other_thread, met.other_index);
    };
    const auto where = [&] {
        if (is_here && pc) return places.where_of(core, pc, now);
        Where unknown;
        unknown.cycle = now;
        if (is_here && core < riscv_cores) unknown.core = name(RiscvCore(core));
        return unknown;
    };
    const auto id = met.request.use == NocUse::unread ? findings::id("hazard.noc-unread") : findings::id("hazard.noc-overwrite");
    diagnostics.add(findings::Note{id, {met.first, met.last, by.pc, pc}}, {state::threads + core, pc, key_of(by)}, where,
                    [&](std::string_view name, std::uint32_t) {
                        if (name == "request_pc") return text_of(places, by, here);
                        return name == "other_pc" ? other() : std::string();
                    });
}

void report_in_memory(diagnostics::FindingsLog& log, const hazards::MemoryOrder::Conflict& met, std::string_view memory,
                      const std::function<Where()>& where,
                      const std::function<std::string(const hazards::NocOrigin&)>& text_of) {
    const auto first = std::max(met.now.first, met.before.first), last = std::min(met.now.last, met.before.last);
    const hazards::NocOrigin &now = met.now.by, &before = met.before.by;
    log.add(findings::Note{findings::id("hazard.noc-dram"),
                           {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last), before.pc},
                           memory},
            {state::threads + now.core, now.pc, key_of(before)}, where, [&](std::string_view name, std::uint32_t) {
                return name == "request_pc" ? text_of(before) : std::string();
            });
}

}  // namespace tessera::checks
