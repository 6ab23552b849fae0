// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "units/resolve.hpp"

namespace tessera::units::scalar {

void resolve_setdmareg(const Look&, plan::Plan&);
void resolve_adddmareg(const Look&, plan::Plan&);
void resolve_subdmareg(const Look&, plan::Plan&);
void resolve_muldmareg(const Look&, plan::Plan&);
void resolve_bitwopdmareg(const Look&, plan::Plan&);
void resolve_shiftdmareg(const Look&, plan::Plan&);
void resolve_cmpdmareg(const Look&, plan::Plan&);
void resolve_reg2flop(const Look&, plan::Plan&);

}  // namespace tessera::units::scalar
