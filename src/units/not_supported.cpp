// SPDX-License-Identifier: Apache-2.0
#include "units/not_supported.hpp"

namespace tessera::units {

namespace {

using isa::mnemonic;

struct Row {
    isa::Mnemonic instruction;
    std::string_view reason;
};

constexpr std::string_view image_buffer_shift =
    "SETASHRM: a shift mask of SrcA's image buffer, which these chips do not have";

constexpr Row rows[] = {
    {mnemonic("TBUFCMD"), "TBUFCMD: a command to a tile buffer that these chips do not have"},
    {mnemonic("RSTDMA"), "RSTDMA: a reset of data movement of which no source says what is reset"},
    {mnemonic("RAREB"), "RAREB: control of sparse SrcB rows, which no source describes"},
    {mnemonic("SETASHRMH0"), image_buffer_shift},
    {mnemonic("SETASHRMH1"), image_buffer_shift},
    {mnemonic("SETASHRMH"), image_buffer_shift},
    {mnemonic("SETASHRMV"), image_buffer_shift},
    {mnemonic("SETPKEDGOF"), "SETPKEDGOF: pack edge offsets of an earlier chip; edge masks are configuration now"},
    {mnemonic("SETIBRWC"), "SETIBRWC: a counter of SrcA's image buffer, which these chips do not have"},
    {mnemonic("TRNSPSRCA"), "TRNSPSRCA: a transposition of SrcA of which no source gives the rows"},
};

}  // namespace

std::string_view not_supported(isa::Mnemonic mnemonic) {
    for (const Row& row : rows)
        if (row.instruction == mnemonic) return row.reason;
    return {};
}

}  // namespace tessera::units
