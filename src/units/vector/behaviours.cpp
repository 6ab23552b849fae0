// SPDX-License-Identifier: Apache-2.0
#include "units/vector/vector.hpp"

namespace tessera::units::vector {

namespace {

constexpr Behaviour table[] = {
    {isa::mnemonic("SFPLOAD"), resolve_sfpload},
    {isa::mnemonic("SFPLOADI"), resolve_sfploadi},
    {isa::mnemonic("SFPSTORE"), resolve_sfpstore},
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
