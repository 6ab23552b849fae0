// SPDX-License-Identifier: Apache-2.0
#include "units/read_sets.hpp"

#include <algorithm>
#include <utility>

namespace tessera::units {

namespace {

// Reserved at once, so that short lists allocate only once.
constexpr std::size_t some_cells = 32;

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

const ReadSet& ReadSets::of(const Reads& reads, const state::State& state) {
    auto& known = known_[reads.sum];
    if (!known) known = std::make_unique<ReadSet>(list(reads, state));
    return *known;
}

// Lists the cells. There are hundreds of reads, so masks_ collects each cell before any search.
void ReadSets::collect(const Reads& reads, Captures& captures, Bits& deciding) {
    masks_.resize(state::cells::total);
    const auto decides = [&](std::uint16_t cell, std::uint32_t mask) {
        if (!masks_[cell].deciding) deciding.push_back({cell, 0});
        masks_[cell].deciding |= mask;
    };
    reads.for_each([&](const Reads::Bits& one) {
        if (!masks_[one.cell].captured) captures.bits.push_back({one.cell, 0});
        masks_[one.cell].captured |= one.mask;
        if (one.extent == Reads::Extent::plan)
            decides(one.cell, one.mask);
        else
            add(captures.places, {one.cell, one.mask});
        if (one.extent != Reads::Extent::count) masks_[one.cell].used |= one.mask;
    });
    for (const state::Cell cell : reads.remarked) decides(static_cast<std::uint16_t>(cell), ~0u);
}

// Gives the listed cells their masks, and sorts.
void ReadSets::take_masks(Captures& captures, Bits& deciding) {
    for (auto& one : captures.bits) {
        one.mask = std::exchange(masks_[one.cell].captured, 0);
        if (!std::exchange(masks_[one.cell].used, 0) && !masks_[one.cell].deciding) captures.counted.push_back(one);
        if (state::cells::config_block.contains(state::Cell(one.cell))) captures.config.push_back(one);
        if (one.cell < captures.storable.size()) captures.storable.set(one.cell);
    }
    std::sort(captures.config.begin(), captures.config.end(), by_cell);
    for (plan::CellBits& one : deciding) one.mask = std::exchange(masks_[one.cell].deciding, 0);
    std::sort(deciding.begin(), deciding.end(), by_cell);
}

ReadSet ReadSets::list(const Reads& reads, const state::State& state) {
    auto made = std::make_shared<Captures>();
    made->bits.reserve(some_cells);
    Bits deciding;
    deciding.reserve(some_cells);
    collect(reads, *made, deciding);
    take_masks(*made, deciding);
    made->id = ReadSet::id_of(reads);
    made->remarked = reads.remarked;
    made->contents = reads.memory;
    return {std::move(made), PlanGuard(std::move(deciding), state::cell_groups(state.arch().arch))};
}

}  // namespace tessera::units
