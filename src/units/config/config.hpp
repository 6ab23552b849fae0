// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plan/plan.hpp"
#include "units/behaviour.hpp"
#include "units/state_view.hpp"

namespace tessera::units::config {

/// The source of most costs of the unit.
inline constexpr Source unit_page{"ConfigurationUnit, table of latencies"};

}  // namespace tessera::units::config
