// SPDX-License-Identifier: Apache-2.0
// Whether a run has observers. With one, fast paths that skip or reorder observable steps are off.
#pragma once

#include "tessera/run.hpp"

namespace tessera::engine {

/// Observers of ends, writes, waits or elements.
inline bool has_observers(const RunOptions& options) {
    return options.on_event || options.on_write || options.on_wait || !options.elements.empty();
}

/// Those, or observers of issues.
inline bool has_issue_observers(const RunOptions& options) {
    return has_observers(options) || options.explain || !options.window.empty();
}

}  // namespace tessera::engine
