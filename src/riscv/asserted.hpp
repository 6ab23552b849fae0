// SPDX-License-Identifier: Apache-2.0
// Whether a core that loads a value waits for it, or merely asserts something about it: code says so, not the value that it happened to get.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "tessera/arch.hpp"

namespace tessera::riscv {

/// The word at an address of the core's program; nothing where there is none.
using Fetch = std::function<std::optional<std::uint32_t>(std::uint32_t)>;

/// The first branch that goes by what the load at `pc` brings decides only whether the core comes to an ebreak. False, too, when that branch
/// is not found within a few instructions.
bool only_asserted(Arch arch, std::uint32_t pc, const Fetch& fetch);

}  // namespace tessera::riscv
