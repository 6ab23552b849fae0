// SPDX-License-Identifier: Apache-2.0
// Readers of directive operands: indices and 32-bit words.
#pragma once

#include "program/assembly/directives.hpp"

namespace tessera::program {

/// "expected …" at the cursor.
tl::unexpected<Error> expected(std::string_view what, isa::LineCursor& cursor);

/// The index of an op of that kind. Error "asm.register-range".
Result<std::uint16_t> read_index(const DirectiveContext& context, isa::LineCursor& cursor, Op::Kind kind);

/// A value of 32 bits, signed or unsigned. Error "asm.operand-range".
Result<std::uint32_t> read_word(const DirectiveContext& context, isa::LineCursor& cursor, const isa::OwnNames& own = {});

/// The same for a word of the MOP, which an instruction may also give. Its error about an unknown name covers both.
Result<std::uint32_t> read_mop_word(const DirectiveContext& context, isa::LineCursor& cursor);

}  // namespace tessera::program
