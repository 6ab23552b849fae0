// SPDX-License-Identifier: Apache-2.0
// Products, as MVMUL and ELWMUL make them.
#pragma once

#include "units/matrix/elements/trace_steps.hpp"

namespace tessera::units::matrix {

/// A product of two operands: in floats of their slices in the phase, of integers of the bits that `keep` leaves them.
struct TracedProduct {
    ElementTrace::Product told;
    Exact exact;  ///< of the slices
    Exact whole;  ///< of all bits
    std::int64_t integer = 0, whole_integer = 0;
};

TracedProduct traced_product(TracedOperand a, TracedOperand b, const plan::FidelityPhase& phase, std::uint32_t a_keep,
                             std::uint32_t b_keep, const TraceMode& mode);

}  // namespace tessera::units::matrix
