// SPDX-License-Identifier: Apache-2.0
// Source lines without comments, and which `.end` belongs to which `.repeat`.
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
    std::size_t partner = 0;  ///< of a repeat its end, and the other way round

    /// The instruction that it has been assembled to, for repetitions.
    struct Assembled {
        std::uint32_t word = 0;
        bool asks_for_symbols = false;
        std::uint64_t changes = 0;  ///< Symbols::changes() by then
    };
    std::optional<Assembled> assembled = std::nullopt;
};

/// An error about a line, found at `column` of it.
tl::unexpected<Error> locate(Error error, std::string_view file, const SourceLine& source);

/// All lines that say something. Error "asm.nesting".
Result<std::vector<Statement>> statements(std::span<const SourceLine> lines, std::string_view file);

}  // namespace tessera::program
