// SPDX-License-Identifier: Apache-2.0
// Configuration unit: thread configuration, backend configuration.
// One row per instruction and encoding: name, opcode, architectures, unit, meaning, operands from the highest bit to
// the lowest, which is the order in which the vendor's objdump prints them. An operand is {name, lowest bit, highest bit
// of its span, highest bit that means anything}. Facts from the vendor's public data; see NOTICE.
#pragma once

#include "isa/instruction_spec.hpp"

namespace tessera::isa::declarations {

inline constexpr InstructionSpec config[] = {
    {"WRCFG", 0xB0, both, Unit::config, "GPR to config (32/128 bit)", {{"GprAddress", 16, 23, 21}, {"wr128b", 15, 15}, {"CfgReg", 0, 14, 10}}},
    {"RDCFG", 0xB1, both, Unit::config, "Config to GPR", {{"GprAddress", 16, 23, 21}, {"CfgReg", 0, 15, 10}}},
    {"SETC16", 0xB2, both, Unit::config, "16-bit thread config write", {{"setc16_reg", 16, 23}, {"setc16_value", 0, 15}}},
    {"RMWCIB0", 0xB3, both, Unit::config, "Masked byte 0 write", {{"Mask", 16, 23}, {"Data", 8, 15}, {"CfgRegAddr", 0, 7}}},
    {"RMWCIB1", 0xB4, both, Unit::config, "Masked byte 1 write", {{"Mask", 16, 23}, {"Data", 8, 15}, {"CfgRegAddr", 0, 7}}},
    {"RMWCIB2", 0xB5, both, Unit::config, "Masked byte 2 write", {{"Mask", 16, 23}, {"Data", 8, 15}, {"CfgRegAddr", 0, 7}}},
    {"RMWCIB3", 0xB6, both, Unit::config, "Masked byte 3 write", {{"Mask", 16, 23}, {"Data", 8, 15}, {"CfgRegAddr", 0, 7}}},
    {"STREAMWRCFG", 0xB7, blackhole, Unit::config, "Stream register to config", {{"stream_id_sel", 21, 23, 22}, {"StreamRegAddr", 11, 20}, {"CfgReg", 0, 10}}},
    {"CFGSHIFTMASK", 0xB8, blackhole, Unit::config, "Config = op(config, rotated masked scratch)", {{"disable_mask_on_old_val", 23, 23}, {"operation", 20, 22}, {"mask_width", 15, 19}, {"right_cshift_amt", 10, 14}, {"scratch_sel", 8, 9}, {"CfgReg", 0, 7}}},
};

}  // namespace tessera::isa::declarations
