// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "units/resolve.hpp"

namespace tessera::units::misc {

void resolve_setadc(const Look&, plan::Plan&);
void resolve_setadcxx(const Look&, plan::Plan&);
void resolve_setadcxy(const Look&, plan::Plan&);
void resolve_setadczw(const Look&, plan::Plan&);
void resolve_incadcxy(const Look&, plan::Plan&);
void resolve_incadczw(const Look&, plan::Plan&);
void resolve_addrcrxy(const Look&, plan::Plan&);
void resolve_addrcrzw(const Look&, plan::Plan&);
void resolve_setdvalid(const Look&, plan::Plan&);

}  // namespace tessera::units::misc
