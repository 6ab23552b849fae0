// SPDX-License-Identifier: Apache-2.0
#include "hazards/cell_stores.hpp"

#include <algorithm>
#include <utility>

#include "util/set_bits.hpp"

namespace tessera::hazards {

void CellStores::add(state::Cell cell, Store store, const VectorClock& known, const VectorClock& later) {
    if (state::index(cell) >= stores_.size()) stores_.resize(state::index(cell) + std::size_t{1});
    Store& last = stores_[state::index(cell)];
    const unsigned stream = core_stream(last.core);
    if (std::max(known.done()[stream], later.done()[stream]) < last.number) store.changes |= last.changes;
    store.of_all = ++count_;
    last = store;
    last_[count_ % last_.size()] = cell;
    last_number_[store.core] = store.number;
    last_index_[store.core] = store.index;
    open_[store.core].add({store.resources, store.resources == 0});
}

std::uint32_t CellStores::await(unsigned thread, std::int64_t index) {
    std::uint32_t before = last_number_[thread];
    Open behind;
    if (any_behind(thread, index))
        for (const Store& store : stores_) {
            if (!store.number || store.core != thread || store.index <= index) continue;
            before = std::min(before, store.number - 1);
            behind.add({store.resources, store.resources == 0});
        }
    awaited_[thread].add(std::exchange(open_[thread], behind));
    return before;
}

bool CellStores::passed(unsigned thread, state::Resources resources, std::int64_t index) {
    for (const unsigned i : util::SetBits(resources)) passed_[thread][i] = index;
    const bool all = open_[thread].all_within(resources) && awaited_[thread].all_within(resources);
    return all && last_index_[thread] < index;
}

bool CellStores::kept_in_order(const Store& store) const {
    for (const unsigned i : util::SetBits(store.resources))
        if (passed_[store.core][i] > store.index) return true;
    return false;
}

void CellStores::read_back(unsigned thread, CoreRegion region, std::int64_t index) {
    // Fewer instructions than this wait in front of the gate. A forgotten entry can add a false finding, but never
    // hides one.
    constexpr std::size_t most = 64;
    auto& known = read_backs_[thread][static_cast<std::size_t>(region)];
    const std::uint32_t number = last_number_[thread];
    if (!known.empty() && known.back().number == number) return;
    if (known.size() == most) known.erase(known.begin());
    known.push_back({index, number});
}

bool CellStores::read_back_before(const Store& store, state::Cell cell, std::int64_t index) const {
    const auto region = state::cells::gpr_block.contains(cell) ? CoreRegion::gprs : CoreRegion::config;
    const auto& known = read_backs_[store.core][static_cast<std::size_t>(region)];
    return std::any_of(known.begin(), known.end(),
                       [&](const ReadBack& each) { return each.number >= store.number && each.from <= index; });
}

std::optional<CellStores::Conflict> CellStores::check(unsigned thread, std::int64_t index,
                                                      const plan::CellBits& captured,
                                                      const std::optional<Replacement>& replaced,
                                                      const VectorClock& known) const {
    if (captured.cell >= stores_.size()) return std::nullopt;
    const Store& store = stores_[captured.cell];
    const plan::CellBits bits{
        captured.cell, replaced ? (store.value ^ replaced->value) & replaced->mask : store.changes & captured.mask};
    if (!store.number || !bits.mask) return std::nullopt;
    const bool own = store.core == thread, overtaken = own && store.index > index;
    if (!overtaken) {
        if (known.done()[core_stream(store.core)] >= store.number) return std::nullopt;
        if (own && (kept_in_order(store) || read_back_before(store, state::Cell(captured.cell), index)))
            return std::nullopt;
    }
    const bool follows = own ? !overtaken : known.accesses()[core_of_thread(store.core)] >= store.access;
    return Conflict{store.core, overtaken, false, follows, store.index, store.of_all, store.at, bits};
}

std::optional<CellStores::Store> CellStores::unordered_store(unsigned thread, state::Cell cell, std::uint32_t value,
                                                             const VectorClock& known) const {
    if (!has(state::index(cell))) return std::nullopt;
    const Store& last = stores_[state::index(cell)];
    const bool ordered = known.done()[core_stream(last.core)] >= last.number ||
                         known.accesses()[core_of_thread(last.core)] >= last.access;
    if (last.core == thread || last.value == value || ordered) return std::nullopt;
    return last;
}

}  // namespace tessera::hazards
