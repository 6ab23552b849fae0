// SPDX-License-Identifier: Apache-2.0
#include "hazards/core_clocks.hpp"

#include <algorithm>
#include <iterator>

namespace tessera::hazards {

// Snapshots per core. An older access is given the oldest snapshot's clock, which can hide a conflict but never adds
// one.
constexpr std::size_t remembered_snapshots = 1024;

void CoreClocks::keep_snapshot(unsigned core, std::uint32_t number) {
    auto& snapshots = snapshots_[core];
    snapshot_versions_[core] = versions_[core];
    if (snapshots.size() == remembered_snapshots) snapshots.pop_front();
    snapshots.push_back({number, known_[core]});
}

const VectorClock& CoreClocks::known_at(unsigned core, std::uint32_t at) const {
    const auto& snapshots = snapshots_[core];
    const auto behind = std::upper_bound(snapshots.begin(), snapshots.end(), at,
                                         [](std::uint32_t number, const Snapshot& each) { return number < each.from; });
    return behind == snapshots.begin() ? snapshots.front().known : std::prev(behind)->known;
}

}  // namespace tessera::hazards
