// SPDX-License-Identifier: Apache-2.0
// Address modifiers: how an instruction leaves the RWCs behind it (seed rwc-and-addressing, 3).
#pragma once

#include "plan/plan.hpp"
#include "units/look.hpp"

namespace tessera::units::matrix {

/// Advances the thread's RWCs by modifier `addr_mod` when the instruction is issued. The vector unit leaves the fidelity
/// phase alone.
void apply_addr_mod(const Look& look, plan::Plan& plan, unsigned addr_mod, bool update_fidelity = true);

}  // namespace tessera::units::matrix
