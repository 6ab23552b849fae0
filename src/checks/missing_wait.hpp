// SPDX-License-Identifier: Apache-2.0
// Cures of hazards, in words.
#pragma once

#include <string>

#include "state/arch_description.hpp"

namespace tessera::checks {

/// The cure of a hazard whose first access is of the command to the mover with this index (diagnostics::KernelOp).
/// `second_core`: makes the second access, or pushes its instruction.
std::string missing_mover_wait(std::int64_t command, unsigned second_core);

/// The bits of STALLWAIT's operand for these conditions.
std::uint32_t condition_bits(const state::ArchDescription& arch, state::ConditionMask conditions);

/// As text that can be pasted; empty if the architecture has no such condition.
std::string stallwait(const state::ArchDescription& arch, std::uint32_t block, state::ConditionMask waited);

}  // namespace tessera::checks
