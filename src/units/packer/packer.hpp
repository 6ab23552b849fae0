// SPDX-License-Identifier: Apache-2.0
// Packers: PACR, PACR_SETREG. The unfinished end of a stream, fewer than 16 bytes, is kept in the packer's cells for
// the next PACR.
#pragma once

#include "plan/plan.hpp"
#include "units/behaviour.hpp"
#include "units/packer/setup.hpp"
#include "units/resolved.hpp"
#include "units/state_view.hpp"

namespace tessera::units::packer {

}  // namespace tessera::units::packer
