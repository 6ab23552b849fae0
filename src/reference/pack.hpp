// SPDX-License-Identifier: Apache-2.0
// PACR, literally (PACR of both architectures; Packers, Input and Output address generator).
#pragma once

#include "reference/machine.hpp"

namespace tessera::reference {

/// All that one PACR does: datums to L1, output buffers, tile position, counters. FP32, BF16 and FP16 from Dst, without
/// edge masks, ReLU, compression, downsampling, accumulation.
Outcome pacr(state::State& state, unsigned CurrentThread, std::uint32_t word);

}  // namespace tessera::reference
