// SPDX-License-Identifier: Apache-2.0
// What directives read: indices, 32-bit words, conditions.
#pragma once

#include "program/directives.hpp"

namespace tessera::program {

/// "expected …" at the cursor.
tl::unexpected<Error> expected(std::string_view what, isa::LineCursor& cursor);

/// The index of an op of that kind. Error "asm.register-range".
Result<std::uint16_t> read_index(const DirectiveContext& context, isa::LineCursor& cursor, Op::Kind kind);

/// A value of 32 bits, signed or unsigned. Error "asm.operand-range".
Result<std::uint32_t> read_word(const DirectiveContext& context, isa::LineCursor& cursor);

/// "nonzero" or "below_max", as an op's value.
std::optional<std::uint32_t> parse_semaphore_condition(std::string_view text);
/// The way back.
constexpr std::string_view condition_name(std::uint32_t value) {
    return value == Op::until_nonzero ? "nonzero" : "below_max";
}

}  // namespace tessera::program
