// SPDX-License-Identifier: Apache-2.0
#include "units/vector/vector.hpp"

namespace tessera::units::vector {

namespace {

constexpr Behaviour table[] = {
    {isa::mnemonic("SFPLOAD"), resolve_sfpload},
    {isa::mnemonic("SFPLOADI"), resolve_sfploadi},
    {isa::mnemonic("SFPSTORE"), resolve_sfpstore},
    {isa::mnemonic("SFPLUT"), resolve_sfplut},
    {isa::mnemonic("SFPMULI"), resolve_sfpmuli},
    {isa::mnemonic("SFPADDI"), resolve_sfpaddi},
    {isa::mnemonic("SFPDIVP2"), resolve_sfpdivp2},
    {isa::mnemonic("SFPEXEXP"), resolve_sfpexexp},
    {isa::mnemonic("SFPEXMAN"), resolve_sfpexman},
    {isa::mnemonic("SFPIADD"), resolve_sfpiadd},
    {isa::mnemonic("SFPSHFT"), resolve_sfpshft},
    {isa::mnemonic("SFPSETCC"), resolve_sfpsetcc},
    {isa::mnemonic("SFPMOV"), resolve_sfpmov},
    {isa::mnemonic("SFPABS"), resolve_sfpabs},
    {isa::mnemonic("SFPAND"), resolve_sfpand},
    {isa::mnemonic("SFPOR"), resolve_sfpor},
    {isa::mnemonic("SFPNOT"), resolve_sfpnot},
    {isa::mnemonic("SFPLZ"), resolve_sfplz},
    {isa::mnemonic("SFPSETEXP"), resolve_sfpsetexp},
    {isa::mnemonic("SFPSETMAN"), resolve_sfpsetman},
    {isa::mnemonic("SFPMAD"), resolve_sfpmad},
    {isa::mnemonic("SFPADD"), resolve_sfpadd},
    {isa::mnemonic("SFPMUL"), resolve_sfpmul},
    {isa::mnemonic("SFPSETSGN"), resolve_sfpsetsgn},
    {isa::mnemonic("SFPXOR"), resolve_sfpxor},
    {isa::mnemonic("SFP_STOCH_RND"), resolve_sfp_stoch_rnd},
    {isa::mnemonic("SFPCAST"), resolve_sfpcast},
    {isa::mnemonic("SFPLUTFP32"), resolve_sfplutfp32},
    {isa::mnemonic("SFPLE"), resolve_sfple},
    {isa::mnemonic("SFPGT"), resolve_sfpgt},
    {isa::mnemonic("SFPMUL24"), resolve_sfpmul24},
    {isa::mnemonic("SFPARECIP"), resolve_sfparecip},
    {isa::mnemonic("SFPPUSHC"), resolve_sfppushc},
    {isa::mnemonic("SFPPOPC"), resolve_sfppopc},
    {isa::mnemonic("SFPENCC"), resolve_sfpencc},
    {isa::mnemonic("SFPCOMPC"), resolve_sfpcompc},
    {isa::mnemonic("SFPTRANSP"), resolve_sfptransp},
    {isa::mnemonic("SFPNOP"), [](const Look&, plan::Plan& plan) { plan.cost.fills_pause = true; }},
    {isa::mnemonic("SFPCONFIG"), resolve_sfpconfig},
    {isa::mnemonic("SFPSWAP"), resolve_sfpswap},
    {isa::mnemonic("SFPLOADMACRO"), resolve_sfploadmacro},
    {isa::mnemonic("SFPSHFT2"), resolve_sfpshft2},
};

}  // namespace

constinit const std::span<const Behaviour> behaviours = table;

}  // namespace tessera::units::vector
