// SPDX-License-Identifier: Apache-2.0
// Values of the configuration unit's operands (CFGSHIFTMASK, WRCFG; the kernel library's p_cfg).
#pragma once

#include "isa/values/value_spec.hpp"

namespace tessera::isa::values {

inline constexpr ValueSpec config_widths[] = {
    choice("w32", 0, "a GPR to a word", "WRCFG_32b"),
    choice("w128", 1, "four GPRs to four words, both aligned", "WRCFG_128b"),
};
inline constexpr ValueSpec config_operations[] = {
    choice("or", 0, "old | value"),
    choice("and", 1, "old & value"),
    choice("xor", 2, "old ^ value"),
    choice("add", 3, "old + value"),
    choice("or_not", 4, "old | ~value"),
    choice("and_not", 5, "old & ~value"),
    choice("xor_not", 6, "old ^ ~value"),
    choice("sub", 7, "old - value"),
};
inline constexpr ValueSpec scratch_words[] = {
    choice("scratch0", 0, "SCRATCH_SEC0_val"),
    choice("scratch1", 1, "SCRATCH_SEC1_val"),
    choice("scratch2", 2, "SCRATCH_SEC2_val"),
    choice("own", 3, "the scratch word of the thread's number"),
};
inline constexpr ValueSpec old_masks[] = {
    choice("masked", 0, "the bits under the rotated mask are cleared first"),
    choice("whole", 1, "all of it counts"),
};

inline constexpr ValueSet gpr = {"GPR", "0 to 63: a general-purpose register of the thread"};
inline constexpr ValueSet config_width = {"width", "How much is written", config_widths};
inline constexpr ValueSet config_word = {
    "word of configuration", "The address (ADDR32) of a word of backend configuration; tessera regs has the fields"};
inline constexpr ValueSet thread_config_word = {
    "word of thread configuration",
    "The address (ADDR32) of a word of thread configuration; tessera regs has the fields"};
inline constexpr ValueSet thread_config_value = {"value of thread configuration", "All 16 bits of the word"};
inline constexpr ValueSet byte_mask = {"byte mask", "Which bits of the byte are replaced"};
inline constexpr ValueSet byte_data = {"byte", "The new bytes"};
inline constexpr ValueSet config_operation = {
    "operation", "The word's new value; value: the scratch word's low bits, rotated to the right", config_operations};
inline constexpr ValueSet scratch_word = {"scratch word", "The source of the value", scratch_words};
inline constexpr ValueSet old_mask = {"old value", "The bits of the old value that are used", old_masks};
inline constexpr ValueSet mask_width = {"mask width", "0 to 31: one bit less than the mask has"};
inline constexpr ValueSet rotation_amount = {"rotation", "0 to 31 bits to the right"};
inline constexpr ValueSet stream_choice = {
    "stream", "0 to 3: which STREAM_ID_SYNC_SEC of thread configuration names the stream"};
inline constexpr ValueSet stream_register = {"stream register", "The number of the overlay stream's register"};

inline constexpr OperandValues config[] = {
    {"WRCFG RDCFG", "GprAddress", &gpr},
    {"WRCFG", "wr128b", &config_width},
    {"WRCFG RDCFG STREAMWRCFG CFGSHIFTMASK", "CfgReg", &config_word},
    {"RMWCIB0 RMWCIB1 RMWCIB2 RMWCIB3", "CfgRegAddr", &config_word},
    {"RMWCIB0 RMWCIB1 RMWCIB2 RMWCIB3", "Mask", &byte_mask},
    {"RMWCIB0 RMWCIB1 RMWCIB2 RMWCIB3", "Data", &byte_data},
    {"SETC16", "setc16_reg", &thread_config_word},
    {"SETC16", "setc16_value", &thread_config_value},
    {"STREAMWRCFG", "stream_id_sel", &stream_choice},
    {"STREAMWRCFG", "StreamRegAddr", &stream_register},
    {"CFGSHIFTMASK", "disable_mask_on_old_val", &old_mask},
    {"CFGSHIFTMASK", "operation", &config_operation},
    {"CFGSHIFTMASK", "mask_width", &mask_width},
    {"CFGSHIFTMASK", "right_cshift_amt", &rotation_amount},
    {"CFGSHIFTMASK", "scratch_sel", &scratch_word},
};

}  // namespace tessera::isa::values
