// SPDX-License-Identifier: Apache-2.0
// Who is told something of a run while it goes on, beside its findings: then nothing may be done in another way than it happens.
#pragma once

#include "tessera/run.hpp"

namespace tessera::engine {

/// Of ends, writes, waits or elements.
inline bool has_observers(const RunOptions& options) {
    return options.on_event || options.on_write || options.on_wait || !options.elements.empty();
}

/// That, or of issues.
inline bool has_issue_observers(const RunOptions& options) {
    return has_observers(options) || options.explain || !options.window.empty();
}

}  // namespace tessera::engine
