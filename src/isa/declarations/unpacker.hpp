// SPDX-License-Identifier: Apache-2.0
// Unpackers: L1 to SrcA, SrcB and Dst.
// One row per instruction and encoding: name, opcode, architectures, unit, meaning, operands from the highest bit to
// the lowest, which is the order in which the vendor's objdump prints them. An operand is {name, lowest bit, highest bit
// of its span, highest bit that means anything}. Facts from the vendor's public data; see NOTICE.
#pragma once

#include "isa/instruction_spec.hpp"

namespace tessera::isa::declarations {

inline constexpr InstructionSpec unpacker[] = {
    {"UNPACR", 0x42, blackhole, Unit::unpacker, "Move datums L1 to SrcA/SrcB/Dst with conversion", {{"Unpack_block_selection", 23, 23}, {"AddrMode", 15, 22}, {"CfgContextCntInc", 13, 14, 13}, {"CfgContextId", 10, 12}, {"AddrCntContextId", 8, 9}, {"OvrdThreadId", 7, 7}, {"SetDatValid", 6, 6}, {"srcb_bcast", 5, 5}, {"ZeroWrite2", 4, 4}, {"AutoIncContextID", 3, 3}, {"RowSearch", 2, 2}, {"SearchCacheFlush", 1, 1}, {"Last", 0, 0}}},
    {"UNPACR", 0x42, wormhole, Unit::unpacker, "Move datums L1 to SrcA/SrcB/Dst with conversion", {{"Unpack_block_selection", 23, 23}, {"AddrMode", 15, 22}, {"CfgContextCntInc", 13, 14, 13}, {"CfgContextId", 10, 12}, {"AddrCntContextId", 8, 9}, {"OvrdThreadId", 7, 7}, {"SetDatValid", 6, 6}, {"rareb_en", 5, 5}, {"ZeroWrite2", 4, 4}, {"AutoIncContextID", 3, 3}, {"RowSearch", 2, 2}, {"SearchCacheFlush", 1, 1}, {"Last", 0, 0}}},
    {"UNPACR_NOP", 0x43, blackhole, Unit::unpacker, "Side effects ordered with UNPACR (clear, dvalid, pop, MMIO write)", {{"Unpacker_Select", 23, 23}, {"Stream_Id", 16, 22, 21}, {"Msg_Clr_Cnt", 12, 15, 14}, {"Set_Dvalid", 8, 11, 8}, {"Clr_to1_fmt_Ctrl", 6, 7}, {"Stall_Clr_Cntrl", 5, 5}, {"Bank_Clr_Ctrl", 4, 4}, {"Src_ClrVal_Ctrl", 2, 3}, {"Unpack_Pop", 0, 1}}},
    {"UNPACR_NOP", 0x43, wormhole, Unit::unpacker, "Side effects ordered with UNPACR (clear, dvalid, pop, MMIO write)", {{"Unpack_block_selection", 23, 23}, {"NoOp", 0, 22, 4}}},
};

}  // namespace tessera::isa::declarations
