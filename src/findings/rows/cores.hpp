// SPDX-License-Identifier: Apache-2.0
// Faults and findings about what RISC-V cores execute, about reads of unwritten contents, and about the ends of kernels.
#pragma once

#include "findings/entry.hpp"

namespace tessera::findings::rows {

/// In place of the cure and the source in the row of state.read-before-write, by the note's detail.
struct Unwritten {
    std::string_view detail, cure, source;
};

// clang-format off
inline constexpr Unwritten unwritten[] = {
    {.detail = "L1",
     .cure = "write it first: by an input of the job at this address, a packer, STOREIND, the mover or a core; or correct the address that is read",
     .source = "docs/jobs.md, Arrays in L1; docs/internals/state.md, Cells"},
    {.detail = "Dst row",
     .cure = "write it first: by ELWADD, MOVA2D, MOVB2D, SFPSTORE or an UNPACR to Dst, or by ZEROACC before an instruction that accumulates",
     .source = "Dst, reset and Moving data around; docs/internals/state.md, Cells"},
    {.detail = "SrcA row",
     .cure = "write it first: by an UNPACR to SrcA of as many rows as this instruction reads, by MOVD2A or by ZEROSRC; or correct the row or the bank",
     .source = "SrcASrcB; UNPACR_Regular; docs/internals/state.md, Cells"},
    {.detail = "SrcB row",
     .cure = "write it first: by an UNPACR to SrcB of as many rows as this instruction reads, by MOVD2B or by ZEROSRC; or correct the row or the bank",
     .source = "SrcASrcB; UNPACR_Regular; docs/internals/state.md, Cells"},
};

inline constexpr Entry cores[] = {
    {.code = "riscv.illegal", .kind = fault,
     .title = "a RISC-V core executes a word that is not an instruction",
     .meaning = "The program counter points to a word that this core cannot decode.",
     .message = "word {1} at {0} is not an instruction of this core{detail}", .values = {"address", "word"},
     .hardware = "Blackhole's result is undefined; Wormhole mostly executes a nop",
     .cure = "check how the program counter got there, and for which core the kernel was compiled",
     .source = "BabyRISCV, Instruction set; spec-notes R1"},
    {.code = "riscv.unsupported", .kind = fault,
     .title = "a RISC-V extension that Tessera does not execute",
     .meaning = "The core has this instruction, and Tessera does not: floating point, vectors.",
     .message = "word {1} at {0} is {detail}, which Tessera does not execute", .values = {"address", "word"},
     .hardware = "the core executes it",
     .cure = "compile with -march=rv32im_zba_zbb, without floating-point and vector extensions",
     .source = "BabyRISCV, Instruction set; spec-notes R1"},
    {.code = "riscv.interrupt-return", .kind = fault,
     .title = "a return from an interrupt",
     .meaning = "RISC-V B or NC executes mret, and Tessera has no interrupts.",
     .message = "word {1} at {0} is mret, the return from an interrupt, and Tessera has no interrupts", .values = {"address", "word"},
     .hardware = "the core returns from the interrupt",
     .cure = "leave the interrupt handler out: in Tessera nothing interrupts a core",
     .source = "BabyRISCV, Instruction set; spec-notes R1"},
    {.code = "riscv.fetch", .kind = fault,
     .title = "a jump to an address without instructions",
     .meaning = "The program counter lies in no memory from which the core can fetch.",
     .message = "the program counter is {0}; the core cannot fetch instructions there", .values = {"address"},
     .hardware = undefined,
     .cure = "check the function pointer or the return address of the jump",
     .source = "BabyRISCV, Frontend"},
    {.code = "riscv.atomic-address", .kind = fault,
     .title = "an atomic access outside of L1",
     .meaning = "Atomic instructions work on L1 only.",
     .message = "atomic access to {0}, which is not in L1", .values = {"address"},
     .hardware = undefined,
     .cure = "use atomic instructions on L1 only",
     .source = "BabyRISCV, InstructionSet, Zaamo"},
    {.code = "riscv.misaligned", .kind = finding, .level = warning,
     .title = "a misaligned load or store",
     .meaning = "The address is not a multiple of the size of the access.",
     .message = "an access of {1} bytes at {0} is misaligned; {detail} {2}", .values = {"first", "bytes", "address"},
     .hardware = "the core rounds the address down; Blackhole's stores to L1 do not, and stay within 16 bytes",
     .cure = "align the data, or access it byte by byte",
     .source = "BabyRISCV (Wormhole), Faults / exceptions; spec-notes R2"},
    {.code = "riscv.stale-l0", .kind = finding, .level = warning,
     .title = "a load returns an outdated value from the L0 cache",
     .meaning = "L1 changed after the core cached the line, and the load hits the cache.",
     .message = "a load from L1 {0} returns {1} from the L0 cache, but L1 holds {2}", .values = {"address", "cached", "present"},
     .hardware = "the L0 cache is not coherent with L1: a hit returns the cached value",
     .cure = "put a fence before the load, or poll with an atomic instruction",
     .source = "MemoryOrdering, L0 data cache; spec-notes R3"},
    {.code = "riscv.iram-written", .kind = finding, .level = warning,
     .title = "the mover overwrites instructions that execute",
     .meaning = "RISC-V NC executes from instruction RAM while the mover writes there.",
     .message = "the mover writes instruction RAM while RISC-V NC executes from it{detail}",
     .hardware = "the written instructions may be corrupted",
     .cure = "let NC run from L1, or keep it in reset, until the mover is done",
     .source = "InstructionRAM"},

    // --- state; rows::unwritten has a cure and a source for each detail
    {.code = "state.read-before-write", .kind = finding, .level = info,
     .title = "a read of contents that were never written",
     .meaning = "Since reset nothing has written the rows of SrcA, SrcB or Dst, or the bytes of L1, that the instruction reads.",
     .message = "reads {detail} {0}, which was never written", .values = {"first"},
     .hardware = "the contents after reset are unpredictable",
     .cure = "write it first, for example with ZEROACC or ZEROSRC; L1 as an input of the job, or by a packer or a core",
     .source = "Dst, reset; docs/internals/state.md, Cells"},

    // --- ends of kernels
    {.code = "kernel.not-done", .kind = fault,
     .title = "all cores stop before the run is done",
     .meaning = "The host waits for a word in L1 to get a value, and no running core can store it.",
     .message = "every core has stopped, but the word at {0} is {1}; the run ends when it is {2}",
     .values = {"address", "word", "wanted"},
     .hardware = "the host polls the word forever",
     .cure = "read below where each core stopped, and look for the store of that word",
     .source = "docs/kernels.md"},
    {.code = "kernel.done-before", .kind = finding, .level = warning,
     .title = "the run is done before it begins",
     .meaning = "All words of `done` have their final values already, so no core executes an instruction.",
     .message = "all words of `done` have their values before any core has run; nothing is executed",
     .hardware = "the kernels run: the host clears those words before it starts the cores",
     .cure = "clear the words in L1, or wait for a value that they do not have yet",
     .source = "docs/kernels.md"},
    {.code = "riscv.ebreak", .kind = fault, .has_level = true,
     .title = "an assertion of a kernel failed",
     .meaning = "The core executes ebreak, with which assertions of kernels end when they fail.",
     .message = "the core executes ebreak at {0}, as a failed assertion does", .values = {"address"},
     .hardware = "the core stops until a debugger continues it",
     .cure = "check the assertion; if the kernel should end there, end it in a jump to itself, or give riscv.ebreak level info",
     .source = "DebugInterface, ebreak and ecall instructions; spec-notes R12"},
};
// clang-format on

}  // namespace tessera::findings::rows
