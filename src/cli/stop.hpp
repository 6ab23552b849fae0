// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

namespace tessera::cli {

/// From now on the first Ctrl-C sets the flag, which ends a run in good order; the second kills the process.
const std::atomic<bool>* stop_on_interrupt();

}  // namespace tessera::cli
