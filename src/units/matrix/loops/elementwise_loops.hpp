// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plan/work.hpp"

namespace tessera::units::matrix {

/// The properties that choose a loop for ELWADD, ELWSUB or ELWMUL.
struct ElementwiseKind {
    bool product = false;
    bool integers = false;
    bool wide_dst = false, wide_exponent = false;
    bool accumulate = false;  ///< always true for products
    bool flush_b = true;      ///< zero exponents in SrcB read as zero
    bool stochastic = false;  ///< rounded with random numbers; never for integers
};

/// Compiled for the vector instructions in use at the call.
plan::ElementwiseWork::Loop elementwise_loop(const ElementwiseKind& kind);

}  // namespace tessera::units::matrix
