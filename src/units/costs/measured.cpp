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
    {"I1, I2", isa::both, mnemonic("NOP")},           {"I1, I2", isa::both, mnemonic("DMANOP")},
    {"I1, I2", isa::both, mnemonic("SFPNOP")},        {"I1, I2", isa::both, mnemonic("SFPMOV")},
    {"I1, I2", isa::both, mnemonic("SFPADD")},        {"I1, I2", isa::both, mnemonic("SFPMUL")},
    {"I1, I2", isa::both, mnemonic("SFPMAD")},        {"I1, I2", isa::both, mnemonic("SFPABS")},
    {"I1, I2", isa::both, mnemonic("SETDMAREG")},     {"I1, I2", isa::both, mnemonic("SETRWC")},
    {"I1, I2", isa::both, mnemonic("INCRWC")},        {"I3", isa::both, mnemonic("ADDDMAREG")},
    {"I3", isa::both, mnemonic("MULDMAREG")},         {"I3", isa::both, mnemonic("SHIFTDMAREG")},
    {"I3", isa::both, mnemonic("CMPDMAREG")},         {"I4", isa::wormhole, mnemonic("RDCFG")},
    {"I5", isa::blackhole, mnemonic("RDCFG")},        {"I6", isa::blackhole, mnemonic("RMWCIB0")},
    {"I7", isa::wormhole, mnemonic("STALLWAIT")},     {"I8", isa::blackhole, mnemonic("STALLWAIT")},
    {"M1, M2", isa::blackhole, mnemonic("MVMUL")},    {"M4, M5", isa::blackhole, mnemonic("ELWMUL")},
    {"M7, M10", isa::blackhole, mnemonic("GAPOOL")},  {"M10", isa::blackhole, mnemonic("GMPOOL")},
    {"S1", isa::blackhole, mnemonic("SFPLOAD")},      {"S1", isa::blackhole, mnemonic("SFPSTORE")},
    {"S16, S17", isa::wormhole, mnemonic("SFPLOAD")}, {"S16, S17", isa::wormhole, mnemonic("SFPSTORE")},
    {"S16, S17", isa::wormhole, mnemonic("SFPLUT")},  {"S4", isa::blackhole, mnemonic("SFPLUTFP32")},
    {"S15", isa::wormhole, mnemonic("SFPLUTFP32")},   {"S2, S3", isa::blackhole, mnemonic("SFPLOADMACRO")},
    {"S2, S3", isa::blackhole, mnemonic("SFPSHFT2")}, {"S10", isa::blackhole, mnemonic("SFPNOT")},
    {"S11", isa::blackhole, mnemonic("SFPIADD")},     {"S13", isa::blackhole, mnemonic("SFPSWAP")},
    {"S18", isa::wormhole, mnemonic("SFPSWAP")},      {"U1, U2, U8", isa::blackhole, mnemonic("UNPACR")},
    {"U8", isa::wormhole, mnemonic("UNPACR")},        {"P1", isa::blackhole, mnemonic("PACR")},
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
