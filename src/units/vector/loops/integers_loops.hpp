// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plan/vector_work.hpp"

namespace tessera::units::vector {

/// VD from VB and VC; lane flags by the mode of the work (FlagUpdate).
enum class Integer : std::uint8_t {
    add,            ///< VC + VB
    subtract,       ///< VC - VB
    add_immediate,  ///< VC + immediate
    leading_zeros,  ///< of the bits of VC in the immediate; the flag is set if any bit is
    exponent,       ///< of VC, less the immediate
    count
};

/// The flag is set if the result is negative, except for leading zeros.
plan::LaneWork::Loop integer_loop(Integer operation, bool flags);

/// VD from VC.
enum class Absolute : std::uint8_t {
    integer,        ///< of two's complement
    floating,       ///< of FP32; negative NaNs stay
    sign_exchange,  ///< between two's complement and sign and magnitude
    count
};

plan::LaneWork::Loop absolute_loop(Absolute operation);

}  // namespace tessera::units::vector
