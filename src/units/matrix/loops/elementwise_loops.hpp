// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plan/work.hpp"

namespace tessera::units::matrix {

/// What decides which loop ELWADD, ELWSUB or ELWMUL takes.
struct ElementwiseKind {
    bool product = false;
    bool integers = false;
    bool wide_dst = false, wide_exponent = false;
    bool accumulate = false;  ///< products always do
    bool flush_b = true;      ///< zero exponents in SrcB read as zero
    bool stochastic = false;  ///< rounded with random numbers; integers never are
};

/// For the set of vector instructions that is in use when it is asked for.
plan::ElementwiseWork::Loop elementwise_loop(const ElementwiseKind& kind);

}  // namespace tessera::units::matrix
