// SPDX-License-Identifier: Apache-2.0
#include "units/matrix/matrix.hpp"

namespace tessera::units::matrix {

namespace {

constexpr Behaviour table[] = {
    {isa::mnemonic("MOVA2D"), resolve_mova2d},           {isa::mnemonic("MOVB2D"), resolve_movb2d},
    {isa::mnemonic("ELWADD"), resolve_elwadd},           {isa::mnemonic("ELWSUB"), resolve_elwsub},
    {isa::mnemonic("ZEROACC"), resolve_zeroacc},         {isa::mnemonic("SETRWC"), resolve_setrwc},
    {isa::mnemonic("CLEARDVALID"), resolve_cleardvalid}, {isa::mnemonic("INCRWC"), resolve_incrwc},
    {isa::mnemonic("MOVD2A"), resolve_movd2a},           {isa::mnemonic("MOVD2B"), resolve_movd2b},
    {isa::mnemonic("MOVB2A"), resolve_movb2a},           {isa::mnemonic("MVMUL"), resolve_mvmul},
    {isa::mnemonic("ELWMUL"), resolve_elwmul},           {isa::mnemonic("TRNSPSRCB"), resolve_trnspsrcb},
    {isa::mnemonic("ZEROSRC"), resolve_zerosrc},         {isa::mnemonic("DOTPV"), resolve_dotpv},
    {isa::mnemonic("GAPOOL"), resolve_gapool},           {isa::mnemonic("GMPOOL"), resolve_gmpool},
    {isa::mnemonic("SHIFTXA"), resolve_shiftxa},         {isa::mnemonic("SHIFTXB"), resolve_shiftxb},
    {isa::mnemonic("GATESRCRST"), resolve_gatesrcrst},   {isa::mnemonic("CLREXPHIST"), resolve_clrexphist},
    {isa::mnemonic("MOVDBGA2D"), resolve_movdbga2d},     {isa::mnemonic("MOVDBGB2D"), resolve_movdbgb2d},
    {isa::mnemonic("CONV3S1"), resolve_conv3s1},         {isa::mnemonic("CONV3S2"), resolve_conv3s2},
    {isa::mnemonic("MFCONV3S1"), resolve_mfconv3s1},     {isa::mnemonic("APOOL3S1"), resolve_apool3s1},
    {isa::mnemonic("APOOL3S2"), resolve_apool3s2},       {isa::mnemonic("MPOOL3S1"), resolve_mpool3s1},
    {isa::mnemonic("MPOOL3S2"), resolve_mpool3s2},
};

}  // namespace

constinit const std::span<const Behaviour> behaviours = table;

}  // namespace tessera::units::matrix
