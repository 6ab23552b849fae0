// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plan/work.hpp"

namespace tessera::units::matrix {

/// The loop of ELWADD and ELWSUB, or of ELWMUL, for a kind of arithmetic and a view of Dst. `flush_b`: zero exponents in
/// SrcB read as zero; `stochastic`: rounded with random numbers.
plan::ElementwiseWork::Loop elementwise_loop(bool product, bool integers, bool wide_dst, bool wide_exponent,
                                             bool flush_b, bool stochastic = false);

}  // namespace tessera::units::matrix
