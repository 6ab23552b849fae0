// SPDX-License-Identifier: Apache-2.0
// Every fault and finding that can be told: one row each, with its meaning, what hardware does, the cure and the source.
// "spec-notes A20" is row A20 of docs/spec-notes.md. Units name a row when they resolve an instruction; the text is made
// only when somebody reads it.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "tessera/finding.hpp"

namespace tessera::findings {

enum class Kind : std::uint8_t { fault, finding };

struct Entry {
    std::string_view code;
    Kind kind;
    Level level;  ///< default; unused for faults
    /// {0}, {1}, … are the values, {detail} the static text that came with them.
    std::string_view message;
    std::array<std::string_view, 4> values;  ///< names of the values, in order
    std::string_view hardware;
    std::string_view cure;
    std::string_view source;
};

using enum Level;

// Rows are laid out by hand.
// clang-format off
inline constexpr Entry catalogue[] = {
    // --- faults of the run as a whole
    {"not-implemented", Kind::fault, error, "{detail} is not implemented yet", {}, "executes it",
     "leave it out, or use a version of Tessera whose fidelity report lists it", "docs/architecture.md"},
    {"unknown-opcode", Kind::fault, error, "opcode {0} is no instruction of this architecture", {"opcode"},
     "undefined", "check that the word is a plain (not rotated) instruction word of this architecture",
     "spec-notes C12"},
    {"isa.undefined-bits", Kind::finding, warning, "bits {0} of word {1} mean nothing in this instruction",
     {"bits", "word"}, "ignores them, as far as is known", "clear them, or check the word's operands",
     "docs/reference/instructions.md"},
    {"deadlock", Kind::fault, error, "nothing can act and something is unfinished", {}, "hangs",
     "see which wait each actor is in, and what would end it", "docs/architecture.md, Time"},
    {"no-progress", Kind::fault, error, "the limit of {0} cycles has passed", {"max_cycles"}, "goes on",
     "raise the limit if the program is meant to run longer", "docs/architecture.md, Time"},
    {"interrupted", Kind::fault, error, "the run was interrupted", {}, "", "", "docs/architecture.md, Time"},

    // --- the second implementation (RunOptions::reference)
    {"reference.no-result", Kind::fault, error, "the functional model of {detail} has no result, and the unit has one",
     {}, "", "compare with a run without the second implementation, and report it", "src/reference"},

    // --- unpackers
    {"unpack.l1-address", Kind::fault, error, "UNPACR reads L1 at {0} for {1} bytes, and L1 has {2}",
     {"address", "bytes", "l1_bytes"}, "undefined", "check base address, offset and address counters",
     "UNPACR_Regular, ReadL1Bytes"},
    {"unpack.base-wraps", Kind::finding, warning, "base address, offset and header are beyond 32 bits; the tile is taken from {0}",
     {"address"}, "an address of 32 bits", "write the address in units of 16 bytes", "UNPACR_Regular, Functional model; spec-notes A36"},
    {"unpack.count-negative", Kind::fault, error, "UNPACR's last datum {0} lies before its first {1}",
     {"x_end", "x_start"}, "unpacks until L1 ends", "set X of channel 1 with SETADCXX", "spec-notes A21"},
    {"unpack.context-adc-3", Kind::fault, error, "ContextADC is 3, and there are three threads", {}, "undefined",
     "use 0, 1 or 2", "UNPACR_Regular, Functional model"},
    {"unpack.out-address-misaligned", Kind::fault, error, "output address {0} is not a multiple of the datum size {1}",
     {"address", "datum_bytes"}, "undefined", "choose base and strides as multiples of the datum size",
     "UNPACR_Regular, Functional model; spec-notes A20"},
    {"unpack.unknown-format", Kind::fault, error, "data format code {0} names no format", {"code"}, "undefined",
     "set InDataFormat and Out_data_format to a DataFormat", "spec-notes A69"},
    {"unpack.fp32-to-other", Kind::fault, error, "FP32 cannot become {0} on the way to a source register or Dst",
     {"out_format"}, "undefined", "set Out_data_format to Tf32, Float16 or Float16_b, or for Dst to Float32",
     "UNPACR_Regular, FormatConversion"},
    {"unpack.dst-transposed", Kind::fault, error, "UNPACR to Dst with transposition or column shift", {}, "undefined",
     "clear Haloize_mode and the context's Shift_amount", "UNPACR_Regular, Functional model"},
    {"unpack.in-address-misaligned", Kind::fault, error,
     "input address {0} does not begin a line of 16 bytes, which transposition and tilize mode need", {"address"},
     "undefined", "choose base, offset and counters so that the first datum begins a line of 16 bytes",
     "UNPACR_Regular, Functional model"},
    {"unpack.tilize-conflict", Kind::fault, error, "UNPACR in tilize mode with upsampling, or of a compressed tile", {},
     "undefined", "clear Upsample_rate; set IsUncompressed, or the context's Disable_zero_compress",
     "UNPACR_Regular, Functional model"},
    {"unpack.blob-index", Kind::fault, error,
     "row search for the blob behind blob {0}, and a tile descriptor has starts of eight", {"blob"}, "undefined",
     "keep X of channel 0 below BlobsPerXYPlane", "UNPACR_Regular, Functional model; spec-notes A71"},
    {"unpack.stale-row-starts", Kind::finding, warning,
     "the row start at L1 {0} is {1}, as a cache of the unpacker has it, and L1 holds {2}", {"address", "kept", "in_l1"},
     "four caches per unpacker, of an entry each; what it keeps is not documented",
     "flush the cache with a form of UNPACR when the row starts of a tile have changed",
     "UNPACR (Flush unpacker decompression row start cache); spec-notes A70"},
    {"unpack.block-exponent", Kind::finding, warning,
     "the datum at L1 {0} of a block with exponent {1} has exponent {2} by itself, of which the low 5 bits are taken",
     {"address", "shared", "exponent"}, "undefined",
     "use Bfp8_b, Bfp4_b or Bfp2_b for numbers of this range, or check the exponent section",
     "UNPACR_Regular, BFP8aToFP16; spec-notes A40"},
    {"unpack.tilize-sub-byte", Kind::finding, warning, "tilize mode with datums of {0} bits takes rows of 16 datums",
     {"bits"}, "not characterised", "use a format of at least 8 bits per datum", "spec-notes A8"},
    {"unpack.context-count-non-log2", Kind::finding, warning,
     "the context counter returns to 0 at {0}, from Context_count_non_log2", {"contexts"}, "not documented",
     "use Context_count", "spec-notes A25"},
    {"unpack.context-count-inc", Kind::finding, warning,
     "CfgContextCntInc: UNPACR advances the context counter without using it", {}, "not documented",
     "set AutoIncContextID in UNPACR instead", "spec-notes A26"},
    {"unpack.srcb-broadcast", Kind::finding, warning, "each row goes to the seven rows of SrcB behind it, too", {},
     "not characterised", "unpack the rows, or use the broadcast modes of the matrix unit", "spec-notes A57"},
    {"unpack.bit5-ignored", Kind::finding, warning, "bit 5 of UNPACR changes nothing here", {}, "not documented",
     "leave the bit clear", "spec-notes A57"},
    {"unpack.dst-set-ovrd", Kind::finding, warning,
     "UNPACR to Dst with SRCA_SET_SetOvrdWithAddr takes rows without bits 4 and 5 of their number", {},
     "undefined; likely so", "clear SRCA_SET_SetOvrdWithAddr", "UNPACR_Regular, Functional model; spec-notes A16"},
    {"unpack.dst-clobbers-src-a", Kind::finding, info,
     "UNPACR to Dst, after which nothing can be said about SrcA bank {0}; here it stays as it was", {"bank"},
     "leaves unpredictable datums in the bank", "unpack to SrcA again before the bank is used",
     "UNPACR_Regular, Functional model; spec-notes A17"},
    {"unpack.format-mismatch", Kind::finding, warning, "input format {0} and output format {1} differ",
     {"in_format", "out_format"}, "undefined", "only FP32 can be converted: make both formats equal",
     "UNPACR_Regular, FormatConversion; spec-notes A68"},
    {"unpack.fp32-to-src", Kind::finding, warning, "FP32 to a source register is taken as TF32", {}, "not validated",
     "set Out_data_format to Tf32", "spec-notes A52"},
    {"unpack.tf32-to-src", Kind::finding, warning, "TF32 in L1 to a source register is taken as FP32 truncated", {},
     "undefined", "set InDataFormat to Float32", "spec-notes A49"},
    {"unpack.int32-to-src", Kind::finding, warning, "INT32 to a source register is truncated to 19 bits", {},
     "not validated", "unpack INT32 to Dst", "spec-notes A52"},
    {"unpack.unpacker1-context", Kind::finding, warning, "unpacker 1 with context {0}: it has two", {"context"},
     "undefined", "use contexts 0 and 1 for unpacker 1", "UNPACR_Regular, Functional model; spec-notes A24"},
    {"unpack.srca-row-64", Kind::finding, warning, "SrcA row {0} is beyond the bank and wraps", {"row"}, "undefined",
     "keep output address and count within 64 rows", "spec-notes A10"},
    {"unpack.srca-row-16", Kind::finding, warning, "SrcA row {0} is beyond the 16 rows of a set and wraps", {"row"},
     "undefined", "set SRCA_SET_SetOvrdWithAddr, or keep within 16 rows", "spec-notes A11"},
    {"unpack.srcb-row-wrap", Kind::finding, warning, "SrcB row {0} is beyond the bank and wraps", {"row"}, "undefined",
     "keep output address, SrcRow and count within 64 rows", "spec-notes A13"},
    {"unpack.throttle-mode", Kind::finding, warning, "Throttle_mode {0} names no speed, and is taken as x4", {"mode"},
     "undefined", "set Throttle_mode to 0 (x1), 1 (x2) or 2 (x4)", "UNPACR_Regular, Performance; spec-notes F1"},
    {"unpack.both-banks", Kind::finding, warning, "UNPACR_NOP clears both banks", {}, "races with the matrix unit",
     "clear one bank at a time", "spec-notes A63"},
    {"unpack.clear-value", Kind::finding, warning, "UNPACR_NOP clears to {detail}", {},
     "no source gives the bits that it writes", "clear to zero, or unpack what is wanted", "spec-notes A81"},
    {"unpack.nop-mode", Kind::finding, warning, "UNPACR_NOP mode {0} has no meaning and does nothing", {"mode"},
     "undefined", "use a mode that the page defines", "spec-notes C4"},
    {"unpack.nop-unsupported", Kind::finding, info, "UNPACR_NOP that {detail}", {},
     "does so as far as is known; ordered with nothing but the unpacker's own reads of L1",
     "let a core write the register", "UNPACR_NOP (SETREG, OverlayClear); spec-notes A80"},
    {"unpack.setdvalid-queued", Kind::finding, warning,
     "SETDVALID of Src{detail}, whose bank UNPACRs that are not done will still hand over", {},
     "hands over the bank that the unpacker is at just then", "wait for the unpacker first, or use UNPACR_NOP",
     "SETDVALID, Functional model; spec-notes A82"},
    {"unpack.setdvalid-format", Kind::finding, info,
     "SETDVALID says nothing about the format of Src{detail}, and the matrix unit goes by the bank's", {},
     "not characterised", "use UNPACR_NOP's set-dvalid, or set DISABLE_IMPLIED_SRCA_FMT and DISABLE_IMPLIED_SRCB_FMT",
     "SETDVALID, Functional model; spec-notes A82"},

    // --- packers
    {"pack.l1-address", Kind::fault, error, "PACR writes L1 at {0} for {1} bytes, and L1 has {2}",
     {"address", "bytes", "l1_bytes"}, "undefined", "check L1_Dest_addr and the output address counters",
     "Packers, Output address generator"},
    {"pack.compressed-reach", Kind::fault, error, "PACR's compressed output may come as far as L1 {0}, and L1 has {1}",
     {"end", "l1_bytes"}, "writes less when it finds zeros, else undefined",
     "leave room for output without a zero, or end streams earlier", "Packers, Output address generator; spec-notes E32"},
    {"pack.count-negative", Kind::fault, error, "PACR's last datum {0} lies before its first {1}", {"x_end", "x_start"},
     "undefined", "set X of both channels with SETADCXX", "Packers, Input address generator"},
    {"pack.x-range", Kind::fault, error, "PACR takes datums {0} to {1} of a row, and a row has 16", {"x_start", "x_end"},
     "undefined", "keep X within one row on Blackhole", "spec-notes E13"},
    {"pack.interface-group", Kind::finding, warning, "read interfaces {0} starting at Dst row {1} leave the group of four",
     {"mask", "row"}, "undefined", "start at a multiple of four rows, or enable fewer interfaces",
     "PACR (Blackhole), Dst read interfaces"},
    {"pack.l1-source", Kind::fault, error, "PACR reads L1 at {0} for {1} bytes, and L1 has {2}",
     {"address", "bytes", "l1_bytes"}, "undefined", "check L1_source_addr and the input address counters",
     "Packers, Input address generator"},
    {"pack.undefined", Kind::fault, error, "PACR with {detail}: no result is defined", {}, "undefined",
     "choose formats and modes that the packers' pages have", "Packers; spec-notes E21 to E33"},
    {"pack.in-format", Kind::fault, error,
     "In_data_format {0} does not name what the early conversion makes of Dst with intermediate format {1}",
     {"in_format", "intermediate"}, "undefined",
     "make In_data_format the type that comes out of the early conversion, mostly that of Dstacc",
     "Packers, FormatConversion; spec-notes E26"},
    {"pack.dest-addr", Kind::finding, warning, "L1_Dest_addr {0} is beyond 17 bits and wraps to {1}",
     {"l1_dest_addr", "wrapped"}, "wraps", "give it in units of 16 bytes", "Packers, Output address generator"},
    {"pack.x-stride", Kind::finding, warning, "X's stride is {0} bytes, and datums are addressed with {1}",
     {"x_stride", "datum_bytes"}, "does so", "set Xstride to the bytes of a datum of In_data_format, or to 0",
     "Packers, Input address generator"},
    {"pack.in-address", Kind::finding, warning, "the input begins at byte {0}, of which the low four bits are dropped",
     {"in_base"}, "drops them", "make base and strides multiples of 16, and address datums of a row with X",
     "Packers, Input address generator"},
    {"pack.out-address", Kind::finding, warning,
     "base and counters move the output by {0}, of which the low four bits are dropped", {"offset"}, "drops them",
     "make the output base and strides multiples of 16", "Packers, Output address generator; spec-notes E12"},
    {"pack.strides-overlap", Kind::finding, warning,
     "steps of channel {0} overlap: one is {1}, and what lies within it reaches {2}", {"channel", "stride", "within"},
     "packs the same datums twice, or over what it has packed", "make each stride at least as large as what it steps over",
     "Packers, Input address generator, Output address generator"},
    {"pack.exponent-section", Kind::finding, warning,
     "{0} bytes of exponents in a section of {1}: they lie over the datums behind it", {"bytes", "section"},
     "writes them there", "set Exp_section_size to the exponents of a tile in units of 16 bytes, a unit per 256 datums",
     "Packers, Output address generator; seed pack-unpack-registers, 1.1"},
    {"pack.undocumented-field", Kind::finding, info, "{detail} is set, and no page gives it an effect", {},
     "unknown", "leave it 0", "spec-notes E40, H5"},
    {"pack.decided", Kind::finding, info, "PACR with {detail}: the pages leave open what happens", {}, "unknown",
     "do not rely on it", "spec-notes E33 to E39"},
    {"pack.compression-changed", Kind::finding, warning,
     "compression changes within a stream, which stays what it began as", {}, "unknown",
     "end the stream with Last or Flush first", "spec-notes E32"},
    {"rounding.stochastic-undocumented", Kind::finding, info,
     "stochastic rounding: which random bits hardware uses is not documented", {}, "rounds by its own generator",
     "expect the same only on average", "spec-notes E35, H6"},
    {"pack.group-dropped", Kind::finding, warning,
     "{0} datums of a block float wait for the rest of their 16, and the stream ends in another format", {"datums"},
     "undefined", "end the stream with Last or Flush before the output format changes",
     "Packers, Output alignment; spec-notes E23"},
    {"pack.relu-threshold", Kind::finding, warning, "the threshold of the ReLU is negative", {}, "undefined",
     "use a threshold of at least +0, or mode 1", "Packers, ReLU; spec-notes E29"},
    {"pack.packer-mask", Kind::finding, warning, "packer mask {0} is not one of 1, 2, 4, 8, 3, 12, 15", {"mask"},
     "may ignore some of the packers", "use one of the defined masks", "PACR (Wormhole), Functional model"},

    // --- matrix unit
    {"matrix.fidelity-phase", Kind::finding, warning, "ELWADD or ELWSUB in fidelity phase {0} divides its result",
     {"phase"}, "divides by 32 in odd phases and by 128 in phases 2 and 3", "clear the fidelity phase first",
     "ELWADD, Functional model; spec-notes E4"},
    {"matrix.src-a-row", Kind::finding, warning, "SrcA row {0} of {detail} is no multiple of 16", {"row"},
     "takes 16 rows from there, which may wrap to row 0", "keep the SrcA counter at a multiple of 16",
     "MVMUL, Functional model; spec-notes E10"},
    {"matrix.tf32-low", Kind::finding, warning, "a move of TF32 to the low half of Dst", {}, "erratum",
     "move TF32 without dest_32b_lo", "MOVA2D, Functional model"},
    {"matrix.bank-not-owned", Kind::finding, warning, "writes {detail} bank {0}, which belongs to the unpackers", {"bank"},
     "does not wait for the bank", "STALLWAIT for SRCA_VLD or SRCB_VLD before it", "MOVD2A, Instruction scheduling"},
    {"matrix.move-needs-32-bit-dst", Kind::finding, warning, "a move of TF32, or of a low half, from 16-bit Dst", {},
     "undefined; here as BF16 and from the 16 bits", "enable 32-bit Dst, or move another format",
     "MOVD2A, Functional model; spec-notes E7"},
    {"matrix.zeroacc-range", Kind::finding, info, "ZEROACC block {0} is beyond Dst and clears nothing", {"block"},
     "clears nothing, which is not guaranteed", "use an index within Dst", "ZEROACC, Functional model; spec-notes E17"},
    {"matrix.zeroacc-revert", Kind::finding, warning, "ZEROACC with clear_zero_flags makes rows valid again", {},
     "undefined", "leave clear_zero_flags 0", "ZEROACC, Functional model"},
    {"matrix.cleardvalid-reset", Kind::finding, warning, "CLEARDVALID resets all banks", {},
     "unsafe while unpackers or matrix unit are at work", "hand banks over one by one", "CLEARDVALID; spec-notes B21"},
    {"matrix.shift-direction", Kind::finding, warning, "SHIFTXA with direction {0} shifts nothing", {"direction"},
     "undefined", "use 2 for right or 3 for left", "SHIFTXA, Functional model; spec-notes E51"},
    {"matrix.shift-row", Kind::finding, info, "SHIFTXA takes rows {0} to {1}: those of the matrix instruction before it",
     {"first_row", "last_row"}, "a hardware bug that is not guaranteed",
     "issue a matrix instruction at the wanted SrcA row right before it", "SHIFTXA, Functional model; spec-notes E41"},
    {"matrix.debug-move", Kind::finding, warning, "reads {detail} bank {0}, which belongs to the unpackers", {"bank"},
     "does not wait for the bank", "use MOVA2D or MOVB2D, or wait for the bank", "MOVDBGA2D; spec-notes E54"},
    {"matrix.legacy", Kind::finding, warning, "{detail} is a remnant of earlier architectures", {},
     "adds 0 to Dst, or takes the maximum with 0; not guaranteed", "leave it out",
     "MatrixUnit, Legacy instructions; spec-notes E53"},

    // --- vector unit
    {"vector.undefined-mode", Kind::finding, warning, "mode {0} is undefined", {"mode"}, "undefined; here nothing happens",
     "use a mode that the page defines", "SFPLOADI, Functional model"},
    {"vector.reserved-mode", Kind::finding, warning, "{detail} {0} is reserved and acts as {1}", {"mode", "acts_as"},
     "acts as told here, which is not guaranteed", "use a mode that the instruction's page defines",
     "NonContractualBehavior in functional models; spec-notes V46"},
    {"vector.multiply-addend", Kind::finding, warning, "SFPMUL24 adds LReg {0}, shifted as floating-point addends are",
     {"lreg_src_c"}, "does so, which is not guaranteed", "name LReg 9, which is zero", "SFPMUL24, Functional model"},
    {"vector.multiply-add-operands", Kind::finding, info, "{detail} with operands that only SFPMAD is made for", {},
     "does what SFPMAD does, which is not guaranteed", "use SFPMAD", "SFPADD, SFPMUL, first paragraph; spec-notes V45"},

    // --- configuration, counters, sync
    {"mmio-unmapped", Kind::fault, error, "{detail} writes {0}, where no register of the coprocessor is", {"address"},
     "reaches whatever the tile has there", "set SetRegBase to a register of an overlay stream",
     "UNPACR_NOP (SETREG); spec-notes A80"},
    {"config.index", Kind::fault, error, "configuration index {0} is beyond the {1} words there are", {"index", "words"},
     "undefined", "use the ADDR32 of a field of this architecture", "SETC16, Functional model"},
    {"config.write-while-busy", Kind::finding, warning,
     "writes {detail} while an instruction of thread {0} that goes by it may still be at work", {"thread"},
     "samples some fields at an unspecified point of PACR's and UNPACR's life",
     "STALLWAIT of the configuration unit for the packers or the unpacker before it",
     "seed pack-unpack-registers, 4.5; PACR (Blackhole), Instruction fields; spec-notes E61"},
    {"config.gpr-not-awaited", Kind::finding, info,
     "writes {detail} from a GPR with no STALLWAIT for THCON since the thread's last scalar instruction", {},
     "holds the thread until a scalar instruction is done, but not for what reads L1 or MMIO",
     "STALLWAIT of the configuration unit for THCON before it", "seed pack-unpack-registers, 4.5; spec-notes E61"},
    {"config.undocumented-field", Kind::finding, info, "{detail} is set, and no page gives it an effect", {}, "unknown",
     "leave it 0", "docs/reference/registers.md; spec-notes E60"},
    {"scalar.undefined-mode", Kind::finding, warning, "mode {0} is undefined", {"mode"},
     "undefined; here the result is the left operand", "use a mode that the page defines", "spec-notes G1"},
    {"scalar.reg2flop-index", Kind::fault, error, "THCON configuration index {0} is beyond the {1} words there are",
     {"index", "words"}, "undefined", "use WRCFG for fields that are not THCON's",
     "REG2FLOP (Configuration), Functional model"},
    {"scalar.reg2flop-unsupported", Kind::finding, warning, "{detail} is not supported", {}, "not guaranteed",
     "use WRCFG or SETADC", "spec-notes G2"},
    {"sync.mutex-index", Kind::fault, error, "mutex {0} does not exist: the thread waits forever", {"mutex"},
     "waits forever", "use 0 or 2 and above", "ATGETM, Functional model; spec-notes B25"},
    {"sync.mutex-not-held", Kind::finding, warning, "ATRELM of mutex {0}, which the thread does not hold", {"mutex"},
     "changes nothing", "release what was acquired", "ATRELM, Functional model"},
    {"sync.post-at-15", Kind::finding, warning, "SEMPOST of semaphore {0}, which is at 15", {"semaphore"},
     "stays at 15", "wait with SEMWAIT until there is room", "SEMPOST, Functional model"},
    {"sync.get-at-0", Kind::finding, warning, "SEMGET of semaphore {0}, which is at 0", {"semaphore"}, "stays at 0",
     "wait with SEMWAIT until it has been posted", "SEMGET, Functional model"},
    {"sync.semwait-no-condition", Kind::finding, warning, "SEMWAIT without a condition acts as STALLWAIT", {},
     "undefined; older pages say a STALLWAIT with the default conditions", "set a condition",
     "SEMWAIT, Functional model; spec-notes C7"},
    {"sync.wait-replaced", Kind::finding, warning, "SEMWAIT replaces a latched wait whose condition was not met", {},
     "forgets the earlier wait", "include B1 in the block mask of every wait", "SEMWAIT (Wormhole), Block mask"},

    // --- front end
    {"frontend.nested", Kind::fault, error, "{detail} reaches the wait gate, which has no unit for it", {}, "undefined",
     "push it from the core: no MOP or MOP_CFG in MOP registers, no REPLAY in a recording",
     "MOPExpander, REPLAY, Functional model; spec-notes C13"},
    {"frontend.mop-word-counts", Kind::finding, warning, "MOP of template 1 with count or mask bits {0} in its word",
     {"bits"}, "not supported; here they change nothing", "put the counts into MOP registers 0 and 1",
     "MOPExpander, Functional model; spec-notes B27"},
    {"frontend.mop-count", Kind::finding, warning, "MOP register {0} holds count {1}, of which the low {2} bits count",
     {"register", "count", "bits"}, "drops the other bits", "use counts up to 127",
     "MOPExpander, Configuration; spec-notes B27"},
    {"frontend.mop-outer-erratum", Kind::finding, warning, "MOP runs its outer loop {0} times instead of once", {"times"},
     "does so: outer count 1, inner count 0, no StartOp, an EndOp0", "push the instructions instead, or use StartOp",
     "MOPExpander, Functional model; spec-notes B27"},
    {"frontend.replay-count", Kind::finding, warning, "REPLAY of {0} instructions, and the buffer has {1}",
     {"len", "slots"}, "may load or replay another number", "use up to 32; 0 means 32", "REPLAY, Functional model; spec-notes C10"},
    {"frontend.replay-unrecorded", Kind::finding, warning, "REPLAY plays slot {0}, which was never recorded", {"slot"},
     "plays what it finds", "record with load_mode=1 first", "REPLAY, Functional model"},
    {"frontend.recording-open", Kind::finding, warning, "the program ends while REPLAY waits for {0} more instructions",
     {"left"}, "records whatever comes next", "make len the number of instructions that follow",
     "REPLAY, Functional model"},

    // --- order between instructions
    {"hazard.config-store", Kind::finding, warning,
     "uses configuration word {0}, which thread {1}'s core stores without a wait in between", {"addr32", "thread"},
     "may see the old or the new value", "STALLWAIT with TRISC_CFG before it",
     "BackendConfiguration, RISCV writes to Config, danger one"},
    {"hazard.config-overtaken", Kind::finding, warning,
     "uses configuration word {0}, which its own core stores after pushing it", {"addr32"},
     "may see the old or the new value", "make the core wait until the instruction is done before it stores",
     "BackendConfiguration, RISCV writes to Config, danger two"},
    {"hazard.mop-overtaken", Kind::finding, warning,
     "MOP register {0} is stored by its core (op {1}), and nothing says that the MOP has been expanded by then",
     {"register", "store_op"}, "may use the old or the new value",
     "make the core wait between them: .drain, or a semaphore posted by or after the MOP",
     "MOPExpander, Configuration; spec-notes C14"},
    {"hazard.gpr-store", Kind::finding, warning, "uses GPR {0}, which its core stores without a wait in between",
     {"gpr"}, "may see the old or the new value", "STALLWAIT with TRISC_CFG before it",
     "BackendConfiguration, RISCV writes to Config"},
    {"hazard.config-late", Kind::finding, warning,
     "uses configuration word {0}, which instruction {1} just before it has not written yet", {"addr32", "other_index"},
     "sees the old value", "put a NOP between them", "WRCFG, Instruction scheduling"},
    {"hazard.gpr-late", Kind::finding, warning,
     "uses GPR {0}, which instruction {1} just before it has not written yet", {"gpr", "other_index"},
     "sees the old value", "put a NOP between them", "ConfigurationUnit, table of latencies"},
    {"hazard.gpr-late-scalar", Kind::finding, info,
     "uses GPR {0}, which instruction {1} just before it has not written yet", {"gpr", "other_index"},
     "gives the scalar unit the new value, as the vendor's kernels expect; the page promises nothing",
     "put a NOP between them", "RDCFG, Instruction scheduling; spec-notes B34"},
    {"hazard.dst", Kind::finding, warning,
     "Dst rows {0} to {1}: nothing orders this access after that of thread {2}'s instruction {3}",
     {"first_row", "last_row", "other_thread", "other_index"}, "either may come first",
     "STALLWAIT for the unit and a semaphore between them", "docs/architecture.md, Order; Dst, Instruction scheduling"},
    {"hazard.l1", Kind::finding, warning,
     "L1 {0} to {1}: nothing orders this access after that of thread {2}'s instruction {3}",
     {"first", "last", "other_thread", "other_index"}, "either may come first",
     "STALLWAIT for the unit and a semaphore between them", "docs/architecture.md, Time"},

    // --- state
    {"state.read-before-write", Kind::finding, info, "reads {detail}, of which row or line {0} was never written",
     {"first"}, "unpredictable contents", "write it first", "Dst, reset; docs/architecture.md, Cells"},
};
// clang-format on

/// A row of the catalogue as a compile-time constant.
struct Id {
    std::uint8_t index = 0;
    friend constexpr bool operator==(Id, Id) = default;
};

/// The row with that code. Not in the catalogue: does not compile.
consteval Id id(std::string_view code) {
    for (std::size_t i = 0; i < std::size(catalogue); ++i)
        if (catalogue[i].code == code) return {static_cast<std::uint8_t>(i)};
    throw "no such fault or finding";
}

constexpr const Entry& entry(Id id) { return catalogue[id.index]; }

/// What a unit has to say about an instruction: a row, its values, and where the row asks for it, a static text.
struct Note {
    Id id;
    std::array<std::uint32_t, 4> values{};
    std::string_view detail{};
    friend constexpr bool operator==(const Note&, const Note&) = default;
};

/// Writes the note's text and values into a diagnosis; `where` is the caller's.
void describe(const Note& note, Diagnosis& diagnosis);

}  // namespace tessera::findings
