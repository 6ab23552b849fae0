// SPDX-License-Identifier: Apache-2.0
/// @file
/// State by typed name: "dst 3", "rwc 1 dst", "lregs 2 0:8", "l1 0x20000 16", "ALU_FORMAT_SPEC_REG0_SrcA".
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "tessera/core.hpp"

namespace tessera {

/// A part of a section: a range of indices per dimension.
struct StatePart {
    /// Consecutive indices of a dimension.
    struct Range {
        std::size_t first = 0;  ///< the first index
        std::size_t count = 1;  ///< how many
    };
    const Section* section = nullptr;  ///< of Core::sections()
    std::vector<Range> ranges;         ///< one per dimension

    /// Its elements, in order.
    std::vector<std::size_t> elements() const;
};

/// Words after a section's name are indices, one per dimension from the first on: a number, a label, FIRST:END or '*'.
/// Dimensions without one are complete. For l1: ADDRESS [BYTES]. Errors "state.unknown-section", "state.part".
Result<StatePart> read_state_part(const Core& core, std::span<const std::string> words);

/// A section's part, a configuration field in both banks or all threads, or (without words) the sections' names.
///
/// `words` may end in "as FORMAT" or "as hex". At most 1,024 elements. Errors as read_state_part(), "state.format",
/// "regs.unknown-field".
Result<std::string> state_text(const Core& core, std::span<const std::string> words);

}  // namespace tessera
