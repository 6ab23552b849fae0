// SPDX-License-Identifier: Apache-2.0
// Vector unit (SFPU).
#pragma once

#include "units/resolve.hpp"

namespace tessera::units::vector {

void resolve_sfpload(const Look&, plan::Plan&);
void resolve_sfpstore(const Look&, plan::Plan&);
void resolve_sfploadi(const Look&, plan::Plan&);

}  // namespace tessera::units::vector
