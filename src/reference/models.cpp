// SPDX-License-Identifier: Apache-2.0
#include "reference/models.hpp"

#include "reference/matrix.hpp"
#include "reference/mover.hpp"
#include "reference/pack.hpp"
#include "reference/scalar.hpp"
#include "reference/sync.hpp"
#include "reference/unpack.hpp"
#include "reference/unpacr_nop.hpp"
#include "reference/vector.hpp"

namespace tessera::reference {

namespace {

using isa::mnemonic;

struct Row {
    isa::Mnemonic instruction;
    Model model;
};

constexpr Row models[] = {
    {mnemonic("UNPACR"), unpacr},
    {mnemonic("UNPACR_NOP"), unpacr_nop},
    {mnemonic("SETDVALID"), setdvalid},
    {mnemonic("PACR"), pacr},
    {mnemonic("CLREXPHIST"), clrexphist},
    {mnemonic("MOVA2D"), mova2d},
    {mnemonic("MOVB2D"), movb2d},
    {mnemonic("MOVD2A"), movd2a},
    {mnemonic("MOVD2B"), movd2b},
    {mnemonic("MOVB2A"), movb2a},
    {mnemonic("MOVDBGA2D"), mova2d},
    {mnemonic("MOVDBGB2D"), movb2d},
    {mnemonic("ELWADD"), elwadd},
    {mnemonic("ELWSUB"), elwsub},
    {mnemonic("ELWMUL"), elwmul},
    {mnemonic("MVMUL"), mvmul},
    {mnemonic("DOTPV"), dotpv},
    {mnemonic("GAPOOL"), gapool},
    {mnemonic("GMPOOL"), gmpool},
    {mnemonic("CONV3S1"), convolution},
    {mnemonic("CONV3S2"), convolution},
    {mnemonic("MFCONV3S1"), convolution},
    {mnemonic("APOOL3S1"), apool},
    {mnemonic("APOOL3S2"), apool},
    {mnemonic("MPOOL3S1"), mpool},
    {mnemonic("MPOOL3S2"), mpool},
    {mnemonic("ZEROACC"), zeroacc},
    {mnemonic("ZEROSRC"), zerosrc},
    {mnemonic("TRNSPSRCB"), trnspsrcb},
    {mnemonic("SHIFTXA"), shiftxa},
    {mnemonic("SHIFTXB"), shiftxb},
    {mnemonic("GATESRCRST"), gatesrcrst},
    {mnemonic("CLEARDVALID"), cleardvalid},
    {mnemonic("SETRWC"), setrwc},
    {mnemonic("INCRWC"), incrwc},
    {mnemonic("SFPABS"), sfpabs},
    {mnemonic("SFPADD"), sfpadd},
    {mnemonic("SFPADDI"), sfpaddi},
    {mnemonic("SFPAND"), sfpand},
    {mnemonic("SFPARECIP"), sfparecip},
    {mnemonic("SFPCAST"), sfpcast},
    {mnemonic("SFPCOMPC"), sfpcompc},
    {mnemonic("SFPCONFIG"), sfpconfig},
    {mnemonic("SFPDIVP2"), sfpdivp2},
    {mnemonic("SFPENCC"), sfpencc},
    {mnemonic("SFPEXEXP"), sfpexexp},
    {mnemonic("SFPEXMAN"), sfpexman},
    {mnemonic("SFPGT"), sfpgt},
    {mnemonic("SFPIADD"), sfpiadd},
    {mnemonic("SFPLE"), sfple},
    {mnemonic("SFPLOAD"), sfpload},
    {mnemonic("SFPLOADI"), sfploadi},
    {mnemonic("SFPLOADMACRO"), sfploadmacro},
    {mnemonic("SFPLUT"), sfplut},
    {mnemonic("SFPLUTFP32"), sfplutfp32},
    {mnemonic("SFPLZ"), sfplz},
    {mnemonic("SFPMAD"), sfpmad},
    {mnemonic("SFPMOV"), sfpmov},
    {mnemonic("SFPMUL"), sfpmul},
    {mnemonic("SFPMUL24"), sfpmul24},
    {mnemonic("SFPMULI"), sfpmuli},
    {mnemonic("SFPNOP"), sfpnop},
    {mnemonic("SFPNOT"), sfpnot},
    {mnemonic("SFPOR"), sfpor},
    {mnemonic("SFPPOPC"), sfppopc},
    {mnemonic("SFPPUSHC"), sfppushc},
    {mnemonic("SFPSETCC"), sfpsetcc},
    {mnemonic("SFPSETEXP"), sfpsetexp},
    {mnemonic("SFPSETMAN"), sfpsetman},
    {mnemonic("SFPSETSGN"), sfpsetsgn},
    {mnemonic("SFPSHFT"), sfpshft},
    {mnemonic("SFPSHFT2"), sfpshft2},
    {mnemonic("SFP_STOCH_RND"), sfp_stoch_rnd},
    {mnemonic("SFPSTORE"), sfpstore},
    {mnemonic("SFPSWAP"), sfpswap},
    {mnemonic("SFPTRANSP"), sfptransp},
    {mnemonic("SFPXOR"), sfpxor},
    {mnemonic("SETDMAREG"), setdmareg},
    {mnemonic("REG2FLOP"), reg2flop},
    {mnemonic("ADDDMAREG"), adddmareg},
    {mnemonic("SUBDMAREG"), subdmareg},
    {mnemonic("MULDMAREG"), muldmareg},
    {mnemonic("LOADIND"), loadind},
    {mnemonic("STOREIND"), storeind},
    {mnemonic("LOADREG"), loadreg},
    {mnemonic("STOREREG"), storereg},
    {mnemonic("ATINCGET"), atincget},
    {mnemonic("ATINCGETPTR"), atincgetptr},
    {mnemonic("ATSWAP"), atswap},
    {mnemonic("ATCAS"), atcas},
    {mnemonic("FLUSHDMA"), flushdma},
    {mnemonic("XMOV"), xmov},
    {mnemonic("SEMINIT"), seminit},
    {mnemonic("SEMPOST"), sempost},
    {mnemonic("SEMGET"), semget},
    {mnemonic("ATGETM"), atgetm},
    {mnemonic("ATRELM"), atrelm},
    {mnemonic("STREAMWAIT"), streamwait},
    {mnemonic("STREAMWRCFG"), streamwrcfg},
};

}  // namespace

Model model_of(isa::Mnemonic mnemonic) {
    for (const Row& row : models)
        if (row.instruction == mnemonic) return row.model;
    return nullptr;
}

Model model_of(const isa::Instruction& instruction) {
    for (const Row& row : models)
        if (instruction.is(row.instruction)) return row.model;
    return nullptr;
}

}  // namespace tessera::reference
