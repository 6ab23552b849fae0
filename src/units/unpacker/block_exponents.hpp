// SPDX-License-Identifier: Apache-2.0
// Datums of Bfp8, Bfp4 and Bfp2 whose exponent, the block's less their leading zeros, is beyond five bits (spec-notes A40).
#pragma once

#include "units/unpacker/unpacker.hpp"

namespace tessera::units::unpacker {

/// Tells of the first such datum among those that are read. L1 is looked at as it is when UNPACR is resolved.
void note_exponents(const StateView& view, const Setup& setup, const plan::UnpackInput& input, plan::Plan& plan);
void note_exponents(const StateView& view, const Setup& setup, const plan::UnpackStream& input, plan::Plan& plan);

}  // namespace tessera::units::unpacker
