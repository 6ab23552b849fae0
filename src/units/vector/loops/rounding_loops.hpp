// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plan/vector_work.hpp"

namespace tessera::units::vector {

/// The rounding of dropped bits.
enum class Rounding : std::uint8_t { nearest, stochastic, zero, count };

/// SFP_STOCH_RND: VD from VC.
enum class Narrowing : std::uint8_t {
    to_tf32,
    to_bf16,
    to_integer,    ///< FP32 to sign and magnitude
    by_immediate,  ///< sign and magnitude, shifted right by the mode of the work
    by_register,   ///< the same by the low five bits of VB
    count
};

/// For the last three the immediate is the largest magnitude, plus the sign bit if the sign is kept.
plan::LaneWork::Loop narrowing_loop(Narrowing narrowing, Rounding rounding);

/// SFPCAST: sign and magnitude to FP32.
plan::LaneWork::Loop integer_to_float_loop(bool stochastic);

/// SFPMOV: the random bits themselves.
plan::LaneWork::Loop random_loop();

}  // namespace tessera::units::vector
