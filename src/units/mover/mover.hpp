// SPDX-License-Identifier: Apache-2.0
// The mover: XMOV, and the same transfers when TDMA-RISC asks for them.
#pragma once

#include "units/resolve.hpp"

namespace tessera::units::mover {

void resolve_xmov(const Look&, plan::Plan&);

}  // namespace tessera::units::mover
