// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

namespace tessera::cli {

/// Installs handlers: the first SIGINT (Ctrl-C) or SIGTERM sets the flag, which ends a run cleanly; the second kills
/// the process.
const std::atomic<bool>* stop_on_interrupt();

/// The signal received since then; 0: none.
int stop_signal();

}  // namespace tessera::cli
