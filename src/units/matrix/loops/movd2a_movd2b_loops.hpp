// SPDX-License-Identifier: Apache-2.0
// The loops of MOVD2A and MOVD2B.
#pragma once

#include "plan/work.hpp"

namespace tessera::units::matrix {

/// What a datum of Dst is taken for on its way to a source bank (MOVD2A, "SrcAStyle").
enum class DstStyle : std::uint8_t { bf16, fp16, tf32 };

/// `low_half`: of the 32-bit view, its low half instead of the high one; TF32 is of the 32-bit view, too. For the set of vector
/// instructions that is in use when it is asked for.
plan::MoveBackWork::Loop move_back_loop(DstStyle style, bool low_half);

}  // namespace tessera::units::matrix
