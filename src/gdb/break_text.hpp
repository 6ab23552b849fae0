// SPDX-License-Identifier: Apache-2.0
// The arguments of `monitor break`, as users type them.
#pragma once

#include <span>
#include <string>

#include "tessera/core.hpp"
#include "tessera/execution.hpp"

namespace tessera::gdb {

/// Reads "INSTRUCTION [THREAD]", "FILE:LINE [THREAD]", "T0:5" (op 5 of thread 0), "finding [CODE]", a finding's code, or "semaphore N".
/// Error "gdb.command", also for a file that no kernel has, as far as they tell; for an instruction that there is not, that of
/// find_instruction().
Result<Breakpoints> read_break(const Core& core, const Kernels& kernels, std::span<const std::string> words);

}  // namespace tessera::gdb
