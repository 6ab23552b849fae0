// SPDX-License-Identifier: Apache-2.0
// The directives that make ops or symbols. The assembler itself handles `.thread`, `.repeat` and `.end`.
#pragma once

#include <string_view>

#include "isa/text.hpp"
#include "program/assembly/register_values.hpp"
#include "program/assembly/symbols.hpp"
#include "program/assembly/thread_builder.hpp"

namespace tessera::program {

/// The state that a directive may read and change.
struct DirectiveContext {
    Arch arch;
    Symbols& symbols;
    RegisterValues* registers;  ///< null: none
    ThreadBuilder& thread;
    int line;

    /// Errors "asm.unknown-symbol", and "asm.ambiguous-name" for a symbol that equals an own name with another value.
    Result<std::int64_t> value(isa::LineCursor& cursor, const isa::OwnNames& own = {}) const;
    /// An instruction with its operands, as a word.
    Result<std::uint32_t> instruction(isa::LineCursor& cursor) const;
};

using Directive = Result<void> (*)(const DirectiveContext& context, isa::LineCursor& cursor);

/// The directive `name`, given without its dot; null if there is none.
Directive find_directive(std::string_view name);

/// Error "asm.unknown-directive" for `.name` in that column.
tl::unexpected<Error> unknown_directive(std::string_view name, int column);

}  // namespace tessera::program
