// SPDX-License-Identifier: Apache-2.0
// Vector unit (SFPU).
#pragma once

#include "units/resolve.hpp"

namespace tessera::units::vector {

void resolve_sfpload(const Look&, plan::Plan&);
void resolve_sfpstore(const Look&, plan::Plan&);
void resolve_sfploadi(const Look&, plan::Plan&);
void resolve_sfplut(const Look&, plan::Plan&);
void resolve_sfpmuli(const Look&, plan::Plan&);
void resolve_sfpaddi(const Look&, plan::Plan&);
void resolve_sfpdivp2(const Look&, plan::Plan&);
void resolve_sfpexexp(const Look&, plan::Plan&);
void resolve_sfpexman(const Look&, plan::Plan&);
void resolve_sfpiadd(const Look&, plan::Plan&);
void resolve_sfpshft(const Look&, plan::Plan&);
void resolve_sfpsetcc(const Look&, plan::Plan&);
void resolve_sfpmov(const Look&, plan::Plan&);
void resolve_sfpabs(const Look&, plan::Plan&);
void resolve_sfpand(const Look&, plan::Plan&);
void resolve_sfpor(const Look&, plan::Plan&);
void resolve_sfpnot(const Look&, plan::Plan&);
void resolve_sfplz(const Look&, plan::Plan&);
void resolve_sfpsetexp(const Look&, plan::Plan&);
void resolve_sfpsetman(const Look&, plan::Plan&);
void resolve_sfpmad(const Look&, plan::Plan&);
void resolve_sfpadd(const Look&, plan::Plan&);
void resolve_sfpmul(const Look&, plan::Plan&);
void resolve_sfpsetsgn(const Look&, plan::Plan&);
void resolve_sfpxor(const Look&, plan::Plan&);
void resolve_sfp_stoch_rnd(const Look&, plan::Plan&);
void resolve_sfpcast(const Look&, plan::Plan&);
void resolve_sfplutfp32(const Look&, plan::Plan&);
void resolve_sfple(const Look&, plan::Plan&);
void resolve_sfpgt(const Look&, plan::Plan&);
void resolve_sfpmul24(const Look&, plan::Plan&);
void resolve_sfparecip(const Look&, plan::Plan&);
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
