// SPDX-License-Identifier: Apache-2.0
// Packers: PACR, PACR_SETREG. What one PACR leaves unfinished, fewer than 16 bytes at the end of a stream, waits in the packer's
// cells for the next.
#pragma once

#include "plan/plan.hpp"
#include "units/behaviour.hpp"
#include "units/packer/setup.hpp"
#include "units/resolved.hpp"
#include "units/state_view.hpp"

namespace tessera::units::packer {

bool move_pacr(const StateView&, plan::PackWork& work, Resolved& kept);

}  // namespace tessera::units::packer
