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
    std::size_t partner{};  ///< of a `.repeat`: index of its `.end`

    /// The assembled instruction, cached for repetitions.
    struct Assembled {
        std::uint32_t word{};
        bool asks_for_symbols{};
        std::uint64_t changes{};  ///< Symbols::changes() at that time
    };
    std::optional<Assembled> assembled = std::nullopt;
};

/// Adds the place to an error, which has its column in the line.
tl::unexpected<Error> locate(Error error, std::string_view file, const SourceLine& source);

/// All non-empty lines. Error "asm.nesting".
Result<std::vector<Statement>> statements(std::span<const SourceLine> lines, std::string_view file);

}  // namespace tessera::program
