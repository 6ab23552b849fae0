// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plan/vector_work.hpp"

namespace tessera::units::vector {

/// SFPARECIP: VD from VC.
enum class Approximation : std::uint8_t {
    reciprocal,
    reciprocal_where_negative,  ///< of the magnitude, in lanes where VB is negative; else VC
    exponential,                ///< of the magnitude, with the sign of VC
    count
};

plan::LaneWork::Loop approximation_loop(Approximation approximation);

}  // namespace tessera::units::vector
