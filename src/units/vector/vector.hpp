// SPDX-License-Identifier: Apache-2.0
// Vector unit (SFPU).
#pragma once

#include "plan/plan.hpp"
#include "units/behaviour.hpp"
#include "units/state_view.hpp"

namespace tessera::units::vector {

/// The source of most costs of the unit.
inline constexpr Source unit_page{"VectorUnit, tables of latencies"};

/// The SFPLOAD with which SFPLOADMACRO begins. Returns the address in Dst.
std::uint16_t load(const StateView& view, plan::Plan& plan, unsigned vd, std::uint32_t mode, std::uint32_t immediate);

}  // namespace tessera::units::vector
