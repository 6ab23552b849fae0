// SPDX-License-Identifier: Apache-2.0
#include "gdb/checkpoints.hpp"

#include <numeric>
#include <utility>

namespace tessera::gdb {

namespace {

constexpr std::size_t most_checkpoints = 64;

std::uint64_t all(const Position& position) {
    return std::accumulate(position.executed.begin(), position.executed.end(), std::uint64_t{0});
}

}  // namespace

bool Checkpoint::is_before(const Position& position) const {
    if (exact_from > position.cycle || at.cycle > position.cycle) return false;
    const std::uint64_t here = all(at), there = all(position);
    if (here != there) return here < there;
    return exact_from > 0 || std::pair(at.from, at.steps) <= std::pair(position.from, position.steps);
}

// Behind a change the run can be repeated only from the change's checkpoint.
void Checkpoints::add(Checkpoint checkpoint) {
    kept_.push_back(std::move(checkpoint));
    if (kept_.size() <= most_checkpoints) return;
    const auto changes = std::count_if(kept_.begin(), kept_.end(), [](const Checkpoint& one) { return one.changed; });
    if (static_cast<std::size_t>(changes) > most_checkpoints / 2)
        forget_oldest();
    else
        thin_out();
}

void Checkpoints::forget_after(std::size_t checkpoint) {
    kept_.erase(kept_.begin() + static_cast<std::ptrdiff_t>(checkpoint) + 1, kept_.end());
}

void Checkpoints::thin_out() {
    spacing_ *= 2;
    std::vector<Checkpoint> fewer;
    for (std::size_t i = 0; i < kept_.size(); ++i)
        if (i % 2 == 0 || kept_[i].changed || kept_[i].behind_gap) fewer.push_back(std::move(kept_[i]));
    kept_ = std::move(fewer);
}

// The begin stays, since the run can begin again.
void Checkpoints::forget_oldest() {
    const auto first = kept_.begin() + 1, last = kept_.end() - most_checkpoints / 2;
    last->behind_gap |= std::any_of(first, last, [](const Checkpoint& one) { return one.changed || one.behind_gap; });
    kept_.erase(first, last);
}

}  // namespace tessera::gdb
