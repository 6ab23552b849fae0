// SPDX-License-Identifier: Apache-2.0
// Values of the scalar unit's operands. `also` has the kernel library's spelling if it differs.
#pragma once

#include "isa/values/config.hpp"
#include "isa/values/misc.hpp"
#include "isa/values/value_spec.hpp"

namespace tessera::isa::values {

inline constexpr ValueSpec setdmareg_modes[] = {
    choice("immediate", 0, "form immediate", "MODE_IMMEDIATE"),
    choice("special", 1, "form special", "MODE_SIGNAL"),
};
inline constexpr ValueSpec result_sizes[] = {
    choice("half", 0, "16 bits to half a GPR", "PAYLOAD_16BIT"),
    choice("word", 1, "32 bits to a GPR", "PAYLOAD_32BIT"),
    choice("all", 2, "128 bits to four GPRs", "PAYLOAD_128BIT"),
    choice("tile_header", 3, "to four GPRs, except reserved fields of a tile's header", "PAYLOAD_TILE_HEADER"),
};
inline constexpr ValueSpec input_sources[] = {
    choice("tile_sizes", 0, "the packers' tile sizes, of the last and of accumulated tiles"),
    choice("all_zero_flags", 1, "the packers' flags of faces that are all zero"),
    choice("tile_header0", 2, "a tile's header, of packer 0"),
    choice("tile_header1", 3, "of packer 1"),
    choice("tile_header2", 4, "of packer 2"),
    choice("tile_header3", 5, "of packer 3"),
    choice("histogram_low", 6, "exponent histogram, lower half, of packer WhichPackers"),
    choice("histogram_high", 7, "exponent histogram, upper half"),
    choice("first_flags", 8, "each packer's first flag; accumulated sizes of WhichPackers, a mask, become 0"),
    choice("largest_exponent", 9, "the largest exponent of packer 0's histogram"),
};

/// Sizes for both REG2FLOP and LOADIND.
inline constexpr ValueSpec sizes[] = {
    choice("b16", 0, "16 bytes: four GPRs, aligned", "WRITE_16B LD_16B"),
    choice("b4", 1, "4 bytes", "WRITE_4B LD_32bit"),
    choice("b2", 2, "2 bytes", "WRITE_2B LD_16bit"),
    choice("b1", 3, "1 byte", "WRITE_1B LD_8bit"),
};
inline constexpr ValueSpec targets[] = {
    choice("config", 0, "THCON configuration"),
    choice("adc", 2, "an address counter of the thread"),
    choice("adc_of_thread", 3, "an address counter of the thread that ContextId_2 names"),
};
inline constexpr ValueSpec adc_choices[] = {
    choice("A", 0, "unpacker 0's", "UNP0 UNP_A"),
    choice("B", 1, "unpacker 1's", "UNP1 UNP_B"),
    choice("PAC", 2, "the packers'"),
};
inline constexpr ValueSpec counter_copies[] = {
    choice("counter", 0, "the counter"),
    choice("checkpoint", 1, "its checkpoint"),
};
inline constexpr ValueSpec increments[] = {
    choice("none", 0, "nothing", "INC_NONE"),
    choice("inc2", 1, "2 bytes", "INC_2B"),
    choice("inc4", 2, "4 bytes", "INC_4B"),
    choice("inc16", 3, "16 bytes", "INC_16B"),
};
inline constexpr ValueSpec memories[] = {
    choice("regfile", 0, "registers: of the tile, or a source bank", "HIER_REGFILE"),
    choice("l1", 1, "L1", "HIER_L1"),
};
inline constexpr ValueSpec source_names[] = {
    choice("a", 0, "SrcA", "srca"),
    choice("b", 1, "SrcB", "srcb"),
};
inline constexpr ValueSpec right_operands[] = {
    choice("reg", 0, "OpBRegIndex is a GPR", "REG_PLUS_REG"),
    choice("imm", 1, "OpBRegIndex is the number itself, 0 to 63", "REG_PLUS_IMM"),
};
inline constexpr ValueSpec bit_operations[] = {
    choice("and", 0, "left & right"),
    choice("or", 1, "left | right"),
    choice("xor", 2, "left ^ right"),
};
inline constexpr ValueSpec shift_directions[] = {
    choice("left", 0, "left << right"),
    choice("right", 1, "left >> right, zeros move in"),
};
inline constexpr ValueSpec comparisons[] = {
    choice("gt", 0, "left > right"),
    choice("lt", 1, "left < right"),
    choice("eq", 2, "left = right"),
};
inline constexpr ValueSpec fifo_counters[] = {
    choice("read", 0, "the read counter, once the FIFO is not empty"),
    choice("write", 1, "the write counter, once the FIFO is not full"),
};
inline constexpr ValueSpec swap_masks[] = {
    bits("h0", 0x01, "bytes 0 and 1 of the line"),   bits("h1", 0x02, "bytes 2 and 3"),
    bits("h2", 0x04, "bytes 4 and 5"),               bits("h3", 0x08, "bytes 6 and 7"),
    bits("h4", 0x10, "bytes 8 and 9"),               bits("h5", 0x20, "bytes 10 and 11"),
    bits("h6", 0x40, "bytes 12 and 13"),             bits("h7", 0x80, "bytes 14 and 15"),
    bits("all", 0xFF, "all bytes"),                  bits("single", 0x100, "one GPR, not four, has the data"),
};

inline constexpr ValueSet setdmareg_mode = {"mode of SETDMAREG", "Which form", setdmareg_modes};
inline constexpr ValueSet setdmareg_size = {"value bits 15:14, or size", "Form immediate: the upper bits of the value"};
inline constexpr ValueSet setdmareg_payload = {
    "value bits 13:0, or source", "Form immediate: the lower bits of the value"};
inline constexpr ValueSet half_gpr = {"half of a GPR", "0 to 127: twice the GPR's number, + 1 for the upper half"};
inline constexpr ValueSet result_size = {"result size", "Size of the result, and its place", result_sizes};
inline constexpr ValueSet input_source = {"special source", "The 128 bits to read", input_sources};
inline constexpr ValueSet which_packers = {"packers", "The packers; see InputSource"};
inline constexpr ValueSet input_half = {"half word", "0 to 7: which 16 bits, or from which 32 bits on"};
inline constexpr ValueSet immediate_value = {"value", "The half's new value"};
inline constexpr ValueSet size = {"size", "How much", sizes};
inline constexpr ValueSet target = {"target of REG2FLOP", "The target. 1 has no meaning", targets};
inline constexpr ValueSet byte_offset = {"byte offset", "0 to 3: from which byte of the GPR on"};
inline constexpr ValueSet context_thread = {"thread", "0 to 2: the thread of the address counter, with adc_of_thread"};
inline constexpr ValueSet flop_index = {
    "index", "Configuration: words, counted from THCON's first; address counters: see form adc"};
inline constexpr ValueSet override_thread = {"other thread", "1: the thread in ThreadSel; else the instruction's own"};
inline constexpr ValueSet adc_choice = {"address counters", "Whose", adc_choices};
inline constexpr ValueSet counter_copy = {"counter or checkpoint", "Which of the two", counter_copies};
inline constexpr ValueSet increment = {"increment", "The increment of the offset", increments};
inline constexpr ValueSet memory = {"memory", "The target", memories};
inline constexpr ValueSet atomic_memory = {
    .title = "memory of atomics", .about = "No effect: it is L1", .values = memories, .ignored = true};
inline constexpr ValueSet store_size = {
    "size or register",
    "With MemHierSel=l1 the upper bit of the size (form l1); else 1: a register of the tile, 0: a source bank"};
inline constexpr ValueSet store_low = {
    "size or source", "With MemHierSel=l1 the lower bit of the size (form l1); for a source bank 0: SrcA, 1: SrcB"};
inline constexpr ValueSet source_name = {"source", "Which source", source_names};
inline constexpr ValueSet gpr_times_16 = {"address GPR", "0 to 63: a GPR with an address; of L1 in units of 16 bytes"};
inline constexpr ValueSet right_operand = {"right operand", "The meaning of OpBRegIndex", right_operands};
inline constexpr ValueSet bit_operation = {
    "bit operation", "3 to 7 have no meaning", bit_operations, "BITWOPDMAREG_MODE_"};
inline constexpr ValueSet shift_direction = {
    "shift direction", "2 to 7 have no meaning", shift_directions, "SHIFTDMAREG_MODE_"};
inline constexpr ValueSet comparison = {
    "comparison", "1 if the comparison holds, else 0; unsigned. 3 to 7 have no meaning", comparisons, "CMPDMAREG_MODE_"};
inline constexpr ValueSet wrap = {"counter width", "0 to 31: the counter's bits, minus one"};
inline constexpr ValueSet fifo_width = {
    "FIFO width", "1 to 15: bits of the counters; the FIFO has 1 << (width - 1) elements"};
inline constexpr ValueSet line_word = {"word of the line", "0 to 3: which 32 bits of the 16 bytes"};
inline constexpr ValueSet fifo_counter = {"FIFO counter", "The counter, and the awaited condition", fifo_counters};
inline constexpr ValueSet no_increment = {"no increment", "1: the counter keeps its value; else 1 << IncrVal is added"};
inline constexpr ValueSet increment_power = {"increment power", "1 << this is added"};
inline constexpr ValueSet swap_mask = {"swap mask", "The words of the 16 bytes to write: any of", swap_masks};
inline constexpr ValueSet swap_value = {"new value", "0 to 15: the word's new value"};
inline constexpr ValueSet compare_value = {"expected value", "0 to 15: the awaited value"};
inline constexpr ValueSet register_address = {"register address", "Words from 0xFFB00000 on"};

inline constexpr OperandValues scalar[] = {
    {"SETDMAREG", "SetSignalsMode", &setdmareg_mode},
    {"SETDMAREG", "Payload_SigSelSize", &setdmareg_size},
    {"SETDMAREG", "Payload_SigSel", &setdmareg_payload},
    {"SETDMAREG", "RegIndex16b", &half_gpr},
    {"SETDMAREG", "ResultHalfReg", &half_gpr},
    {"SETDMAREG", "NewValue", &immediate_value},
    {"SETDMAREG", "ResultSize", &result_size},
    {"SETDMAREG", "InputSource", &input_source},
    {"SETDMAREG", "WhichPackers", &which_packers},
    {"SETDMAREG", "InputHalfReg", &input_half},
    {"REG2FLOP LOADIND", "SizeSel", &size},
    {"REG2FLOP", "TargetSel", &target},
    {"REG2FLOP", "ByteOffset", &byte_offset},
    {"REG2FLOP", "Shift8", &byte_offset},
    {"REG2FLOP", "ContextId_2", &context_thread},
    {"REG2FLOP", "ThreadSel", &context_thread},
    {"REG2FLOP", "FlopIndex", &flop_index},
    {"REG2FLOP", "ThConCfgIndex", &flop_index},
    {"REG2FLOP", "RegIndex", &gpr},
    {"REG2FLOP", "InputReg", &gpr},
    {"REG2FLOP", "OverrideThread", &override_thread},
    {"REG2FLOP", "Channel", &channel},
    {"REG2FLOP", "ADCSel", &adc_choice},
    {"REG2FLOP", "Cr", &counter_copy},
    {"REG2FLOP", "XYZW", &dimension},
    {"LOADIND STOREIND", "OffsetIndex", &half_gpr},
    {"STOREIND", "OffsetHalfReg", &half_gpr},
    {"LOADIND STOREIND", "AutoIncSpec", &increment},
    {"STOREIND", "OffsetIncrement", &increment},
    {"STOREIND", "MemHierSel", &memory},
    {"STOREIND", "SizeSel", &store_size},
    {"STOREIND", "RegSizeSel", &store_low},
    {"STOREIND", "Size", &size},
    {"STOREIND", "StoreToSrcB", &source_name},
    {"STOREIND", "DataReg", &gpr},
    {"STOREIND", "AddrReg", &gpr_times_16},
    {"", "DataRegIndex", &gpr},
    {"", "AddrRegIndex", &gpr_times_16},
    {"", "OpBisConst", &right_operand},
    {"", "ResultRegIndex", &gpr},
    {"", "OpARegIndex", &gpr},
    {"", "OpBRegIndex", &gpr},
    {"BITWOPDMAREG", "OpSel", &bit_operation},
    {"SHIFTDMAREG", "OpSel", &shift_direction},
    {"CMPDMAREG", "OpSel", &comparison},
    {"", "MemHierSel", &atomic_memory},
    {"ATINCGET", "WrapVal", &wrap},
    {"ATINCGETPTR", "WrapVal", &fifo_width},
    {"ATINCGET ATCAS", "Sel32b", &line_word},
    {"ATINCGETPTR", "Sel32b", &fifo_counter},
    {"ATINCGETPTR", "NoIncr", &no_increment},
    {"ATINCGETPTR", "IncrVal", &increment_power},
    {"ATSWAP", "SwapMask", &swap_mask},
    {"ATCAS", "SwapVal", &swap_value},
    {"ATCAS", "CmpVal", &compare_value},
    {"STOREREG LOADREG", "TdmaDataRegIndex", &gpr},
    {"STOREREG LOADREG", "RegAddr", &register_address},
};

}  // namespace tessera::isa::values
