// SPDX-License-Identifier: Apache-2.0
// Faults that end a run with a report of blocked actors (Run::blocked).
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string_view>

#include "findings/catalogue.hpp"

namespace tessera::engine {

constexpr bool is_stuck(findings::Id id) {
    constexpr findings::Id stuck[] = {findings::id("deadlock"),         findings::id("no-progress"),
                                      findings::id("interrupted"),      findings::id("no-progress.polling"),
                                      findings::id("sync.mutex-index"), findings::id("kernel.not-done"),
                                      findings::id("limit.time"),       findings::id("limit.memory")};
    return std::find(std::begin(stuck), std::end(stuck), id) != std::end(stuck);
}

/// The run has reached RunOptions::max_cycles, which counts `of`: "cycles" or "instructions".
constexpr findings::Note limit_reached(std::uint64_t max_cycles, std::string_view of) {
    constexpr std::uint64_t most_told = std::numeric_limits<std::uint32_t>::max();
    return {findings::id("no-progress"), {static_cast<std::uint32_t>(std::min(max_cycles, most_told))}, of};
}

}  // namespace tessera::engine
