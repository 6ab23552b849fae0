// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plan/vector_work.hpp"

namespace tessera::units::vector {

/// VD is VC with one of its fields replaced.
enum class Field : std::uint8_t { sign, exponent, mantissa, sign_and_exponent, count };

/// By the immediate, which has bits in that field only.
plan::LaneWork::Loop field_of_immediate_loop(Field field);
/// By the same field of VB.
plan::LaneWork::Loop field_of_register_loop(Field field);
/// The exponent is replaced by the low eight bits of VB.
plan::LaneWork::Loop exponent_of_integer_loop();
/// Adds the immediate, an exponent in its place; wraps. NaN and infinity stay.
plan::LaneWork::Loop add_exponent_loop();

}  // namespace tessera::units::vector
