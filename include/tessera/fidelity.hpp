// SPDX-License-Identifier: Apache-2.0
// How far each mode of each instruction can be relied on.
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

enum class Fidelity : std::uint8_t {
    /// Cases recorded from the vendor's simulator have it; all of them end in the same state, and one does not without it.
    equal,
    document,     ///< it follows what a document says
    decided,      ///< documents leave it open or contradict each other: docs/internals/spec-notes.md has the decision
    unsupported,  ///< there is no result: a fault
};
std::string_view name(Fidelity level);  ///< "equal", "document", "decided", "unsupported"

/// One mode: an operand or a field of configuration with one of its values, or two of them together.
struct FidelityLine {
    std::string instruction;
    Arch arch = Arch::blackhole;
    std::string form;     ///< of those that an opcode stands for; empty where there is one only
    std::string setting;  ///< "instr_mod1", "InDataFormat, Out_data_format"; empty for an instruction without any
    std::string value;    ///< "4", "Float32, Tf32"
    Fidelity level = Fidelity::document;
    /// Of `equal` the case; of `document` a case that was made from the text, "refused as CODE", or the page; of `decided` the
    /// finding and its source; of `unsupported` the reason.
    std::string basis;
};

/// All modes of an instruction, or of all instructions when `instruction` is empty, in the order of opcodes. An unknown
/// name gives none.
std::vector<FidelityLine> fidelity_of(Arch arch, std::string_view instruction = {});

/// How many of an architecture's modes have each level, in the order of Fidelity.
using FidelityCounts = std::array<std::size_t, 4>;
FidelityCounts count_by_level(const std::vector<FidelityLine>& lines, Arch arch);

/// Neighbours that differ only in their value become one line, with the values side by side: "0; 1; 4".
std::vector<FidelityLine> with_joined_values(const std::vector<FidelityLine>& lines);

/// Which modes cases prove: runs each, and again without the instructions of a mode. Files are tessera-case-1; what lies in
/// folders called blackhole and wormhole counts as the vendor's. The result is the text of src/fidelity/evidence.inc.
/// Errors are those of reading a case.
Result<std::string> gather_fidelity_evidence(const std::vector<std::string>& case_files);

/// The report as Markdown: docs/reference/fidelity.md.
std::string fidelity_reference();

}  // namespace tessera
