// SPDX-License-Identifier: Apache-2.0
// Constant expressions of assembly text.
#pragma once

#include "isa/text.hpp"

namespace tessera::program {

/// Evaluates the expression at the cursor in 64-bit signed arithmetic, with C's operators and precedence. Errors
/// "asm.syntax", those of `symbols`, and "asm.range" if the result exceeds 64 bits; they carry only the column.
Result<std::int64_t> evaluate(isa::LineCursor& cursor, const isa::SymbolLookup& symbols);

}  // namespace tessera::program
