// SPDX-License-Identifier: Apache-2.0
// The loops of SFPLOAD and SFPSTORE, by mode: conversions between a datum of Dst and a lane (their pages, Data type
// conversions). Mode::srcb must have been replaced.
#pragma once

#include "plan/work.hpp"
#include "tessera/arch.hpp"
#include "units/vector/dst_modes.hpp"

namespace tessera::units::vector {

plan::LoadLRegWork::Loop load_loop(Mode mode, Arch arch);
plan::StoreLRegWork::Loop store_loop(Mode mode, Arch arch);

}  // namespace tessera::units::vector
