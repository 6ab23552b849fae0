// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plan/plan.hpp"
#include "units/behaviour.hpp"
#include "units/state_view.hpp"

namespace tessera::units::scalar {

/// The source of most costs of the unit.
inline constexpr Source unit_page{"ScalarUnit, table of cycles"};

/// SETDMAREG in its form that reads configuration and state of packers.
void set_from_packers(const StateView&, plan::Plan&);

}  // namespace tessera::units::scalar
