// SPDX-License-Identifier: Apache-2.0
#include "units/read_sets.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace tessera::units {

namespace {

// Adds the bits; each cell is listed once.
void add(std::vector<plan::CellBits>& list, const plan::CellBits& bits) {
    const auto known = std::find_if(list.begin(), list.end(), [&](const auto& each) { return each.cell == bits.cell; });
    if (known == list.end())
        list.push_back(bits);
    else
        known->mask |= bits.mask;
}

constexpr auto by_cell = [](const plan::CellBits& x, const plan::CellBits& y) { return x.cell < y.cell; };

}  // namespace

const PlanGuard& ReadSet::guard(const state::State& state) const {
    if (guard_) return *guard_;
    std::vector<plan::CellBits> bits(captures_.deciding.begin(), captures_.deciding.end());
    std::sort(bits.begin(), bits.end(), by_cell);
    return guard_.emplace(std::move(bits), state::cell_groups(state.arch().arch));
}

const ReadSet& ReadSets::of(const Reads& reads) {
    auto& [sum, recent] = known_->recent[reads.sum % known_->recent.size()];
    if (recent && sum == reads.sum) return *recent;
    const auto [known, is_new] = known_->sets.try_emplace(reads.sum);
    if (is_new) list(reads, known->second.captures_);
    sum = reads.sum;
    recent = &known->second;
    return *recent;
}

// Lists the cells. There are hundreds of reads, so masks_ collects each cell before any search.
void ReadSets::collect(const Reads& reads) {
    masks_.resize(state::cells::total);
    for (Bits* list : {&lists_.bits, &lists_.config, &lists_.counted, &lists_.places, &lists_.deciding}) list->clear();
    const auto decides = [&](std::uint16_t cell, std::uint32_t mask) {
        if (!masks_[cell].deciding) lists_.deciding.push_back({cell, 0});
        masks_[cell].deciding |= mask;
    };
    const auto collect_cell = [&](std::uint16_t cell, std::uint32_t mask, Reads::Extent extent) {
        if (!masks_[cell].captured) lists_.bits.push_back({cell, 0});
        masks_[cell].captured |= mask;
        if (extent == Reads::Extent::plan)
            decides(cell, mask);
        else
            add(lists_.places, {cell, mask});
        if (extent != Reads::Extent::count) masks_[cell].used |= mask;
    };
    reads.for_each([&](const Reads::Bits& some) {
        for (unsigned i = 0; i < some.cells; ++i) collect_cell(static_cast<std::uint16_t>(some.cell + i), some.mask, some.extent);
    });
    for (const state::Cell cell : reads.remarked) decides(static_cast<std::uint16_t>(cell), ~0u);
}

// Gives the listed cells their masks.
void ReadSets::take_masks() {
    for (auto& one : lists_.bits) {
        one.mask = std::exchange(masks_[one.cell].captured, 0);
        if (!std::exchange(masks_[one.cell].used, 0) && !masks_[one.cell].deciding) lists_.counted.push_back(one);
        if (state::cells::config_block.contains(state::Cell(one.cell))) lists_.config.push_back(one);
    }
    std::sort(lists_.config.begin(), lists_.config.end(), by_cell);
    for (plan::CellBits& one : lists_.deciding) one.mask = std::exchange(masks_[one.cell].deciding, 0);
}

void ReadSets::list(const Reads& reads, Captures& made) {
    collect(reads);
    take_masks();
    const auto& [bits, config, counted, places, deciding] = lists_;
    const std::size_t all = bits.size() + config.size() + counted.size() + places.size() + deciding.size();
    auto* room = std::pmr::polymorphic_allocator<plan::CellBits>(&known_->memory).allocate(all);
    const auto keep = [&](const Bits& list) {
        auto* const first = std::exchange(room, std::uninitialized_copy(list.begin(), list.end(), room));
        return Captures::Bits(first, list.size());
    };
    made.bits = keep(bits);
    made.config = keep(config);
    made.counted = keep(counted);
    made.places = keep(places);
    made.deciding = keep(deciding);
    for (const plan::CellBits& one : made.bits)
        if (one.cell < made.storable.size()) made.storable.set(one.cell);
    made.id = ReadSet::id_of(reads);
    made.remarked = reads.remarked;
    made.contents = reads.memory;
}

}  // namespace tessera::units
