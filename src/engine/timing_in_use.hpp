// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tessera/run.hpp"

namespace tessera::engine {

/// The timing of a run: the second implementation completes an instruction at its issue, whatever RunOptions::timing says.
inline Timing timing_in_use(const RunOptions& options) { return options.reference ? Timing::instant : options.timing; }

}  // namespace tessera::engine
