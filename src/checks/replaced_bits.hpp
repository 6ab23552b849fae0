// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "hazards/cell_stores.hpp"
#include "plan/plan.hpp"

namespace tessera::checks {

/// The bits of the cell that an RMWCIB replaces; none for other instructions.
std::optional<hazards::CellStores::Replacement> replaced_in(const plan::Plan& plan, std::uint16_t cell);

}  // namespace tessera::checks
