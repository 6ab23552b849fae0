// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plan/work.hpp"

namespace tessera::units::matrix {

/// What a row of Dst holds for a pool: integers, or floats in a form of the 16-bit view or of TF32.
enum class PoolForm { integer, fp16, bf16, tf32 };

/// The loop of GMPOOL. TF32 needs the wide view; with `arg_max` that view has the index in its low bits, and the 16-bit
/// view drops it.
plan::PoolWork::Loop pool_loop(PoolForm form, bool wide_dst, bool arg_max);

}  // namespace tessera::units::matrix
