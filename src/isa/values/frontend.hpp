// SPDX-License-Identifier: Apache-2.0
// Values of the front end's operands, and the registers that MOP expands (MOPExpander; p_mop; AutoTTSync).
#pragma once

#include "isa/values/value_spec.hpp"

namespace tessera::isa::values {

inline constexpr ValueSpec mop_templates[] = {
    choice("template0", 0, "a masked list, loop_count + 1 times", "MASK_LOOP"),
    choice("template1", 1, "a double loop; the MOP registers hold all of it", "DOUBLE_LOOP"),
};

/// Meanings of the nine registers, by template.
inline constexpr ValueSpec mop_registers_0[] = {
    choice("flags0", 1, "template 0: bit 0: there is b (and skip_b); bit 1: there are a1 to a3"),
    choice("b", 2, "template 0: after the A's, for a mask bit of 0"),
    choice("a0", 3, "template 0: for a mask bit of 0"),
    choice("a1", 4, "template 0: after a0"),
    choice("a2", 5, "template 0: after a1"),
    choice("a3", 6, "template 0: after a2"),
    choice("skip_a0", 7, "template 0: for a mask bit of 1"),
    choice("skip_b", 8, "template 0: after skip_a0"),
};
inline constexpr ValueSpec mop_registers_1[] = {
    choice("outer_count", 0, "template 1: how often the outer loop runs"),
    choice("inner_count", 1, "template 1: how often the inner loop runs"),
    choice("start_op", 2, "template 1: before the inner loop; NOP: nothing"),
    choice("end_op0", 3, "template 1: after the inner loop; NOP: nothing"),
    choice("end_op1", 4, "template 1: after end_op0; NOP: nothing"),
    choice("loop_op", 5, "template 1: in the inner loop"),
    choice("loop_op1", 6, "template 1: alternates with loop_op, which doubles the inner count; NOP: it does not"),
    choice("loop0_last", 7, "template 1: replaces the last instruction of the last inner loop"),
    choice("loop1_last", 8, "template 1: replaces the last instruction of the other inner loops"),
};

inline constexpr ValueSpec replay_actions[] = {
    choice("play", 0, "plays back the recording"),
    choice("record", 1, "records the next instructions"),
};
inline constexpr ValueSpec replay_executions[] = {
    choice("record_only", 0, "they are only recorded"),
    choice("execute_too", 1, "they are executed, too"),
};

inline constexpr ValueSpec resources[] = {
    bits("reads_config", 0x001, "reads backend configuration"),
    bits("writes_config", 0x002, "writes backend configuration"),
    bits("unpacker0", 0x004, "of configuration: unpacker 0's part"),
    bits("unpacker1", 0x008, "of configuration: unpacker 1's part"),
    bits("remainder", 0x010, "of configuration: the rest"),
    bits("reads_gprs", 0x020, "reads GPRs"),
    bits("writes_gprs", 0x040, "writes GPRs"),
    bits("reads_tdma", 0x080, "reads TDMA-RISC's registers"),
    bits("writes_tdma", 0x100, "writes TDMA-RISC's registers"),
};
inline constexpr ValueSpec instruction_classes[] = {
    choice("arithmetic", 0, "ADDDMAREG to CMPDMAREG, SETDMAREG"),
    choice("atomic", 1, "ATINCGET, ATINCGETPTR, ATSWAP, ATCAS"),
    choice("reg2flop", 2, "REG2FLOP"),
    choice("indirect", 3, "LOADIND, STOREIND"),
    choice("cfgshiftmask", 4, "CFGSHIFTMASK, STREAMWRCFG"),
    choice("storereg", 5, "STOREREG"),
    choice("loadreg", 6, "LOADREG"),
    choice("flushdma", 7, "FLUSHDMA"),
    choice("wrcfg", 8, "WRCFG"),
    choice("rdcfg", 9, "RDCFG"),
    choice("xmov", 10, "XMOV"),
    choice("unpack", 11, "UNPACR, UNPACR_NOP"),
    choice("pack", 12, "PACR"),
    choice("mop", 13, "MOP"),
    choice("replay", 14, "REPLAY"),
    choice("other", 15, "all others"),
};

inline constexpr ValueSet mop_template = {"MOP template", "The template to expand", mop_templates};
inline constexpr ValueSet mop_iterations = {
    "MOP iterations", "Template 0: one less than how often; template 1: nothing"};
inline constexpr ValueSet mop_mask_low = {
    "MOP mask, low", "Template 0: bits 15:0 of the mask; bit i: iteration i takes skip_a0 and skip_b"};
inline constexpr ValueSet mop_mask_high = {"MOP mask, high", "Bits 31:16 of the mask of the MOPs that follow"};
inline constexpr ValueSet mop_register_0 = {"MOP registers of template 0", "", mop_registers_0};
inline constexpr ValueSet mop_register_1 = {"MOP registers of template 1", "", mop_registers_1};
inline constexpr ValueSet replay_slot = {"replay slot", "0 to 31: the first slot of the replay buffer"};
inline constexpr ValueSet replay_length = {"replay length", "How many instructions; 0 is 32"};
inline constexpr ValueSet replay_action = {"replay action", "REPLAY's action", replay_actions};
inline constexpr ValueSet replay_execution = {
    "execution while recording", "Whether recorded instructions also execute", replay_executions};
inline constexpr ValueSet resource_mask = {"resources", "Resources that instructions of the class use: any of", resources};
inline constexpr ValueSet instruction_class = {
    "instruction class", "The instruction class", instruction_classes};
inline constexpr ValueSet linger_time = {
    "linger time", "0 to 15: holds the core back one cycle longer for each significant bit"};

inline constexpr OperandValues frontend[] = {
    {"MOP", "mop_type", &mop_template},
    {"MOP", "loop_count", &mop_iterations},
    {"MOP", "zmask_lo16_or_loop_count", &mop_mask_low},
    {"MOP", "zmask_lo16", &mop_mask_low},
    {"MOP_CFG", "zmask_hi16", &mop_mask_high},
    {"REPLAY", "start_idx", &replay_slot},
    {"REPLAY", "len", &replay_length},
    {"REPLAY", "execute_while_loading", &replay_execution},
    {"REPLAY", "load_mode", &replay_action},
    {"RESOURCEDECL", "resources", &resource_mask},
    {"RESOURCEDECL", "op_class", &instruction_class},
    {"RESOURCEDECL", "linger_time", &linger_time},
};

}  // namespace tessera::isa::values
