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
void resolve_loadind(const Look&, plan::Plan&);
void resolve_storeind(const Look&, plan::Plan&);
void resolve_loadreg(const Look&, plan::Plan&);
void resolve_storereg(const Look&, plan::Plan&);
void resolve_atincget(const Look&, plan::Plan&);
void resolve_atincgetptr(const Look&, plan::Plan&);
void resolve_atswap(const Look&, plan::Plan&);
void resolve_atcas(const Look&, plan::Plan&);
void resolve_flushdma(const Look&, plan::Plan&);

/// SETDMAREG in its form that reads configuration and state of packers.
void set_from_packers(const Look&, plan::Plan&);

}  // namespace tessera::units::scalar
