// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

namespace tessera::cli {

/// From now on the first SIGINT (Ctrl-C) or SIGTERM sets the flag, which ends a run in good order; the second kills the
/// process.
const std::atomic<bool>* stop_on_interrupt();

/// The signal that has come since; 0: none.
int stop_signal();

}  // namespace tessera::cli
