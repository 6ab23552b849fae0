// SPDX-License-Identifier: Apache-2.0
// Instructions that the front end consumes before the wait gate: MOP, MOP_CFG, REPLAY, RESOURCEDECL.
// One row per instruction and encoding: name, opcode, architectures, unit, meaning, operands from the highest bit to
// the lowest, which is the order in which the vendor's objdump prints them. An operand is {name, lowest bit, highest bit
// of its span, highest bit that means anything}. Facts from the vendor's public data; see NOTICE.
#pragma once

#include "isa/instruction_spec.hpp"

namespace tessera::isa::declarations {

// Forms: {name, selecting bits, their value, meaning, own operands}; the first that matches counts.
inline constexpr FormSpec mop_forms[] = {
    {"template-0", 1u << 23, 0, "Masked list of instructions, loop_count + 1 times"},
    {"template-1", 1u << 23, 1u << 23, "Double loop; all of it is in the MOP configuration", {{"mop_type", 23, 23}}},
};

inline constexpr FormSpec replay_forms[] = {
    {"load-and-execute", 3, 3, "Record the next instructions, and execute them too"},
    {"load", 1, 1, "Record the next instructions instead of executing them"},
    {"execute", 1, 0, "Play back what was recorded; execute_while_loading has no effect"},
};

inline constexpr InstructionSpec frontend[] = {
    {"MOP", 0x01, blackhole, Unit::frontend, "Expand a macro-op template (0: masked list, 1: double loop)", {{"mop_type", 23, 23}, {"loop_count", 16, 22}, {"zmask_lo16_or_loop_count", 0, 15}}, mop_forms},
    {"MOP", 0x01, wormhole, Unit::frontend, "Expand a macro-op template (0: masked list, 1: double loop)", {{"mop_type", 23, 23}, {"loop_count", 16, 22}, {"zmask_lo16", 0, 15}}, mop_forms},
    {"MOP_CFG", 0x03, both, Unit::frontend, "Set the high 16 mask bits for template 0", {{"zmask_hi16", 0, 23, 15}}},
    {"REPLAY", 0x04, both, Unit::frontend, "Record or play back up to 32 buffered instructions", {{"start_idx", 14, 23, 18}, {"len", 4, 13, 9}, {"execute_while_loading", 1, 3, 1}, {"load_mode", 0, 0}}, replay_forms},
    {"RESOURCEDECL", 0x05, blackhole, Unit::frontend, "Declare resource use for automatic RISC-V/Tensix sync", {{"linger_time", 13, 23}, {"resources", 4, 12}, {"op_class", 0, 3}}},
};

}  // namespace tessera::isa::declarations
