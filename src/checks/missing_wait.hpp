// SPDX-License-Identifier: Apache-2.0
// Cures of hazards, in words.
#pragma once

#include <string>

#include "diagnostics/diagnostics.hpp"
#include "hazards/cell_stores.hpp"
#include "state/arch_description.hpp"

namespace tessera::checks {

/// The cure of a hazard whose first access is of the command to the mover with this index (diagnostics::KernelOp).
/// `second_core`: makes the second access, or pushes its instruction.
std::string missing_mover_wait(std::int64_t command, unsigned second_core);

/// The wait that would bring an instruction behind a core's store. A STALLWAIT for its own core's stores sees no other core's: those need
/// a semaphore. Empty if the store comes later in the program than the instruction.
std::string missing_store_wait(const state::ArchDescription& arch, const hazards::CellStores::Conflict& store,
                               const diagnostics::Subject& subject);

}  // namespace tessera::checks
