// SPDX-License-Identifier: Apache-2.0
// The part of an operand that takes part in a product: fidelity phases and masks (docs/internals/numerics.md 1, 5).
#pragma once

#include "plan/work.hpp"
#include "units/matrix/formats.hpp"

namespace tessera::units::matrix {

/// The fidelity phase of an instruction of the thread: RWC plus FIDELITY_BASE.
unsigned fidelity_phase(const StateView& view);

/// The slices that a phase multiplies. `acc32`: Dst is 32 bits wide.
plan::FidelityPhase slices(unsigned phase, bool wide_exponent, bool acc32);

/// The form of the arithmetic's operands.
struct Arithmetic {
    bool integers = false;
    bool wide_exponent = false;
    bool wide_dst = false;
    std::uint32_t a_keep = 0, b_keep = 0;  ///< used bits of a datum

    plan::Numbers numbers() const {
        return integers ? plan::Numbers::integers : wide_exponent ? plan::Numbers::wide : plan::Numbers::narrow;
    }
};

/// For an instruction that multiplies in `phase`; without a phase, for one that adds.
Arithmetic arithmetic(const Formats& formats, std::optional<unsigned> phase);

}  // namespace tessera::units::matrix
