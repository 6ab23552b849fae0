// SPDX-License-Identifier: Apache-2.0
// Miscellaneous unit: the address counters, SETDVALID, NOP.
#include "units/misc/misc.hpp"

namespace tessera::units::misc {

namespace {

constexpr Behaviour table[] = {
    {isa::mnemonic("SETADC"), resolve_setadc},       {isa::mnemonic("SETADCXX"), resolve_setadcxx},
    {isa::mnemonic("SETADCXY"), resolve_setadcxy},   {isa::mnemonic("SETADCZW"), resolve_setadczw},
    {isa::mnemonic("INCADCXY"), resolve_incadcxy},   {isa::mnemonic("INCADCZW"), resolve_incadczw},
    {isa::mnemonic("ADDRCRXY"), resolve_addrcrxy},   {isa::mnemonic("ADDRCRZW"), resolve_addrcrzw},
    {isa::mnemonic("SETDVALID"), resolve_setdvalid}, {isa::mnemonic("NOP"), [](const Look&, plan::Plan&) {}},
};

}  // namespace

constinit const std::span<const Behaviour> behaviours = table;

}  // namespace tessera::units::misc
