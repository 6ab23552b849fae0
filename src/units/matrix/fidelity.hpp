// SPDX-License-Identifier: Apache-2.0
// What of an operand takes part in a product: fidelity phases and the masks of the arithmetic (docs/internals/numerics.md 1, 5).
#pragma once

#include "plan/work.hpp"
#include "units/matrix/formats.hpp"

namespace tessera::units::matrix {

/// The phase that an instruction of the thread is in: RWC plus FIDELITY_BASE.
unsigned fidelity_phase(const StateView& view);

/// What products of that phase are made of. `acc32` tells that Dst is 32 bits wide.
plan::FidelityPhase slices(unsigned phase, bool wide_exponent, bool acc32);

/// How the arithmetic takes its operands.
struct Arithmetic {
    bool integers = false;
    bool wide_exponent = false;
    bool wide_dst = false;
    std::uint32_t a_keep = 0, b_keep = 0;  ///< bits of a datum that count

    plan::Numbers numbers() const {
        return integers ? plan::Numbers::integers : wide_exponent ? plan::Numbers::wide : plan::Numbers::narrow;
    }
};

/// For an instruction that multiplies in `phase`, or, without one, adds.
Arithmetic arithmetic(const Formats& formats, std::optional<unsigned> phase);

}  // namespace tessera::units::matrix
