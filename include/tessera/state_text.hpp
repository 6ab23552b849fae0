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
/// Dimensions without one are complete. For l1: ADDRESS [BYTES], 64 bytes by default.
///
/// A configuration field takes no indices. Its part is the word that it is in, of both banks or all threads.
///
/// Errors: "state.unknown-section" if the name is neither a section's nor a field's; "state.part".
Result<StatePart> read_state_part(const Core& core, std::span<const std::string> words);

/// A section's part, a configuration field in both banks or all threads, or (without words) the sections' names.
///
/// `words` may end in "as hex" (the bits as they are stored) or "as FORMAT". Formats of each section:
/// - l1: all without shared exponents. BYTES are then whole datums, with the values of from_bytes().
/// - src_a, src_b: Float16 for datums with a 5-bit exponent; Float32, Tf32 and Float16_b (the default) for all others.
/// - dst: Float16 and Float16_b (the default), as dst_tile() gives them; Float32 and Tf32, whose rows are those of dst_words().
/// - Sections of 32 bits: Float32, UInt32, and Int32 as two's complement.
///
/// Configuration fields and all other sections have none. At most 1,024 values.
///
/// Errors: those of read_state_part(); "state.part" for too many values, a part of a datum, or rows that the format does not
/// have; "state.format" for an unknown format, or one that the section does not have.
Result<std::string> state_text(const Core& core, std::span<const std::string> words);

}  // namespace tessera
