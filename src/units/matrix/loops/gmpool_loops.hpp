// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plan/work.hpp"

namespace tessera::units::matrix {

using plan::PoolForm;

/// The loop of GMPOOL. TF32 needs the wide view; with `arg_max` that view has the index in its low bits, and the 16-bit
/// view drops it.
plan::PoolWork::Loop pool_loop(PoolForm form, bool wide_dst, bool arg_max);

}  // namespace tessera::units::matrix
