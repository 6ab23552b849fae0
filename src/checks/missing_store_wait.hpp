// SPDX-License-Identifier: Apache-2.0
// The wait that would bring an instruction behind a core's store; missing_wait.cpp has it.
#pragma once

#include <string>

#include "diagnostics/diagnostics.hpp"
#include "hazards/cell_stores.hpp"
#include "state/arch_description.hpp"

namespace tessera::checks {

/// A STALLWAIT for its own core's stores sees no other core's: those need a semaphore. Empty if the store comes later in the
/// program than the instruction.
std::string missing_store_wait(const state::ArchDescription& arch, const hazards::CellStores::Conflict& store,
                               const diagnostics::Subject& subject);

}  // namespace tessera::checks
