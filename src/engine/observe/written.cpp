// SPDX-License-Identifier: Apache-2.0
#include "engine/observe/written.hpp"

#include <algorithm>
#include <utility>

#include "state/inventory.hpp"

namespace tessera::engine {

void Written::add(state::Storage storage, std::uint32_t element) {
    const state::Inventory& inventory = state::inventory(state_.arch().arch);
    for (const auto at : {inventory.locate(storage, element), inventory.second_place(storage, element)})
        if (at) elements_.push_back({at->section, at->element, state::read(state_, storage, element)});
}

void Written::add_effects(const plan::Plan& plan, plan::When when) {
    for (const auto& effect : plan.effects)
        if (effect.when == when) add(state::Storage::cell, state::index(effect.cell));
}

void Written::watch(const plan::Plan& plan, bool anywhere) {
    watched_.clear();
    watched_values_.clear();
    plan::Footprint work;
    plan::footprint_of_work(plan, work);
    watched_exact_ = work.exact;
    anywhere = anywhere && !watched_exact_;
    if (anywhere) watched_.push_back({state::Storage::l1, true, 0, static_cast<std::uint32_t>(state_.l1.bytes.size())});
    for (const auto& access : work.accesses)
        if (access.write && !(anywhere && access.storage == state::Storage::l1)) watched_.push_back(access);
    if (watched_exact_) return;
    for (const auto& access : watched_)
        for (std::uint32_t i = 0; i < access.count; ++i)
            watched_values_.push_back(state::read(state_, access.storage, access.first + i));
}

void Written::add_watched() {
    std::size_t watched = 0;
    for (const auto& access : watched_)
        for (std::uint32_t i = 0; i < access.count; ++i) {
            const std::uint32_t element = access.first + i;
            if (watched_exact_ || state::read(state_, access.storage, element) != watched_values_[watched++])
                add(access.storage, element);
        }
}

std::span<const StateElement> Written::in_order() {
    const auto place = [](const StateElement& each) { return std::pair(each.section, each.element); };
    std::sort(elements_.begin(), elements_.end(), [&](const auto& a, const auto& b) { return place(a) < place(b); });
    elements_.erase(std::unique(elements_.begin(), elements_.end()), elements_.end());
    return elements_;
}

}  // namespace tessera::engine
