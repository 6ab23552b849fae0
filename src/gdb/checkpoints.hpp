// SPDX-License-Identifier: Apache-2.0
// Moments of a run to which it can go back. There are not many: the longer the run, the further apart they are.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gdb/position.hpp"
#include "tessera/execution.hpp"

namespace tessera::gdb {

struct Checkpoint {
    Execution::Snapshot snapshot;
    Position at;
    std::uint64_t exact_from = 0;  ///< before that cycle cores may be ahead
    bool changed = false;          ///< by a debugger: the way to here cannot be gone again
    unsigned held = 0;             ///< cores that the debugger holds, a bit each
    bool behind_gap = false;       ///< the run cannot be repeated from the checkpoint before to here

    /// Whether the way to `position` leads over it.
    bool is_before(const Position& position) const;
};

class Checkpoints {
public:
    /// The first one is the begin of the run, and stays.
    void add(Checkpoint checkpoint);
    /// Whether it is time for the next one.
    bool is_due(std::uint64_t cycle) const { return cycle >= kept_.back().at.cycle + spacing_; }

    std::size_t size() const { return kept_.size(); }
    const Checkpoint& operator[](std::size_t i) const { return kept_[i]; }
    Checkpoint& last() { return kept_.back(); }
    const Checkpoint& last() const { return kept_.back(); }
    /// The first one that the way back reaches. Not 0: too many changes have been made, and those before it are forgotten.
    std::size_t oldest() const { return kept_.size() > 1 && kept_[1].behind_gap ? 1 : 0; }
    /// The cycle from which on the way back reaches all.
    std::uint64_t known_from() const { return std::max(kept_[oldest()].at.cycle, kept_[oldest()].exact_from); }
    /// The last one for which `is_before` holds, or the oldest.
    template <class Before>
    std::size_t last_that(Before&& is_before) const {
        std::size_t i = kept_.size() - 1;
        while (i > oldest() && !is_before(kept_[i])) --i;
        return i;
    }
    void forget_after(std::size_t checkpoint);

private:
    void thin_out();
    void forget_oldest();

    std::vector<Checkpoint> kept_;
    std::uint64_t spacing_ = std::uint64_t{1} << 18;  ///< cycles
};

}  // namespace tessera::gdb
