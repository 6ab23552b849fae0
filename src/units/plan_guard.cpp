// SPDX-License-Identifier: Apache-2.0
#include "units/plan_guard.hpp"

#include <algorithm>
#include <utility>

namespace tessera::units {

namespace {

std::vector<plan::CellBits> bits_of_both(const std::vector<plan::CellBits>& a, const std::vector<plan::CellBits>& b) {
    std::vector<plan::CellBits> all;
    for (auto x = a.begin(), y = b.begin(); x != a.end() || y != b.end();) {
        const bool of_a = y == b.end() || (x != a.end() && x->cell <= y->cell);
        const bool of_b = x == a.end() || (y != b.end() && y->cell <= x->cell);
        all.push_back({of_a ? x->cell : y->cell, (of_a ? x->mask : 0) | (of_b ? y->mask : 0)});
        x += of_a;
        y += of_b;
    }
    return all;
}

}  // namespace

PlanGuard::PlanGuard(std::vector<plan::CellBits> bits, const state::CellGroups& groups) : deciding_(std::move(bits)) {
    const auto in_config = static_cast<std::size_t>(std::count_if(
        deciding_.begin(), deciding_.end(), [&](const auto& each) { return groups.of[each.cell] != 0; }));
    config_.reserve(in_config);
    changing_.reserve(deciding_.size() - in_config);
    for (const plan::CellBits& each : deciding_) {
        const std::uint8_t counter = groups.of[each.cell];
        if (!counter) {
            add_changing(each);
            continue;
        }
        config_.push_back(each);
        if (std::find(counters_.begin(), counters_.end(), counter) == counters_.end()) counters_.push_back(counter);
    }
}

PlanGuard::PlanGuard(const PlanGuard& a, const PlanGuard& b, const state::CellGroups& groups)
    : PlanGuard(bits_of_both(a.deciding_, b.deciding_), groups) {}

bool PlanGuard::covers(const PlanGuard& other) const {
    auto own = deciding_.begin();
    return std::all_of(other.deciding_.begin(), other.deciding_.end(), [&](const plan::CellBits& each) {
        while (own != deciding_.end() && own->cell < each.cell) ++own;
        return own != deciding_.end() && own->cell == each.cell && !(each.mask & ~own->mask);
    });
}

void PlanGuard::add_changing(const plan::CellBits& bits) {
    constexpr unsigned last = state::cells::total - 2;
    if (changing_.empty() || bits.cell > changing_.back().first + 1u)
        changing_.push_back({static_cast<std::uint16_t>(std::min<unsigned>(bits.cell, last)), 0});
    std::uint32_t halves[2] = {};
    halves[bits.cell - changing_.back().first] = bits.mask;
    std::uint64_t mask;
    std::memcpy(&mask, halves, sizeof mask);
    changing_.back().mask |= mask;
}

}  // namespace tessera::units
