// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "units/resolve.hpp"

namespace tessera::units::config {

void resolve_setc16(const Look&, plan::Plan&);
void resolve_wrcfg(const Look&, plan::Plan&);
void resolve_rdcfg(const Look&, plan::Plan&);
void resolve_rmwcib0(const Look&, plan::Plan&);
void resolve_rmwcib1(const Look&, plan::Plan&);
void resolve_rmwcib2(const Look&, plan::Plan&);
void resolve_rmwcib3(const Look&, plan::Plan&);
void resolve_cfgshiftmask(const Look&, plan::Plan&);
void resolve_streamwrcfg(const Look&, plan::Plan&);

}  // namespace tessera::units::config
