// SPDX-License-Identifier: Apache-2.0
// Which ops have a meaning. The one place for the limits of indices and values.
#pragma once

#include <optional>
#include <string>

#include "tessera/program.hpp"

namespace tessera::program {

/// Whatever its index and value are, an op of that kind is good.
constexpr bool names_nothing(Op::Kind kind) { return kind == Op::Kind::ins || kind == Op::Kind::drain; }

/// How many things an op of that kind can name; 0 when it names none.
unsigned index_count(Op::Kind kind, Arch arch);

/// What is wrong with an op, in one sentence; nothing when it is good.
std::optional<std::string> problem(const Op& op, Arch arch);

}  // namespace tessera::program
