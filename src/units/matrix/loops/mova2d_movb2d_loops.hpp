// SPDX-License-Identifier: Apache-2.0
// The loops of MOVA2D and MOVB2D.
#pragma once

#include "plan/work.hpp"

namespace tessera::units::matrix {

struct MoveKind {
    bool wide_exponent;  ///< else the low five exponent bits and all ten mantissa bits go to Dst
    bool tf32;           ///< the whole datum goes to the 32-bit view
    bool low_half;       ///< dest_32b_lo: only the low half of the 32-bit view is written
};

/// Compiled for the vector instructions in use at the call.
plan::MoveWork::Loop move_loop(const MoveKind& kind);

}  // namespace tessera::units::matrix
