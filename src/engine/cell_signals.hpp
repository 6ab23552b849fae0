// SPDX-License-Identifier: Apache-2.0
// Signals that a change of a cell raises.
#pragma once

#include "engine/wait.hpp"
#include "state/cell_role.hpp"

namespace tessera::engine {

/// Of thread_config: only while the thread's latched wait is for a stream, which this configuration names.
constexpr Signals signals_of(state::CellRole role) {
    using state::CellRole;
    switch (role) {
        case CellRole::none: break;
        case CellRole::semaphore: return Signal::semaphore;
        case CellRole::bank: return Signal::bank;
        case CellRole::mutex: return Signal::mutex;
        case CellRole::predictor: return Signal::predictor;
        case CellRole::stream:
        case CellRole::thread_config: return Signal::stream;
    }
    return {};
}

}  // namespace tessera::engine
