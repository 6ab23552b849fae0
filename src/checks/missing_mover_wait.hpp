// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace tessera::checks {

/// The cure of a hazard whose first access is of the command to the mover with this index (diagnostics::KernelOp).
/// `second_core`: makes the second access, or pushes its instruction.
std::string missing_mover_wait(std::int64_t command, unsigned second_core);

}  // namespace tessera::checks
