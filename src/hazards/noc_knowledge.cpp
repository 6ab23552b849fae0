// SPDX-License-Identifier: Apache-2.0
#include "hazards/noc_knowledge.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace tessera::hazards {

bool RequestSet::has(std::uint32_t number) const {
    return number <= up_to_ && !std::binary_search(missing_.begin(), missing_.end(), number);
}

void RequestSet::add(std::uint32_t number) {
    if (number <= up_to_) {
        const auto at = std::lower_bound(missing_.begin(), missing_.end(), number);
        if (at != missing_.end() && *at == number) missing_.erase(at);
        return;
    }
    const std::uint32_t first = std::max(up_to_ + 1, number - std::min(number, std::uint32_t{most_missing}));
    for (std::uint32_t i = first; i < number; ++i) missing_.push_back(i);
    up_to_ = number;
    missing_.erase(missing_.begin(), missing_.end() - static_cast<std::ptrdiff_t>(std::min(missing_.size(), most_missing)));
}

bool RequestSet::join(const RequestSet& other) {
    RequestSet both;
    both.up_to_ = std::max(up_to_, other.up_to_);
    const RequestSet &further = up_to_ >= other.up_to_ ? *this : other, &nearer = up_to_ >= other.up_to_ ? other : *this;
    for (std::uint32_t number : further.missing_)
        if (!nearer.has(number)) both.missing_.push_back(number);
    const bool news = both.up_to_ != up_to_ || both.missing_.size() != missing_.size();
    *this = std::move(both);
    return news;
}

const NocKnowledge::OfTile* NocKnowledge::find(std::uint16_t tile) const {
    const auto at = std::lower_bound(tiles_.begin(), tiles_.end(), tile, [](const OfTile& one, std::uint16_t which) { return one.tile < which; });
    return at != tiles_.end() && at->tile == tile ? &*at : nullptr;
}

NocKnowledge::OfTile& NocKnowledge::of(std::uint16_t tile) {
    const auto at = std::lower_bound(tiles_.begin(), tiles_.end(), tile, [](const OfTile& one, std::uint16_t which) { return one.tile < which; });
    if (at != tiles_.end() && at->tile == tile) return *at;
    OfTile fresh;
    fresh.tile = tile;
    return *tiles_.insert(at, std::move(fresh));
}

bool NocKnowledge::knows(const NocRequest& request) const {
    const OfTile* tile = find(request.tile);
    return tile && tile->complete[request.noc].has(request.number);
}

const VectorClock* NocKnowledge::clock_of(std::uint16_t tile) const {
    const OfTile* found = find(tile);
    return found ? found->clock.get() : nullptr;
}

void NocKnowledge::set_clock(std::uint16_t tile, const VectorClock& clock) { of(tile).clock = std::make_shared<VectorClock>(clock); }

bool NocKnowledge::join(const NocKnowledge& other) {
    bool news = false;
    for (const OfTile& theirs : other.tiles_) {
        OfTile& mine = of(theirs.tile);
        for (std::size_t noc = 0; noc < mine.complete.size(); ++noc) news |= mine.complete[noc].join(theirs.complete[noc]);
        if (!theirs.clock || theirs.clock == mine.clock) continue;
        if (!mine.clock) {
            mine.clock = theirs.clock;
        } else {
            VectorClock both = *mine.clock;
            if (!both.join(*theirs.clock)) continue;
            mine.clock = std::make_shared<VectorClock>(both);
        }
        news = true;
    }
    return news;
}

bool learn(SharedNocKnowledge& known, const SharedNocKnowledge& other) {
    if (!other || other == known) return false;
    if (!known) {
        known = other;
        return true;
    }
    auto both = std::make_shared<NocKnowledge>(*known);
    if (!both->join(*other)) return false;
    known = std::move(both);
    return true;
}

}  // namespace tessera::hazards
