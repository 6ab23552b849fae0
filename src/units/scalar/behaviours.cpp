// SPDX-License-Identifier: Apache-2.0
// Scalar unit (ThCon).
#include "units/scalar/scalar.hpp"

namespace tessera::units::scalar {

namespace {

constexpr Behaviour table[] = {
    {isa::mnemonic("SETDMAREG"), resolve_setdmareg},     {isa::mnemonic("REG2FLOP"), resolve_reg2flop},
    {isa::mnemonic("ADDDMAREG"), resolve_adddmareg},     {isa::mnemonic("SUBDMAREG"), resolve_subdmareg},
    {isa::mnemonic("MULDMAREG"), resolve_muldmareg},     {isa::mnemonic("BITWOPDMAREG"), resolve_bitwopdmareg},
    {isa::mnemonic("SHIFTDMAREG"), resolve_shiftdmareg}, {isa::mnemonic("CMPDMAREG"), resolve_cmpdmareg},
    {isa::mnemonic("LOADIND"), resolve_loadind},         {isa::mnemonic("STOREIND"), resolve_storeind},
    {isa::mnemonic("LOADREG"), resolve_loadreg},         {isa::mnemonic("STOREREG"), resolve_storereg},
    {isa::mnemonic("ATINCGET"), resolve_atincget},       {isa::mnemonic("ATINCGETPTR"), resolve_atincgetptr},
    {isa::mnemonic("ATSWAP"), resolve_atswap},           {isa::mnemonic("ATCAS"), resolve_atcas},
    {isa::mnemonic("FLUSHDMA"), resolve_flushdma},       {isa::mnemonic("DMANOP"), [](const Look&, plan::Plan&) {}},
};

}  // namespace

constinit const std::span<const Behaviour> behaviours = table;

}  // namespace tessera::units::scalar
