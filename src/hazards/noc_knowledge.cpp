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

void RequestSet::add_up_to(std::uint32_t number) {
    missing_.erase(missing_.begin(), std::upper_bound(missing_.begin(), missing_.end(), number));
    up_to_ = std::max(up_to_, number);
}

void RequestSet::join(const RequestSet& other) {
    if (other.is_empty()) return;
    RequestSet both;
    both.up_to_ = std::max(up_to_, other.up_to_);
    const RequestSet &further = up_to_ >= other.up_to_ ? *this : other, &nearer = up_to_ >= other.up_to_ ? other : *this;
    for (std::uint32_t number : further.missing_)
        if (!nearer.has(number)) both.missing_.push_back(number);
    *this = std::move(both);
}

bool RequestSet::is_within(const RequestSet& other) const {
    return up_to_ <= other.up_to_ && std::none_of(other.missing_.begin(), other.missing_.end(), [&](std::uint32_t number) { return has(number); });
}

namespace {

void join_sets(RequestSets& sets, const RequestSets& others) {
    for (std::size_t noc = 0; noc < sets.size(); ++noc) sets[noc].join(others[noc]);
}

News news_of(const RequestSets& sets, const RequestSets& others) {
    News news;
    for (std::size_t noc = 0; noc < sets.size(); ++noc) news |= sets[noc].news(others[noc]);
    return news;
}

}  // namespace

void PartlyDone::join(const PartlyDone& other) {
    join_sets(read, other.read);
    join_sets(arrived, other.arrived);
}

News PartlyDone::news(const PartlyDone& other) const {
    return news_of(read, other.read) |= news_of(arrived, other.arrived);
}

void TileKnowledge::join(const TileKnowledge& other) {
    join_sets(complete, other.complete);
    if (other.partly && other.partly != partly) change_partly([&](PartlyDone& own) { own.join(*other.partly); });
    if (!other.clock || other.clock == clock) return;
    if (!clock) {
        clock = other.clock;
        return;
    }
    auto both = std::make_shared<VectorClock>(*clock);
    if (both->join(*other.clock)) clock = std::move(both);
}

News TileKnowledge::news(const TileKnowledge& other) const {
    News news = news_of(complete, other.complete);
    if (partly != other.partly)
        news |= partly && other.partly ? partly->news(*other.partly) : News{partly != nullptr, other.partly != nullptr};
    if (clock == other.clock || news.are_everywhere()) return news;
    if (clock && other.clock) return news |= clock->news(*other.clock);
    return news |= {clock != nullptr, other.clock != nullptr};
}

const NocKnowledge::Tile* NocKnowledge::find(std::uint16_t number) const {
    const auto at = std::ranges::lower_bound(tiles_, number, {}, &Tile::number);
    return at != tiles_.end() && at->number == number ? &*at : nullptr;
}

std::shared_ptr<const TileKnowledge>& NocKnowledge::of(std::uint16_t number) {
    auto at = std::ranges::lower_bound(tiles_, number, {}, &Tile::number);
    if (at == tiles_.end() || at->number != number) at = tiles_.insert(at, {number, nullptr});
    return at->known;
}

bool NocKnowledge::has(const NocRequest& request, RequestSets PartlyDone::* other) const {
    const Tile* tile = find(request.tile);
    if (!tile) return false;
    const TileKnowledge& known = *tile->known;
    if (known.complete[request.noc].has(request.number)) return true;
    return other && known.partly && (*known.partly.*other)[request.noc].has(request.number);
}

bool NocKnowledge::has_arrived() const {
    return std::ranges::any_of(
        tiles_, [](const Tile& tile) { return tile.known->partly && tile.known->partly->has_arrived(); });
}

void NocKnowledge::forget_arrived() {
    for (const Tile& tile : tiles_)
        if (tile.known->partly && tile.known->partly->has_arrived())
            change(tile.number,
                   [](TileKnowledge& known) { known.change_partly([](PartlyDone& partly) { partly.arrived = {}; }); });
}

const VectorClock* NocKnowledge::clock_of(std::uint16_t tile) const {
    const Tile* found = find(tile);
    return found ? found->known->clock.get() : nullptr;
}

bool NocKnowledge::join(const NocKnowledge& other) {
    bool news = false;
    auto mine = tiles_.begin();
    for (const Tile& theirs : other.tiles_) {
        while (mine != tiles_.end() && mine->number < theirs.number) ++mine;
        if (mine == tiles_.end() || mine->number != theirs.number) {
            mine = tiles_.insert(mine, theirs);
            news = true;
            continue;
        }
        if (mine->known == theirs.known) continue;
        const News of_tile = mine->known->news(*theirs.known);
        news |= of_tile.there;
        if (!of_tile.here) mine->known = theirs.known;  // the same, or more
        if (!of_tile.are_everywhere()) continue;
        auto both = std::make_shared<TileKnowledge>(*mine->known);
        both->join(*theirs.known);
        mine->known = std::move(both);
    }
    return news;
}

SharedNocKnowledge passed_on(SharedNocKnowledge known) {
    if (!known || !known->has_arrived()) return known;
    auto told = std::make_shared<NocKnowledge>(*known);
    told->forget_arrived();
    return told;
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
