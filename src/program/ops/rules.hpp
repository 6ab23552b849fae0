// SPDX-License-Identifier: Apache-2.0
// Validity of ops: the single place for limits of indices and values.
#pragma once

#include <optional>
#include <string>

#include "tessera/program.hpp"

namespace tessera::program {

/// True if an op of that kind is valid with any index and value.
constexpr bool names_nothing(Op::Kind kind) { return kind == Op::Kind::ins || kind == Op::Kind::drain; }

/// The problem of an op for which names_nothing() is false, in one sentence; nothing if it is valid.
std::optional<std::string> problem(const Op& op, Arch arch);

}  // namespace tessera::program
