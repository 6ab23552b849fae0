// SPDX-License-Identifier: Apache-2.0
// Sync unit: semaphores, mutexes and latched waits. What waits, and for how long, is the engine's business; here stands
// what the instructions do to the cells.
#pragma once

#include "units/resolve.hpp"

namespace tessera::units::sync {

void resolve_seminit(const Look&, plan::Plan&);
void resolve_sempost(const Look&, plan::Plan&);
void resolve_semget(const Look&, plan::Plan&);
void resolve_atgetm(const Look&, plan::Plan&);
void resolve_atrelm(const Look&, plan::Plan&);
void resolve_stallwait(const Look&, plan::Plan&);
void resolve_semwait(const Look&, plan::Plan&);
void resolve_streamwait(const Look&, plan::Plan&);

}  // namespace tessera::units::sync
