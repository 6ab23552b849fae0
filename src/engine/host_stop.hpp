// SPDX-License-Identifier: Apache-2.0
// The faults with which the host ends a run.
#pragma once

#include "findings/catalogue.hpp"
#include "util/host_limits.hpp"

namespace tessera::engine {

/// `stop` is not none.
constexpr findings::Id fault_of(util::HostStop stop) {
    switch (stop) {
        case util::HostStop::time: return findings::id("limit.time");
        case util::HostStop::memory: return findings::id("limit.memory");
        case util::HostStop::none:
        case util::HostStop::asked: break;
    }
    return findings::id("interrupted");
}

}  // namespace tessera::engine
