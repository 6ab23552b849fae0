// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plan/work.hpp"

namespace tessera::units::matrix {

/// The loop of MVMUL for a kind of arithmetic and a view of Dst. `stochastic`: random rounding. Compiled for the
/// vector instructions in use at the call.
plan::MultiplyWork::Loop mvmul_loop(bool integers, bool wide_dst, bool wide_exponent, bool stochastic = false);

}  // namespace tessera::units::matrix
