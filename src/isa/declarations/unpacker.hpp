// SPDX-License-Identifier: Apache-2.0
// Unpackers: L1 to SrcA, SrcB and Dst.
// One row per instruction and encoding: name, opcode, architectures, unit, meaning, operands from the highest bit to
// the lowest, which is the order in which the vendor's objdump prints them. An operand is {name, lowest bit, highest bit
// of its span, highest bit that means anything}. Facts from the vendor's public data; see NOTICE.
#pragma once

#include "isa/instruction_spec.hpp"

namespace tessera::isa::declarations {

// Forms: {name, selecting bits, their value, meaning, own operands}; the first that matches counts.
inline constexpr FormSpec unpacr_forms[] = {
    {"flush-cache", 1u << 1, 1u << 1, "Forget the row starts of compressed tiles that were found before", {{"Unpack_block_selection", 23, 23}, {"OvrdThreadId", 7, 7}, {"Last", 0, 0}}},
    {"increment-context-counter", 1u << 13, 1u << 13, "Advance the thread's context counter and do nothing else", {{"Unpack_block_selection", 23, 23}, {"Last", 0, 0}}},
    {"regular", 0, 0, "Move datums"},
};

inline constexpr FormSpec blackhole_unpacr_nop_forms[] = {
    {"pop", 0x3, 0, "Clear a message of the overlay stream that thread configuration names", {{"Unpacker_Select", 23, 23}}},
    {"set-dvalid", 0xC3, 0xC1, "Hand the unpacker's bank to the matrix unit", {{"Unpacker_Select", 23, 23}, {"Set_Dvalid", 8, 8}}},
    {"clear", 0x3, 0x1, "Fill a source bank; then hand it over if Set_Dvalid", {{"Unpacker_Select", 23, 23}, {"Set_Dvalid", 8, 8}, {"Clr_to1_fmt_Ctrl", 6, 7}, {"Stall_Clr_Cntrl", 5, 5}, {"Bank_Clr_Ctrl", 4, 4}, {"Src_ClrVal_Ctrl", 2, 3}}},
    {"nop", 0x3, 0x2, "Wait for the unpacker and do nothing", {{"Unpacker_Select", 23, 23}}},
    {"set-register", 0x7, 0x7, "Write a register of the tile, in order with UNPACR", {{"Unpacker_Select", 23, 23}, {"AddrSelHi", 22, 22}, {"AddrMid", 16, 21}, {"AddrSelLo", 15, 15}, {"Value11", 4, 14}, {"Accumulate", 3, 3}}},
    {"explicit-pop", 0x7, 0x3, "Clear a message of the overlay stream Stream_Id", {{"Unpacker_Select", 23, 23}, {"Stream_Id", 16, 21}, {"Msg_Clr_Cnt", 12, 14}}},
};

inline constexpr FormSpec wormhole_unpacr_nop_forms[] = {
    {"pop", 0x7, 0, "Clear a message of the overlay stream that thread configuration names", {{"Unpack_block_selection", 23, 23}}},
    {"clear", 0x3, 0x1, "Fill a source bank", {{"Unpack_block_selection", 23, 23}, {"WaitLikeUnpacr", 4, 4}, {"BothBanks", 3, 3}, {"NegativeInf", 2, 2}}},
    {"nop", 0x7, 0x2, "Wait for the unpacker and do nothing", {{"Unpack_block_selection", 23, 23}}},
    {"explicit-pop", 0x7, 0x3, "Clear a message of the overlay stream Stream_Id", {{"Unpack_block_selection", 23, 23}, {"Stream_Id", 16, 21}, {"Msg_Clr_Cnt", 12, 14}}},
    {"set-register", 0x7, 0x4, "Write a register of the tile, in order with UNPACR", {{"Unpack_block_selection", 23, 23}, {"AddrSel", 22, 22}, {"AddrMid", 16, 21}, {"Value11", 4, 14}, {"Accumulate", 3, 3}}},
    {"set-dvalid", 0x7, 0x7, "Hand the unpacker's bank to the matrix unit", {{"Unpack_block_selection", 23, 23}}},
    {"unspecified", 0x7, 0x6, "No source gives this mode a meaning", {{"Unpack_block_selection", 23, 23}}},
};

inline constexpr InstructionSpec unpacker[] = {
    {"UNPACR", 0x42, blackhole, Unit::unpacker, "Move datums L1 to SrcA/SrcB/Dst with conversion", {{"Unpack_block_selection", 23, 23}, {"AddrMode", 15, 22}, {"CfgContextCntInc", 13, 14, 13}, {"CfgContextId", 10, 12}, {"AddrCntContextId", 8, 9}, {"OvrdThreadId", 7, 7}, {"SetDatValid", 6, 6}, {"srcb_bcast", 5, 5}, {"ZeroWrite2", 4, 4}, {"AutoIncContextID", 3, 3}, {"RowSearch", 2, 2}, {"SearchCacheFlush", 1, 1}, {"Last", 0, 0}}, unpacr_forms},
    {"UNPACR", 0x42, wormhole, Unit::unpacker, "Move datums L1 to SrcA/SrcB/Dst with conversion", {{"Unpack_block_selection", 23, 23}, {"AddrMode", 15, 22}, {"CfgContextCntInc", 13, 14, 13}, {"CfgContextId", 10, 12}, {"AddrCntContextId", 8, 9}, {"OvrdThreadId", 7, 7}, {"SetDatValid", 6, 6}, {"rareb_en", 5, 5}, {"ZeroWrite2", 4, 4}, {"AutoIncContextID", 3, 3}, {"RowSearch", 2, 2}, {"SearchCacheFlush", 1, 1}, {"Last", 0, 0}}, unpacr_forms},
    {"UNPACR_NOP", 0x43, blackhole, Unit::unpacker, "Side effects ordered with UNPACR (clear, dvalid, pop, MMIO write)", {{"Unpacker_Select", 23, 23}, {"Stream_Id", 16, 22, 21}, {"Msg_Clr_Cnt", 12, 15, 14}, {"Set_Dvalid", 8, 11, 8}, {"Clr_to1_fmt_Ctrl", 6, 7}, {"Stall_Clr_Cntrl", 5, 5}, {"Bank_Clr_Ctrl", 4, 4}, {"Src_ClrVal_Ctrl", 2, 3}, {"Unpack_Pop", 0, 1}}, blackhole_unpacr_nop_forms},
    {"UNPACR_NOP", 0x43, wormhole, Unit::unpacker, "Side effects ordered with UNPACR (clear, dvalid, pop, MMIO write)", {{"Unpack_block_selection", 23, 23}, {"NoOp", 0, 22, 4}}, wormhole_unpacr_nop_forms},
};

}  // namespace tessera::isa::declarations
