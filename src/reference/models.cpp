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
    {mnemonic("SFPLOAD"), sfpload},
    {mnemonic("SFPLOADI"), sfploadi},
    {mnemonic("SFPSTORE"), sfpstore},
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
