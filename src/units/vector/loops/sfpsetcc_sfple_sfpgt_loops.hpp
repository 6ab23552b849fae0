// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/values/vector.hpp"
#include "plan/vector_work.hpp"

namespace tessera::units::vector {

/// SFPSETCC: the lane flags say how VC, a two's complement integer, compares with zero.
enum class AgainstZero : std::uint8_t { less, not_equal, greater_equal, equal, count };

plan::LaneWork::Loop against_zero_loop(AgainstZero comparison);
/// The lane flags become the immediate.
plan::LaneWork::Loop constant_flags_loop();

/// The targets of SFPLE's and SFPGT's result: bits of the work's mode.
enum OrderMode : std::uint8_t {
    set_flags = isa::value(isa::values::order_modes, "set_cc"),
    change_stack = isa::value(isa::values::order_modes, "mutate_stack"),
    change_by_or = isa::value(isa::values::order_modes, "mutate_or"),
    set_register = isa::value(isa::values::order_modes, "set_vd")
};

/// Whether VB > VC, or VB <= VC, with -NaN < -infinity < … < -0 < +0 < … < +NaN. The immediate has the lanes whose
/// entry of the flag stack (the first cell) changes: all that execute, enabled or not.
plan::LaneWork::Loop order_loop(bool greater);

}  // namespace tessera::units::vector
