// SPDX-License-Identifier: Apache-2.0
/// @file
/// How far each mode of each instruction can be relied on.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/arch.hpp"
#include "tessera/error.hpp"

namespace tessera {

/// The evidence for a mode, from the strongest to none.
enum class Fidelity : std::uint8_t {
    /// Cases that were recorded from the vendor's simulator use the mode, and all end in the same state. At least one does not
    /// without the mode.
    equal,
    document,     ///< it follows a document
    decided,      ///< documents are silent or disagree; docs/internals/spec-notes.md has the decision
    unsupported,  ///< a run ends with a fault
};
/// "equal", "document", "decided", "unsupported".
std::string_view name(Fidelity level);

/// The evidence for one mode: an operand or a field of configuration with one of its values, or two of them together.
struct FidelityLine {
    std::string instruction;              ///< "MVMUL"
    Arch arch = Arch::blackhole;          ///< the chip
    std::string form;                     ///< one of the forms of the opcode; empty if there is only one
    std::string setting;                  ///< "instr_mod1", "InDataFormat, Out_data_format"; empty if it has no modes
    std::string value;                    ///< "4", "Float32, Tf32"
    Fidelity level = Fidelity::document;  ///< the evidence
    /// Of `equal` the case. Of `document` a case made from the text, "refused as CODE", or the page. Of `decided` the finding and
    /// its source. Of `unsupported` the reason.
    std::string basis;
    /// The source of its instruction's cycles under Timing::silicon: "measured: I1, I2" (rows of docs/silicon.md),
    /// "document" or "assumed".
    std::string time;
};

/// All modes of an instruction, in the order of opcodes. An empty name stands for all instructions; an unknown name gives none.
std::vector<FidelityLine> fidelity_of(Arch arch, std::string_view instruction = {});

/// The number of modes on each level, in the order of Fidelity.
using FidelityCounts = std::array<std::size_t, 4>;
/// Counts the lines of one architecture by level.
FidelityCounts count_by_level(const std::vector<FidelityLine>& lines, Arch arch);

/// Joins neighbours that differ only in their value into one line: "0; 1; 4".
std::vector<FidelityLine> with_joined_values(const std::vector<FidelityLine>& lines);

/// Finds the modes that cases prove: runs each case with and without the instructions of a mode.
///
/// Files are tessera-case-1. Cases in folders "blackhole" and "wormhole" count as the vendor's. The result is the text of
/// src/fidelity/evidence.inc. Errors: those of load_case().
Result<std::string> gather_fidelity_evidence(const std::vector<std::string>& case_files);

/// The report as Markdown: docs/reference/fidelity.md.
std::string fidelity_reference();

}  // namespace tessera
