// SPDX-License-Identifier: Apache-2.0
// Values of the unpackers' operands. `also` has the kernel library's spelling if it differs.
#pragma once

#include "isa/values/value_spec.hpp"

namespace tessera::isa::values {

inline constexpr ValueSpec unpackers[] = {
    choice("unpacker0", 0, "SrcA's, or Dst's", "UNP0 SrcA"),
    choice("unpacker1", 1, "SrcB's", "UNP1 SrcB"),
};

/// Two bits for each of Z and Y of channel 0, Z and Y of channel 1.
inline constexpr ValueSpec counter_steps[] = {
    part("ch0_z1", 0x03, 0x01, "Z of channel 0 + 1"), part("ch0_z2", 0x03, 0x02, "Z of channel 0 + 2"),
    part("ch0_z3", 0x03, 0x03, "Z of channel 0 + 3"), part("ch0_y1", 0x0C, 0x04, "Y of channel 0 + 1"),
    part("ch0_y2", 0x0C, 0x08, "Y of channel 0 + 2"), part("ch0_y3", 0x0C, 0x0C, "Y of channel 0 + 3"),
    part("ch1_z1", 0x30, 0x10, "Z of channel 1 + 1"), part("ch1_z2", 0x30, 0x20, "Z of channel 1 + 2"),
    part("ch1_z3", 0x30, 0x30, "Z of channel 1 + 3"), part("ch1_y1", 0xC0, 0x40, "Y of channel 1 + 1"),
    part("ch1_y2", 0xC0, 0x80, "Y of channel 1 + 2"), part("ch1_y3", 0xC0, 0xC0, "Y of channel 1 + 3"),
};

inline constexpr ValueSpec nop_kinds[] = {
    choice("pop", 0, "form pop", "UNP_POP"),
    choice("clear", 1, "forms clear and set-dvalid", "UNP_CLRSRC CLR_SRC"),
    choice("nop", 2, "form nop", "UNP_NOP"),
    choice("pop_stream", 3, "forms explicit-pop and set-register", "UNP_POP_STREAM"),
};
/// Wormhole's modes, by the low three bits.
inline constexpr ValueSpec nop_modes[] = {
    part("pop", 7, 0, "form pop", "UNP_POP"),
    part("zerosrc", 7, 1, "form clear, zero", "UNP_ZEROSRC"),
    part("nop", 7, 2, "form nop", "UNP_NOP"),
    part("pop_stream", 7, 3, "form explicit-pop"),
    part("set_register", 7, 4, "form set-register"),
    part("neginfsrc", 7, 5, "form clear, minus infinity", "UNP_NEGINFSRC"),
    part("set_dvalid", 7, 7, "form set-dvalid", "UNP_SET_DVALID"),
    bits("all_banks", 8, "zerosrc, neginfsrc: both banks"),
    bits("wait_like_unpacr", 16, "zerosrc, neginfsrc: wait for the bank as UNPACR does"),
    part("UNP_ZEROSRC_RESET_ALL_BANKS", 15, 9, ""),
    part("UNP_ZEROSRC_STALL_RESET_WR_RDY", 23, 17, ""),
};

inline constexpr ValueSpec clear_values[] = {
    choice("zero", 0, "zero", "UNP_CLRSRC_ZERO CLR_SRC_0"),
    choice("neg_inf", 1, "minus infinity", "UNP_CLRSRC_NEGINF CLR_SRC_NEGINF"),
    choice("one", 2, "one, in the format of Clr_to1_fmt_Ctrl", "UNP_CLRSRC_ONE CLR_SRC_1"),
    choice("imm", 3, "UNP_NOP_REG_CLR_VAL of the configuration", "UNP_CLRSRC_IMM CLR_SRC_IMM"),
};
inline constexpr ValueSpec clear_formats[] = {
    choice("fp16", 0, "FP16", "UNP_CLRSRC_ONE_FP16A"),
    choice("bf16", 1, "BF16 and TF32", "UNP_CLRSRC_ONE_FP16B UNP_CLRSRC_ONE_TF32"),
    choice("int8", 2, "integers", "UNP_CLRSRC_ONE_INT8"),
};
inline constexpr ValueSpec cleared_banks[] = {
    choice("one", 0, "the bank that the unpacker writes next"),
    choice("both", 1, "both banks", "UNP_CLRSRC_RESET_ALL_BANKS"),
};
inline constexpr ValueSpec clear_waits[] = {
    choice("matrix_bank", 0, "until the bank that the matrix unit is at is the unpackers'"),
    choice("own_bank", 1, "until the bank that is cleared is the unpackers', as UNPACR does"),
};

inline constexpr ValueSet unpacker_choice = {"unpacker", "Which unpacker", unpackers};
inline constexpr ValueSet counter_step = {
    "counter steps", "Increments of the unpacker's address counters: any of, one for each counter", counter_steps};
inline constexpr ValueSet context_increment = {"context counter", "1: the form increment-context-counter"};
inline constexpr ValueSet context_id = {
    "configuration context", "0 to 7, with OvrdThreadId and without AutoIncContextID; CfgContextOffset is added"};
inline constexpr ValueSet context_adc = {
    "thread of the address counters", "0 to 2, with OvrdThreadId: the thread whose counters are used; else the instruction's own"};
inline constexpr ValueSet multi_context = {
    "contexts", "1: several contexts, each with a base address and a thread of the address counters"};
inline constexpr ValueSet set_dvalid = {"hand-over", "1: the bank is handed to the matrix unit at the end"};
inline constexpr ValueSet srcb_broadcast = {
    "broadcast to SrcB", "1: unpacker 1 copies each row to the eight rows of SrcB from it on"};
inline constexpr ValueSet rareb = {"legacy rareB", "No effect"};
inline constexpr ValueSet zero_write = {"zeros", "1: zeros are written, nothing is read"};
inline constexpr ValueSet auto_context = {
    "context by counter", "1: the thread's context counter, which then advances; else CfgContextId"};
inline constexpr ValueSet row_search = {
    "row search",
    "1: looks up each row's first and last datum, in the descriptor's blobs or in a compressed tile's row starts"};
inline constexpr ValueSet cache_flush = {"cache", "1: the form flush-cache"};
inline constexpr ValueSet last_of_unpack = {"last", "No documented effect"};
inline constexpr ValueSet nop_kind = {"kind of UNPACR_NOP", "Which form", nop_kinds};
inline constexpr ValueSet nop_mode = {"mode of UNPACR_NOP", "Which form, and bits of the form clear", nop_modes};
inline constexpr ValueSet clear_value = {"value of a cleared bank", "The value to write", clear_values};
inline constexpr ValueSet negative_infinity = {
    "value of a cleared bank (Wormhole)", "1: minus infinity (in SrcA; SrcB gets zero); else zero"};
inline constexpr ValueSet clear_format = {
    "format of one", "With Src_ClrVal_Ctrl=one. 3 is the form set-dvalid", clear_formats};
inline constexpr ValueSet cleared_bank = {"cleared banks", "Which banks", cleared_banks};
inline constexpr ValueSet clear_wait = {"wait before clearing", "How long it waits", clear_waits};
inline constexpr ValueSet stream_id = {"stream", "0 to 63: the overlay stream"};
inline constexpr ValueSet message_count = {
    "message count", "Not 0: Stream_Id names the stream; 0: thread configuration does. One message is cleared"};
inline constexpr ValueSet address_select = {"base address", "Which of the bases that TDMA-RISC has set"};
inline constexpr ValueSet address_middle = {"middle address", "Bits 17:12 of the register's address"};
inline constexpr ValueSet register_value = {"register value", "The value to write, or to add"};
inline constexpr ValueSet accumulate = {
    "accumulation of UNPACR_NOP", "1: adds the value to those written before; 0: starts again"};

inline constexpr OperandValues unpacker[] = {
    {"UNPACR UNPACR_NOP", "Unpack_block_selection", &unpacker_choice},
    {"UNPACR_NOP", "Unpacker_Select", &unpacker_choice},
    {"UNPACR", "AddrMode", &counter_step},
    {"UNPACR", "CfgContextCntInc", &context_increment},
    {"UNPACR", "CfgContextId", &context_id},
    {"UNPACR", "AddrCntContextId", &context_adc},
    {"UNPACR", "OvrdThreadId", &multi_context},
    {"UNPACR", "SetDatValid", &set_dvalid},
    {"UNPACR", "srcb_bcast", &srcb_broadcast},
    {"UNPACR", "rareb_en", &rareb},
    {"UNPACR", "ZeroWrite2", &zero_write},
    {"UNPACR", "AutoIncContextID", &auto_context},
    {"UNPACR", "RowSearch", &row_search},
    {"UNPACR", "SearchCacheFlush", &cache_flush},
    {"UNPACR", "Last", &last_of_unpack},
    {"UNPACR_NOP", "Unpack_Pop", &nop_kind},
    {"UNPACR_NOP", "NoOp", &nop_mode},
    {"UNPACR_NOP", "Src_ClrVal_Ctrl", &clear_value},
    {"UNPACR_NOP", "NegativeInf", &negative_infinity},
    {"UNPACR_NOP", "Clr_to1_fmt_Ctrl", &clear_format},
    {"UNPACR_NOP", "Bank_Clr_Ctrl", &cleared_bank},
    {"UNPACR_NOP", "BothBanks", &cleared_bank},
    {"UNPACR_NOP", "Stall_Clr_Cntrl", &clear_wait},
    {"UNPACR_NOP", "WaitLikeUnpacr", &clear_wait},
    {"UNPACR_NOP", "Set_Dvalid", &set_dvalid},
    {"UNPACR_NOP", "Stream_Id", &stream_id},
    {"UNPACR_NOP", "Msg_Clr_Cnt", &message_count},
    {"UNPACR_NOP", "AddrSelHi", &address_select},
    {"UNPACR_NOP", "AddrSelLo", &address_select},
    {"UNPACR_NOP", "AddrSel", &address_select},
    {"UNPACR_NOP", "AddrMid", &address_middle},
    {"UNPACR_NOP", "Value11", &register_value},
    {"UNPACR_NOP", "Accumulate", &accumulate},
};

}  // namespace tessera::isa::values
