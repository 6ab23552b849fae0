// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plan/vector_work.hpp"

namespace tessera::units::vector {

/// VD from VB and VC, or from VC alone.
enum class Bits : std::uint8_t {
    bitwise_and,
    bitwise_or,
    bitwise_xor,
    bitwise_not,
    copy,
    negate,            ///< of sign and magnitude
    shift,             ///< VB by VC: left, or right if VC is negative
    shift_arithmetic,  ///< the same, arithmetic to the right
    shift_immediate,   ///< VB by the immediate
    shift_arithmetic_immediate,
    count
};

plan::LaneWork::Loop bits_loop(Bits operation);

/// VD is the immediate.
plan::LaneWork::Loop constant_loop();

}  // namespace tessera::units::vector
