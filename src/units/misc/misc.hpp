// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plan/plan.hpp"
#include "units/behaviour.hpp"
#include "units/state_view.hpp"

namespace tessera::units::misc {

/// Where most costs of the unit come from.
inline constexpr Source unit_page{"MiscellaneousUnit, first paragraph"};

}  // namespace tessera::units::misc
