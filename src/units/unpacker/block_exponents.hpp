// SPDX-License-Identifier: Apache-2.0
// Datums of Bfp8, Bfp4 and Bfp2 whose exponent (the block's minus their leading zeros) does not fit in five bits
// (spec-notes A40).
#pragma once

#include "units/unpacker/unpacker.hpp"

namespace tessera::units::unpacker {

/// Reports the first such datum that UNPACR reads, with L1 as it is at the resolve.
void note_exponents(const StateView& view, const Setup& setup, const plan::UnpackInput& input, plan::Plan& plan);
void note_exponents(const StateView& view, const Setup& setup, const plan::UnpackStream& input, plan::Plan& plan);

}  // namespace tessera::units::unpacker
