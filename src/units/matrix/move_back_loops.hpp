// SPDX-License-Identifier: Apache-2.0
// The loops of MOVD2A and MOVD2B.
#pragma once

#include "plan/work.hpp"

namespace tessera::units::matrix {

/// What a datum of Dst is taken for on its way to a source bank (MOVD2A, "SrcAStyle").
enum class DstStyle : std::uint8_t { bf16, fp16, tf32 };

/// `wide`: Dst's 32-bit view; `low_half`: its low half instead of the high one.
plan::MoveBackWork::Loop move_back_loop(DstStyle style, bool wide, bool low_half);

}  // namespace tessera::units::matrix
