// SPDX-License-Identifier: Apache-2.0
// Snapshots of a run to step back to. They are spread evenly and limited in number, so memory does not grow with the
// run.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace tessera::core {

/// Stands for one snapshot that is kept, and for no other, in any run.
using CheckpointMark = std::shared_ptr<const char>;

template <class Snapshot>
class Checkpoints {
public:
    /// Keeps at most `most` snapshots.
    explicit Checkpoints(std::size_t most) : most_(most) {}

    /// True if a snapshot is due after `issued` instructions.
    bool wants(std::uint64_t issued) const { return due_ || kept_.empty() || issued >= kept_.back().issued + spacing_; }

    void keep(std::uint64_t issued, Snapshot snapshot) {
        kept_.push_back({std::make_shared<const char>(), issued, std::move(snapshot)});
        due_ = false;
        if (kept_.size() <= most_) return;
        spacing_ *= 2;
        std::vector<Kept> fewer;
        for (std::size_t i = 0; i < kept_.size(); i += 2) fewer.push_back(std::move(kept_[i]));
        kept_ = std::move(fewer);
    }

    /// The last snapshot with fewer than `issued` instructions, or else the first one; empty if none is kept. Drops later ones; the
    /// run takes them again.
    std::optional<Snapshot> back_to(std::uint64_t issued) {
        due_ = false;
        // A snapshot with equally many may be of a later cycle than the last one's issue.
        while (kept_.size() > 1 && kept_.back().issued >= issued) kept_.pop_back();
        if (kept_.empty()) return {};
        return kept_.back().snapshot;
    }

    std::vector<CheckpointMark> marks() const {
        std::vector<CheckpointMark> all;
        for (const Kept& one : kept_) all.push_back(one.mark);
        return all;
    }

    /// The run has gone to a moment whose past has the snapshots with these marks. Drops all others.
    void follow(const std::vector<CheckpointMark>& marks) {
        std::erase_if(kept_, [&](const Kept& one) { return std::find(marks.begin(), marks.end(), one.mark) == marks.end(); });
        due_ = true;
    }

private:
    struct Kept {
        CheckpointMark mark;
        std::uint64_t issued;
        Snapshot snapshot;
    };
    std::size_t most_;
    bool due_ = false;  ///< the next step is the first one after follow()
    std::uint64_t spacing_ = 32;
    std::vector<Kept> kept_;
};

}  // namespace tessera::core
