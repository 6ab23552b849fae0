// SPDX-License-Identifier: Apache-2.0
// Constant expressions of assembly text.
#pragma once

#include "isa/text.hpp"

namespace tessera::program {

/// Evaluates the expression at the cursor in 64-bit signed arithmetic; operators and their order are those of C. Errors
/// "asm.syntax", those of `symbols`, and "asm.range" for what has no 64-bit result; they carry the column only.
Result<std::int64_t> evaluate(isa::LineCursor& cursor, const isa::SymbolLookup& symbols);

}  // namespace tessera::program
