// SPDX-License-Identifier: Apache-2.0
// Snapshots of a run to go back to: evenly spread over what has been, never more than a few, so memory stays flat however long
// the run is.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace tessera::core {

template <class Snapshot>
class Checkpoints {
public:
    /// Keeps no more than so many.
    explicit Checkpoints(std::size_t most) : most_(most) {}

    /// Whether one should be taken now that so many instructions have been issued.
    bool wants(std::uint64_t issued) const { return kept_.empty() || issued >= kept_.back().issued + spacing_; }

    void keep(std::uint64_t issued, Snapshot snapshot) {
        kept_.push_back({issued, std::move(snapshot)});
        if (kept_.size() <= most_) return;
        spacing_ *= 2;
        std::vector<Kept> fewer;
        for (std::size_t i = 0; i < kept_.size(); i += 2) fewer.push_back(std::move(kept_[i]));
        kept_ = std::move(fewer);
    }

    /// The last one at or before that many, if there is one. What comes behind it is forgotten: it will be taken again.
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
