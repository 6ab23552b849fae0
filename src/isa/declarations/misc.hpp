// SPDX-License-Identifier: Apache-2.0
// Miscellaneous unit: address counters, SETDVALID, NOP.
// One row per instruction and encoding: name, opcode, architectures, unit, meaning, operands from the highest bit to
// the lowest, which is the order in which the vendor's objdump prints them. An operand is {name, lowest bit, highest bit
// of its span, highest bit that means anything}. Facts from the vendor's public data; see NOTICE.
#pragma once

#include "isa/instruction_spec.hpp"

namespace tessera::isa::declarations {

inline constexpr InstructionSpec misc[] = {
    {"NOP", 0x02, both, Unit::misc, "No operation; recognised by MOP templates"},
    {"RSTDMA", 0x44, both, Unit::misc, "Reset DMA state"},
    {"SETADC", 0x50, both, Unit::misc, "Set one ADC counter and its checkpoint", {{"CntSetMask", 21, 23}, {"ChannelIndex", 20, 20}, {"DimensionIndex", 18, 19}, {"Value", 0, 17}}},
    {"SETADCXY", 0x51, both, Unit::misc, "Set X/Y ADC counters", {{"CntSetMask", 21, 23}, {"Ch1_Y", 15, 20, 17}, extra("ThreadOverride", 18, 19), {"Ch1_X", 12, 14}, {"Ch0_Y", 9, 11}, {"Ch0_X", 6, 8}, {"BitMask", 0, 5, 3}}},
    {"INCADCXY", 0x52, both, Unit::misc, "Add to X/Y counters", {{"CntSetMask", 21, 23}, {"Ch1_Y", 15, 20, 17}, extra("ThreadOverride", 18, 19), {"Ch1_X", 12, 14}, {"Ch0_Y", 9, 11}, {"Ch0_X", 6, 8}}},
    {"ADDRCRXY", 0x53, both, Unit::misc, "Add to X/Y checkpoints then load counters", {{"CntSetMask", 21, 23}, {"Ch1_Y", 15, 20, 17}, extra("ThreadOverride", 18, 19), {"Ch1_X", 12, 14}, {"Ch0_Y", 9, 11}, {"Ch0_X", 6, 8}, {"BitMask", 0, 5, 3}}},
    {"SETADCZW", 0x54, both, Unit::misc, "Set Z/W counters", {{"CntSetMask", 21, 23}, {"Ch1_Y", 15, 20, 17}, extra("ThreadOverride", 18, 19), {"Ch1_X", 12, 14}, {"Ch0_Y", 9, 11}, {"Ch0_X", 6, 8}, {"BitMask", 0, 5, 3}}},
    {"INCADCZW", 0x55, both, Unit::misc, "Add to Z/W counters", {{"CntSetMask", 21, 23}, {"Ch1_Y", 15, 20, 17}, extra("ThreadOverride", 18, 19), {"Ch1_X", 12, 14}, {"Ch0_Y", 9, 11}, {"Ch0_X", 6, 8}}},
    {"ADDRCRZW", 0x56, both, Unit::misc, "Add to Z/W checkpoints then load counters", {{"CntSetMask", 21, 23}, {"Ch1_Y", 15, 20, 17}, extra("ThreadOverride", 18, 19), {"Ch1_X", 12, 14}, {"Ch0_Y", 9, 11}, {"Ch0_X", 6, 8}, {"BitMask", 0, 5, 3}}},
    {"SETDVALID", 0x57, both, Unit::misc, "Hand SrcA/SrcB banks to the matrix unit", {{"setvalid", 0, 23, 1}}},
    {"SETADCXX", 0x5E, both, Unit::misc, "Set X start and X end of both channels", {{"CntSetMask", 21, 23}, {"x_end2", 10, 20, 19}, {"x_start", 0, 9}}},
};

}  // namespace tessera::isa::declarations
