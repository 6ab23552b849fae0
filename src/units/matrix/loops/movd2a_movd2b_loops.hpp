// SPDX-License-Identifier: Apache-2.0
// The loops of MOVD2A and MOVD2B.
#pragma once

#include "plan/work.hpp"

namespace tessera::units::matrix {

/// The type that a datum of Dst is read as on its way to a source bank (MOVD2A, "SrcAStyle").
enum class DstStyle : std::uint8_t { bf16, fp16, tf32 };

/// `low_half`: takes the low half of the 32-bit view instead of the high one. TF32 implies the 32-bit view. Compiled
/// for the vector instructions in use at the call.
plan::MoveBackWork::Loop move_back_loop(DstStyle style, bool low_half);

}  // namespace tessera::units::matrix
