// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tessera/finding.hpp"

namespace tessera {

/// A fault or finding that a run can report: a row of docs/reference/findings.md.
struct FindingKind {
    std::string_view code;       ///< stable
    bool fault = false;          ///< it ends the run
    Level level = Level::error;  ///< of a finding, unless the job changes it
    std::string message;         ///< with the names of its values: "SrcA row <row> is beyond the bank and wraps"
    std::string_view hardware;   ///< what the hardware does, where that is known
    std::string_view cure;       ///< what to change
    std::string_view source;     ///< document and section
};

/// All kinds, in the order of docs/reference/findings.md.
std::span<const FindingKind> finding_kinds();

/// The kind with that code; null if there is none.
const FindingKind* find_finding_kind(std::string_view code);

}  // namespace tessera
