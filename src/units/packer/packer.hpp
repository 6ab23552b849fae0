// SPDX-License-Identifier: Apache-2.0
// Packers: PACR, PACR_SETREG. What one PACR leaves unfinished, fewer than 16 bytes at the end of a stream, waits in the packer's
// cells for the next.
#pragma once

#include "units/packer/setup.hpp"
#include "units/resolve.hpp"

namespace tessera::units::packer {

void resolve_pacr(const Look&, plan::Plan&);
bool move_pacr(const Look&, plan::PackWork& work, Resolved& kept);
void resolve_pacr_setreg(const Look&, plan::Plan&);

}  // namespace tessera::units::packer
