// SPDX-License-Identifier: Apache-2.0
// Findings about requests over the NoC.
#pragma once

#include <functional>

#include "diagnostics/diagnostics.hpp"
#include "hazards/memory_order.hpp"
#include "hazards/past.hpp"

namespace tessera::checks {

/// An access of this tile met a request. `subject`: as in FindingsLog, without `other`. `here`: this tile (NocRequest::tile).
void report_meeting(const diagnostics::Diagnostics& diagnostics, diagnostics::FindingsLog::Subject subject,
                    const std::function<Where()>& where, const hazards::Conflict& met, std::uint16_t here);

/// A request from outside met work, or a request, of this tile.
void report_intrusion(const diagnostics::Diagnostics& diagnostics, const hazards::NocOrigin& by, const hazards::Conflict& met,
                      std::uint16_t here, diagnostics::Cycle now);

/// Two requests met in a memory without cores. `memory`: what it is, as a literal. `text_of`: as of diagnostics::CoreTexts.
void report_in_memory(diagnostics::FindingsLog& log, const hazards::MemoryOrder::Conflict& met, std::string_view memory,
                      const std::function<Where()>& where,
                      const std::function<std::string(const hazards::NocOrigin&)>& text_of);

}  // namespace tessera::checks
