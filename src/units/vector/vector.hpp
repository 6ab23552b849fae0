// SPDX-License-Identifier: Apache-2.0
// Vector unit (SFPU).
#pragma once

#include "units/resolve.hpp"

namespace tessera::units::vector {

void resolve_sfpload(const Look&, plan::Plan&);
void resolve_sfpstore(const Look&, plan::Plan&);
void resolve_sfploadi(const Look&, plan::Plan&);
void resolve_sfpencc(const Look&, plan::Plan&);
void resolve_sfppushc(const Look&, plan::Plan&);
void resolve_sfppopc(const Look&, plan::Plan&);
void resolve_sfpcompc(const Look&, plan::Plan&);
void resolve_sfpconfig(const Look&, plan::Plan&);
void resolve_sfpswap(const Look&, plan::Plan&);
void resolve_sfpshft2(const Look&, plan::Plan&);
void resolve_sfptransp(const Look&, plan::Plan&);
void resolve_sfploadmacro(const Look&, plan::Plan&);

/// The SFPLOAD that SFPLOADMACRO begins with. Returns the address in Dst.
std::uint16_t load(const Look& look, plan::Plan& plan, unsigned vd, std::uint32_t mode, std::uint32_t immediate);

}  // namespace tessera::units::vector
