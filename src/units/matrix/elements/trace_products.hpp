// SPDX-License-Identifier: Apache-2.0
// Products of MVMUL and ELWMUL, step by step.
#pragma once

#include "units/matrix/elements/trace_steps.hpp"

namespace tessera::units::matrix {

/// A product of two operands: for floats of their slices in the phase, for integers of the bits in `keep`.
struct TracedProduct {
    ElementTrace::Product remarks;
    Exact exact;  ///< of the slices
    Exact whole;  ///< of all bits
    std::int64_t integer = 0, whole_integer = 0;
};

TracedProduct traced_product(TracedOperand a, TracedOperand b, const plan::FidelityPhase& phase, std::uint32_t a_keep,
                             std::uint32_t b_keep, const TraceMode& mode);

}  // namespace tessera::units::matrix
