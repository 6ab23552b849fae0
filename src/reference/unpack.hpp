// SPDX-License-Identifier: Apache-2.0
// UNPACR, literally (UNPACR_Regular).
#pragma once

#include "reference/machine.hpp"

namespace tessera::reference {

/// All that one UNPACR does, its waits being over: datums, counters, bank. Uncompressed FP32, BF16 and FP16 tiles to
/// SrcA and SrcB, without RowSearch.
Outcome unpacr(state::State& state, unsigned CurrentThread, std::uint32_t word);

}  // namespace tessera::reference
