// SPDX-License-Identifier: Apache-2.0
// Faults that end a run with a report of blocked actors (Run::blocked).
#pragma once

#include <algorithm>
#include <iterator>

#include "findings/catalogue.hpp"

namespace tessera::engine {

constexpr bool is_stuck(findings::Id id) {
    constexpr findings::Id stuck[] = {findings::id("deadlock"),         findings::id("no-progress"),
                                      findings::id("interrupted"),      findings::id("no-progress.polling"),
                                      findings::id("sync.mutex-index"), findings::id("kernel.not-done"),
                                      findings::id("limit.time"),       findings::id("limit.memory")};
    return std::find(std::begin(stuck), std::end(stuck), id) != std::end(stuck);
}

}  // namespace tessera::engine
