// SPDX-License-Identifier: Apache-2.0
// Source lines without comments, and the `.end` of each `.repeat`.
#pragma once

#include <span>
#include <vector>

#include "program/assembly/source_line.hpp"
#include "tessera/error.hpp"

namespace tessera::program {

struct Statement {
    enum class Kind : std::uint8_t { plain, repeat, end };

    const SourceLine* source = nullptr;
    std::string_view text;  ///< without comment
    Kind kind = Kind::plain;
    std::size_t partner = 0;  ///< index of the matching `.end` or `.repeat`

    /// The assembled instruction, cached for repetitions.
    struct Assembled {
        std::uint32_t word = 0;
        bool asks_for_symbols = false;
        std::uint64_t changes = 0;  ///< Symbols::changes() at that time
    };
    std::optional<Assembled> assembled = std::nullopt;
};

/// Adds the place (`column` of the line) to an error.
tl::unexpected<Error> locate(Error error, std::string_view file, const SourceLine& source);

/// All non-empty lines. Error "asm.nesting".
Result<std::vector<Statement>> statements(std::span<const SourceLine> lines, std::string_view file);

}  // namespace tessera::program
