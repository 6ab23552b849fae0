// SPDX-License-Identifier: Apache-2.0
// Faults of a run as a whole: instructions that cannot be executed, hangs, limits, interrupts.
#pragma once

#include "findings/entry.hpp"

namespace tessera::findings::rows {

// clang-format off
inline constexpr Entry run[] = {
    {.code = "not-implemented", .kind = fault,
     .title = "an instruction without an implementation",
     .meaning = "The chip has this instruction or mode, and this version of Tessera does not execute it.",
     .message = "{detail} is not implemented yet",
     .hardware = "the chip executes it",
     .cure = "leave it out, or use a version of Tessera whose fidelity report lists it (tessera fidelity NAME)",
     .source = "docs/internals/architecture.md"},
    {.code = "not-supported", .kind = fault,
     .title = "an instruction without a documented effect",
     .meaning = "The assembler knows the encoding of this instruction, but no source describes what it does.",
     .message = "{detail}",
     .hardware = "unknown: no page of the ISA documentation and no kernel describes the effect",
     .cure = "use another instruction: UNPACR with Haloize_mode transposes, PCK_EDGE_OFFSET masks edges, STALLWAIT waits",
     .source = "spec-notes G8"},
    {.code = "unknown-opcode", .kind = fault,
     .title = "a word that is no instruction",
     .meaning = "The top eight bits of the word are no opcode of this architecture.",
     .message = "opcode {0} is no instruction of this architecture", .values = {"opcode"},
     .hardware = undefined,
     .cure = "check the architecture, and that the word is plain: a .ttinsn word of an ELF file is rotated left by two bits",
     .source = "spec-notes C12"},
    {.code = "isa.undefined-bits", .kind = finding, .level = warning,
     .title = "an instruction with bits that no operand has",
     .meaning = "The word sets bits that belong to no operand of this instruction.",
     .message = "bits {0} of word {1} belong to no operand of this instruction", .values = {"bits", "word"},
     .hardware = "the unit ignores these bits, as far as is known",
     .cure = "clear the bits, or check the operands that the word was made from",
     .source = "docs/reference/instructions.md"},
    {.code = "deadlock", .kind = fault,
     .title = "no wait can end",
     .meaning = "Work is left, every actor waits, and no event is pending that could end one of the waits.",
     .message = "every actor waits, and no wait can end",
     .hardware = "the chip hangs",
     .cure = "read the list of waits below: it names each wait and what would end it",
     .source = "docs/internals/architecture.md, Time"},
    {.code = "no-progress", .kind = fault,
     .title = "the cycle limit has passed",
     .meaning = "The program has not ended within max_cycles.",
     .message = "the program has not ended within the limit of {0} cycles", .values = {"max_cycles"},
     .hardware = "the chip continues",
     .cure = "read below what each actor does; raise the limit (max_cycles) only if the program is meant to run longer",
     .source = "docs/internals/architecture.md, Time"},
    {.code = "no-progress.polling", .kind = fault,
     .title = "cores poll values that no actor will change",
     .meaning = "Each core that still runs repeats a loop, and no other actor will change the values that it loads.",
     .message = "each core that still runs repeats a loop, and nothing will change the values that it polls",
     .hardware = "the cores poll forever",
     .cure = "read below what each core polls, and look for the store or the post that should change it",
     .source = "docs/internals/architecture.md, Time"},
    {.code = "interrupted", .kind = fault,
     .title = "the run was interrupted",
     .meaning = "A signal, or the caller's interrupt function, stopped the run.",
     .message = "the run was interrupted",
     .hardware = "",
     .cure = "",
     .source = "docs/internals/architecture.md, Time"},

    // --- the second implementation (RunOptions::reference)
    {.code = "reference.no-result", .kind = fault,
     .title = "the reference model has no result",
     .meaning = "The unit has a result for this instruction, and the second implementation (--reference) has none.",
     .message = "the reference model of {detail} has no result, but the unit has one",
     .hardware = "",
     .cure = "run without --reference, and report the difference as a bug of Tessera",
     .source = "src/reference"},
};
// clang-format on

}  // namespace tessera::findings::rows
