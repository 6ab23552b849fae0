// SPDX-License-Identifier: Apache-2.0
// Mover: XMOV.
// One row per instruction and encoding: name, opcode, architectures, unit, meaning, operands from the highest bit to
// the lowest, which is the order in which the vendor's objdump prints them. An operand is {name, lowest bit, highest bit
// of its span, highest bit that means anything}. Facts from the vendor's public data; see NOTICE.
#pragma once

#include "isa/instruction_spec.hpp"

namespace tessera::isa::declarations {

inline constexpr InstructionSpec mover[] = {
    {"XMOV", 0x40, both, Unit::mover, "Block copy L1/config/IRAM via the TDMA mover", {{"Mov block selection", 23, 23}, {"Last", 0, 22}}},
};

}  // namespace tessera::isa::declarations
