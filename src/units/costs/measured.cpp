// SPDX-License-Identifier: Apache-2.0
#include "units/costs/measured.hpp"

#include <algorithm>

namespace tessera::units {

namespace {

using isa::mnemonic;

struct Measured {
    std::string_view rows;
    isa::ArchMask archs;
    isa::Mnemonic instruction;
};

constexpr Measured measured[] = {
    {"I1, I2", isa::both, mnemonic("NOP")},
    {"I1, I2", isa::both, mnemonic("DMANOP")},
    {"I1, I2", isa::both, mnemonic("SFPNOP")},
    {"I1, I2", isa::both, mnemonic("SFPMOV")},
    {"I1, I2", isa::both, mnemonic("SFPADD")},
    {"I1, I2", isa::both, mnemonic("SFPMUL")},
    {"I1, I2", isa::both, mnemonic("SFPMAD")},
    {"I1, I2", isa::both, mnemonic("SFPABS")},
    {"I1, I2", isa::both, mnemonic("SETDMAREG")},
    {"I1, I2", isa::both, mnemonic("SETRWC")},
    {"I1, I2", isa::both, mnemonic("INCRWC")},
    {"I3", isa::both, mnemonic("ADDDMAREG")},
    {"I3", isa::both, mnemonic("MULDMAREG")},
    {"I3", isa::both, mnemonic("SHIFTDMAREG")},
    {"I3", isa::both, mnemonic("CMPDMAREG")},
    {"I4", isa::wormhole, mnemonic("RDCFG")},
    {"I5", isa::blackhole, mnemonic("RDCFG")},
    {"I6", isa::blackhole, mnemonic("RMWCIB0")},
    {"I7", isa::wormhole, mnemonic("STALLWAIT")},
    {"I8", isa::blackhole, mnemonic("STALLWAIT")},
    {"I19, M1, M2", isa::blackhole, mnemonic("MVMUL")},
    {"I20", isa::wormhole, mnemonic("MVMUL")},
    {"I19", isa::blackhole, mnemonic("ELWADD")},
    {"I20", isa::wormhole, mnemonic("ELWADD")},
    {"I19, M4, M5", isa::blackhole, mnemonic("ELWMUL")},
    {"I20", isa::wormhole, mnemonic("ELWMUL")},
    {"M7, M10", isa::blackhole, mnemonic("GAPOOL")},
    {"M6, M10", isa::blackhole, mnemonic("GMPOOL")},
    {"I21, S1", isa::blackhole, mnemonic("SFPLOAD")},
    {"S1", isa::blackhole, mnemonic("SFPSTORE")},
    {"I22, S13", isa::blackhole, mnemonic("SFPSWAP")},
    {"I23, S11", isa::blackhole, mnemonic("SFPIADD")},
    {"I23, I24, S2, S3", isa::blackhole, mnemonic("SFPLOADMACRO")},
    {"U1, U2", isa::blackhole, mnemonic("UNPACR")},
    {"P1", isa::blackhole, mnemonic("PACR")},
    {"S16, S17", isa::wormhole, mnemonic("SFPLOAD")},
    {"S16, S17", isa::wormhole, mnemonic("SFPSTORE")},
    {"S16, S17", isa::wormhole, mnemonic("SFPLUT")},
    {"S4", isa::blackhole, mnemonic("SFPLUTFP32")},
    {"S15", isa::wormhole, mnemonic("SFPLUTFP32")},
    {"S2, S3", isa::blackhole, mnemonic("SFPSHFT2")},
    {"S10", isa::blackhole, mnemonic("SFPNOT")},
    {"S18", isa::wormhole, mnemonic("SFPSWAP")},
    {"U8", isa::wormhole, mnemonic("UNPACR")},
    {"P5", isa::wormhole, mnemonic("PACR")},
};

}  // namespace

std::string_view rows_that_measured(isa::Mnemonic instruction, Arch arch) {
    const auto* const found = std::find_if(std::begin(measured), std::end(measured), [&](const Measured& one) {
        return one.instruction == instruction && isa::includes(one.archs, arch);
    });
    return found == std::end(measured) ? std::string_view{} : found->rows;
}

}  // namespace tessera::units
