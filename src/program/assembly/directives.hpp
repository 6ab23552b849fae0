// SPDX-License-Identifier: Apache-2.0
// The directives that make ops or symbols. `.thread`, `.repeat` and `.end`, which steer the assembler, are its own.
#pragma once

#include <string_view>
#include <vector>

#include "isa/text.hpp"
#include "program/assembly/symbols.hpp"
#include "program/assembly/thread_builder.hpp"

namespace tessera::program {

/// What a directive may read and change.
struct DirectiveContext {
    Arch arch;
    Symbols& symbols;
    ThreadBuilder& thread;
    int line;

    /// Errors "asm.unknown-symbol", and "asm.ambiguous-name" for a symbol that is called like an own name of another value.
    Result<std::int64_t> value(isa::LineCursor& cursor, const isa::OwnNames& own = {}) const;
    /// An instruction with its operands, as a word.
    Result<std::uint32_t> instruction(isa::LineCursor& cursor) const;
};

using Directive = Result<void> (*)(const DirectiveContext& context, isa::LineCursor& cursor);

/// The directive called `name`, without its dot; null when there is none.
Directive find_directive(std::string_view name);

std::vector<std::string_view> directive_names();

}  // namespace tessera::program
