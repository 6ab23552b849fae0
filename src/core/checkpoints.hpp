// SPDX-License-Identifier: Apache-2.0
// Snapshots of a run to step back to. They are spread evenly and limited in number, so memory does not grow with the
// run.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace tessera::core {

template <class Snapshot>
class Checkpoints {
public:
    /// Keeps at most `most` snapshots.
    explicit Checkpoints(std::size_t most) : most_(most) {}

    /// True if a snapshot is due after `issued` instructions.
    bool wants(std::uint64_t issued) const { return kept_.empty() || issued >= kept_.back().issued + spacing_; }

    void keep(std::uint64_t issued, Snapshot snapshot) {
        kept_.push_back({issued, std::move(snapshot)});
        if (kept_.size() <= most_) return;
        spacing_ *= 2;
        std::vector<Kept> fewer;
        for (std::size_t i = 0; i < kept_.size(); i += 2) fewer.push_back(std::move(kept_[i]));
        kept_ = std::move(fewer);
    }

    /// The last snapshot at or before `issued`, if any. Drops later ones; the run takes them again.
    std::optional<Snapshot> back_to(std::uint64_t issued) {
        while (!kept_.empty() && kept_.back().issued > issued) kept_.pop_back();
        if (kept_.empty()) return {};
        return kept_.back().snapshot;
    }

    std::optional<Snapshot> first() const {
        return kept_.empty() ? std::nullopt : std::optional<Snapshot>(kept_.front().snapshot);
    }

private:
    struct Kept {
        std::uint64_t issued;
        Snapshot snapshot;
    };
    std::size_t most_;
    std::uint64_t spacing_ = 32;
    std::vector<Kept> kept_;
};

}  // namespace tessera::core
