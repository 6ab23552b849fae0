// SPDX-License-Identifier: Apache-2.0
// Values of the packers' operands. `also` has the kernel library's spelling if it differs.
#pragma once

#include "isa/values/value_spec.hpp"

namespace tessera::isa::values {

inline constexpr ValueSpec packers[] = {
    choice("default", 0, "the same as pack0"),
    bits("pack0", 1, "packer 0"),
    bits("pack1", 2, "packer 1"),
    bits("pack2", 4, "packer 2"),
    bits("pack3", 8, "packer 3"),
    bits("all", 15, "pack0|pack1|pack2|pack3"),
};
inline constexpr ValueSpec interfaces[] = {
    choice("default", 0, "all four", "ALL_INTF_ACTIVE"),
    bits("intf0", 1, "read interface 0: a row of 16 datums", "SINGLE_INTF_ACTIVE"),
    bits("intf1", 2, "read interface 1: the next row; strided: 16 rows on"),
    bits("intf2", 4, "read interface 2"),
    bits("intf3", 8, "read interface 3"),
    bits("all", 15, "intf0|intf1|intf2|intf3", "ALL_INTF_ACTIVE_ONES"),
    bits("TWO_INTFS_ACTIVE", 3, ""),
    bits("THREE_INTFS_ACTIVE", 7, ""),
    bits("_0th_AND_2nd_INTF_ACTIVE", 5, ""),
    bits("_1st_AND_3rd_INTF_ACTIVE", 10, ""),
};
inline constexpr ValueSpec row_padding[] = {
    part("none", 3, 0, "nothing is added", "NO_ROW_PAD_ZERO"),
    part("each", 3, 1, "zeros up to 16 datums", "ROW_PAD_ZERO_ALL_PACR"),
    part("no_concat", 3, 2, "the same, without Concat", "ROW_PAD_ZERO_NO_CONCAT_PACR"),
    part("last", 3, 3, "the same, with Last", "ROW_PAD_ZERO_LAST_PACR"),
    bits("at_end", 4, "only after the last row, to a multiple of 16 datums"),
    part("ROW_PAD_ZERO_ALL_PACR_16DATUM_ALGN", 7, 5, ""),
    part("ROW_PAD_ZERO_NO_CONCAT_PACR_16DATUM_ALGN", 7, 6, ""),
    part("ROW_PAD_ZERO_LAST_PACR_16DATUM_ALGN", 7, 7, ""),
};
inline constexpr ValueSpec access_modes[] = {
    choice("normal", 0, "interfaces read adjacent rows", "DST_ACCESS_NORMAL_MODE"),
    choice("strided", 1, "interfaces read rows 16 apart", "DST_ACCESS_STRIDED_MODE"),
};
inline constexpr ValueSpec context_controls[] = {
    choice("none", 0, "nothing", "NO_CTXT_CTRL"),
    choice("select", 1, "the vendor's context selection", "RTL_FLOPS_CTXT_SEL"),
    choice("reset_and_nop", 2, "the vendor's reset of contexts", "RTL_FLOPS_CTXT_RST_AND_NOP"),
    choice("select_no_reset", 3, "the vendor's selection without a reset", "RTL_FLOPS_CTXT_SEL_NO_RST"),
};
inline constexpr ValueSpec pack_sources[] = {
    choice("datums", 0, "the contents of Dst or L1", "P_ZERO_OUTPUT_DISABLED NO_ZERO_WRITE"),
    choice("zeros", 1, "zeros", "P_ZERO_OUTPUT_ENABLED ZERO_WRITE"),
};

inline constexpr ValueSet packer_mask = {
    "packer mask", "Which packers. Known are one packer, pack0|pack1, pack2|pack3 and all", packers};
inline constexpr ValueSet interface_mask = {"read interface mask", "Which rows of Dst: any of", interfaces};
inline constexpr ValueSet row_pad = {"row padding", "When zeros are added", row_padding};
inline constexpr ValueSet access_mode = {"Dst access mode", "Which rows a PACR reads", access_modes};
inline constexpr ValueSet context_control = {"context control", "No documented effect", context_controls};
inline constexpr ValueSet pack_source = {"source of PACR", "The source of the datums", pack_sources};
inline constexpr ValueSet pack_context = {
    "packer context", "0 to 3: THCON configuration of SEC0 REG1, SEC0 REG8, SEC1 REG1 or SEC1 REG8"};
inline constexpr ValueSet pack_addr_mode = {"ADDR_MOD_PACK", "0 to 3: which section moves the address counters on"};
inline constexpr ValueSet pack_adc = {
    "thread of the packers' address counters", "0 to 2, with OvrdThreadId: the thread whose counters are used"};
inline constexpr ValueSet pack_override = {
    "foreign address counters", "1: another thread's address counters are used; Wormhole: of Addr_cnt_context"};
inline constexpr ValueSet concat = {"concatenation", "1: the next PACR continues this one's row of compressed output"};
inline constexpr ValueSet flush = {"flush", "1: packs no datums; writes held bytes to L1"};
inline constexpr ValueSet last = {
    "last", "1: writes held bytes to L1; the next PACR begins at a new address"};
inline constexpr ValueSet setreg_push = {"push", "1 in the documented form"};
inline constexpr ValueSet setreg_operand = {
    "operand of PACR_SETREG", "Address and value of a write outside of the coprocessor; no other effect"};

inline constexpr OperandValues packer[] = {
    {"PACR", "CfgContext", &pack_context},
    {"PACR", "RowPadZero", &row_pad},
    {"PACR", "DstAccessMode", &access_mode},
    {"PACR", "AddrMode", &pack_addr_mode},
    {"PACR", "AddrCntContext", &pack_adc},
    {"PACR", "ZeroWrite", &pack_source},
    {"PACR", "ReadIntfSel", &interface_mask},
    {"PACR PACR_SETREG", "PackSel", &packer_mask},
    {"PACR", "OvrdThreadId", &pack_override},
    {"PACR", "Concat", &concat},
    {"PACR", "CtxtCtrl", &context_control},
    {"PACR PACR_SETREG", "Flush", &flush},
    {"PACR PACR_SETREG", "Last", &last},
    {"PACR_SETREG", "Push", &setreg_push},
    {"PACR_SETREG", "ModeSel", &setreg_operand},
    {"PACR_SETREG", "Unused", &setreg_operand},
    {"PACR_SETREG", "DisableStall", &setreg_operand},
    {"PACR_SETREG", "AddrSel", &setreg_operand},
    {"PACR_SETREG", "WrData", &setreg_operand},
    {"PACR_SETREG", "StreamId", &setreg_operand},
};

}  // namespace tessera::isa::values
