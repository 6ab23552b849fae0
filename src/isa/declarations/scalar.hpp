// SPDX-License-Identifier: Apache-2.0
// Scalar unit (ThCon): GPR arithmetic, atomics, loads and stores.
// One row per instruction and encoding: name, opcode, architectures, unit, meaning, operands from the highest bit to
// the lowest, which is the order in which the vendor's objdump prints them. An operand is {name, lowest bit, highest bit
// of its span, highest bit that means anything}. Facts from the vendor's public data; see NOTICE.
#pragma once

#include "isa/instruction_spec.hpp"

namespace tessera::isa::declarations {

// Forms: {name, selecting bits, their value, meaning, own operands}; the first that matches counts.
inline constexpr FormSpec setdmareg_forms[] = {
    {"immediate", 1u << 7, 0, "Write 16 bits to half of a GPR", {{"NewValue", 8, 23}, {"ResultHalfReg", 0, 6}}},
    {"special", 1u << 7, 1u << 7, "Read packer configuration or state into GPRs", {{"ResultSize", 22, 23}, {"WhichPackers", 15, 18}, {"InputSource", 11, 14}, {"InputHalfReg", 8, 10}, {"ResultHalfReg", 0, 6}}},
};

inline constexpr FormSpec reg2flop_forms[] = {
    {"adc", 1u << 21, 1u << 21, "8 to 32 bits of a GPR to an address counter", {{"SizeSel", 22, 23}, {"OverrideThread", 20, 20}, {"Shift8", 18, 19}, {"ThreadSel", 16, 17}, {"Channel", 11, 11}, {"ADCSel", 9, 10}, {"Cr", 8, 8}, {"XYZW", 6, 7}, {"InputReg", 0, 5}}},
    {"configuration-128", 0xF00000, 0, "Four GPRs to four words of THCON configuration", {{"ThConCfgIndex", 6, 12}, {"InputReg", 0, 5}}},
    {"configuration-32", 0x300000, 0, "A GPR to a word of THCON configuration", {{"SizeSel", 22, 23}, {"ThConCfgIndex", 6, 12}, {"InputReg", 0, 5}}},
    {"unspecified", 0x300000, 0x100000, "No source gives TargetSel 1 a meaning"},
};

inline constexpr FormSpec storeind_forms[] = {
    {"l1", 0x800000, 0x800000, "8 to 128 bits of GPRs to L1", {{"Size", 21, 22}, {"OffsetHalfReg", 14, 20}, {"OffsetIncrement", 12, 13}, {"DataReg", 6, 11}, {"AddrReg", 0, 5}}},
    {"mmio", 0xC00000, 0x400000, "A GPR to a register of the tile", {{"OffsetHalfReg", 14, 20}, {"OffsetIncrement", 12, 13}, {"DataReg", 6, 11}, {"AddrReg", 0, 5}}},
    {"src", 0xC00000, 0, "Four BF16 datums from two GPRs to SrcA or SrcB", {{"StoreToSrcB", 21, 21}, {"OffsetHalfReg", 14, 20}, {"OffsetIncrement", 12, 13}, {"DataReg", 6, 11}, {"AddrReg", 0, 5}}},
};

inline constexpr InstructionSpec scalar[] = {
    {"SETDMAREG", 0x45, both, Unit::scalar, "Write 16 bits (or a special value) to a GPR half", {{"Payload_SigSelSize", 22, 23}, {"Payload_SigSel", 8, 21}, {"SetSignalsMode", 7, 7}, {"RegIndex16b", 0, 6}}, setdmareg_forms},
    {"FLUSHDMA", 0x46, both, Unit::scalar, "Wait for chosen units to drain", {{"FlushSpec", 0, 23, 3}}},
    {"REG2FLOP", 0x48, both, Unit::scalar, "Move GPR to config flop or ADC", {{"SizeSel", 22, 23}, {"TargetSel", 20, 21}, {"ByteOffset", 18, 19}, {"ContextId_2", 16, 17}, {"FlopIndex", 6, 15, 12}, {"RegIndex", 0, 5}}, reg2flop_forms},
    {"LOADIND", 0x49, both, Unit::scalar, "Load L1 to GPR, indirect", {{"SizeSel", 22, 23}, {"OffsetIndex", 14, 21, 20}, {"AutoIncSpec", 12, 13}, {"DataRegIndex", 6, 11}, {"AddrRegIndex", 0, 5}}},
    {"TBUFCMD", 0x4B, both, Unit::scalar, "Legacy tile-buffer command"},
    {"ADDDMAREG", 0x58, both, Unit::scalar, "GPR add (reg or 6-bit const)", {{"OpBisConst", 23, 23}, {"ResultRegIndex", 12, 22, 17}, {"OpBRegIndex", 6, 11}, {"OpARegIndex", 0, 5}}},
    {"SUBDMAREG", 0x59, both, Unit::scalar, "GPR subtract", {{"OpBisConst", 23, 23}, {"ResultRegIndex", 12, 22}, {"OpBRegIndex", 6, 11}, {"OpARegIndex", 0, 5}}},
    {"MULDMAREG", 0x5A, both, Unit::scalar, "GPR 16x16 multiply", {{"OpBisConst", 23, 23}, {"ResultRegIndex", 12, 22, 17}, {"OpBRegIndex", 6, 11}, {"OpARegIndex", 0, 5}}},
    {"BITWOPDMAREG", 0x5B, both, Unit::scalar, "GPR and/or/xor", {{"OpBisConst", 23, 23}, {"OpSel", 18, 22}, {"ResultRegIndex", 12, 17}, {"OpBRegIndex", 6, 11}, {"OpARegIndex", 0, 5}}},
    {"SHIFTDMAREG", 0x5C, both, Unit::scalar, "GPR shift", {{"OpBisConst", 23, 23}, {"OpSel", 18, 22}, {"ResultRegIndex", 12, 17}, {"OpBRegIndex", 6, 11}, {"OpARegIndex", 0, 5}}},
    {"CMPDMAREG", 0x5D, both, Unit::scalar, "GPR compare", {{"OpBisConst", 23, 23}, {"OpSel", 18, 22}, {"ResultRegIndex", 12, 17}, {"OpBRegIndex", 6, 11}, {"OpARegIndex", 0, 5}}},
    {"DMANOP", 0x60, both, Unit::scalar, "Scalar no-op"},
    {"ATINCGET", 0x61, both, Unit::scalar, "Atomic increment-and-get in L1", {{"MemHierSel", 23, 23}, {"WrapVal", 14, 22, 18}, {"Sel32b", 12, 13}, {"DataRegIndex", 6, 11}, {"AddrRegIndex", 0, 5}}},
    {"ATINCGETPTR", 0x62, both, Unit::scalar, "Atomic FIFO pointer increment", {{"MemHierSel", 23, 23}, {"NoIncr", 22, 22}, {"IncrVal", 18, 21}, {"WrapVal", 14, 17}, {"Sel32b", 12, 13}, {"DataRegIndex", 6, 11}, {"AddrRegIndex", 0, 5}}},
    {"ATSWAP", 0x63, both, Unit::scalar, "Atomic masked 16-byte write", {{"MemHierSel", 23, 23}, {"SwapMask", 14, 22}, {"DataRegIndex", 6, 13, 11}, {"AddrRegIndex", 0, 5}}},
    {"ATCAS", 0x64, both, Unit::scalar, "Atomic compare-and-set", {{"MemHierSel", 23, 23}, {"SwapVal", 18, 22, 21}, {"CmpVal", 14, 17}, {"Sel32b", 12, 13}, {"DataRegIndex", 6, 11}, {"AddrRegIndex", 0, 5}}},
    {"STOREIND", 0x66, both, Unit::scalar, "Store GPR to L1 / MMIO / Src, indirect", {{"MemHierSel", 23, 23}, {"SizeSel", 22, 22}, {"RegSizeSel", 21, 21}, {"OffsetIndex", 14, 20}, {"AutoIncSpec", 12, 13}, {"DataRegIndex", 6, 11}, {"AddrRegIndex", 0, 5}}, storeind_forms},
    {"STOREREG", 0x67, both, Unit::scalar, "Store GPR to MMIO register", {{"TdmaDataRegIndex", 18, 23}, {"RegAddr", 0, 17}}},
    {"LOADREG", 0x68, both, Unit::scalar, "Load MMIO register to GPR", {{"TdmaDataRegIndex", 18, 23}, {"RegAddr", 0, 17}}},
};

}  // namespace tessera::isa::declarations
