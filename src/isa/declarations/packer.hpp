// SPDX-License-Identifier: Apache-2.0
// Packers: Dst to L1.
// One row per instruction and encoding: name, opcode, architectures, unit, meaning, operands from the highest bit to
// the lowest, which is the order in which the vendor's objdump prints them. An operand is {name, lowest bit, highest bit
// of its span, highest bit that means anything}. Facts from the vendor's public data; see NOTICE.
#pragma once

#include "isa/instruction_spec.hpp"

namespace tessera::isa::declarations {

inline constexpr InstructionSpec packer[] = {
    {"PACR", 0x41, blackhole, Unit::packer, "Move Dst rows to L1 with conversion", {{"CfgContext", 21, 23, 22}, {"RowPadZero", 18, 20}, {"DstAccessMode", 17, 17}, {"AddrMode", 15, 16}, {"AddrCntContext", 13, 14}, {"ZeroWrite", 12, 12}, {"ReadIntfSel", 8, 11}, {"OvrdThreadId", 7, 7}, {"Concat", 4, 6, 4}, {"CtxtCtrl", 2, 3}, {"Flush", 1, 1}, {"Last", 0, 0}}},
    {"PACR", 0x41, wormhole, Unit::packer, "Move Dst rows to L1 with conversion", {{"AddrMode", 15, 23, 16}, {"ZeroWrite", 12, 14, 12}, {"PackSel", 8, 11}, {"OvrdThreadId", 7, 7}, {"Concat", 4, 6, 4}, {"Flush", 1, 3, 1}, {"Last", 0, 0}}},
    {"PACR_SETREG", 0x4A, blackhole, Unit::packer, "MMIO write ordered with packer", {{"Push", 23, 23}, {"ModeSel", 22, 22}, {"Unused", 12, 21}, {"DisableStall", 10, 11}, {"AddrSel", 8, 9}, {"StreamId", 2, 7}, {"Flush", 1, 1}, {"Last", 0, 0}}},
    {"PACR_SETREG", 0x4A, wormhole, Unit::packer, "MMIO write ordered with packer", {{"Push", 23, 23}, {"AddrSel", 22, 22}, {"WrData", 12, 21}, {"PackSel", 8, 11}, {"StreamId", 2, 7}, {"Flush", 1, 1}, {"Last", 0, 0}}},
};

}  // namespace tessera::isa::declarations
