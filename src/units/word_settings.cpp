// SPDX-License-Identifier: Apache-2.0
#include "units/word_settings.hpp"

#include <algorithm>

namespace tessera::units {

namespace {

constexpr std::size_t most_settings = 64;  // per word

}  // namespace

bool WordSettings::settle(const PlanGuard& guard, const state::State& state, std::vector<std::uint32_t>& values) {
    settled_at_ = state.configured;
    bool same = true;
    for (std::size_t i = 0; i < guard.counters().size(); ++i) {
        const std::uint32_t now = state.generations[guard.counters()[i]];
        same &= generations_[i] == now;
        generations_[i] = now;
    }
    if (same) return true;
    if (count_ == most_settings) return false;
    const std::size_t width = guard.config().size();
    values.clear();
    for (const plan::CellBits& each : guard.config()) values.push_back(state[state::Cell(each.cell)] & each.mask);
    for (number_ = 0; number_ < count_; ++number_)
        if (std::equal(values.begin(), values.end(), known_.data() + number_ * width)) return true;
    known_.insert(known_.end(), values.begin(), values.end());
    ++count_;
    return true;
}

}  // namespace tessera::units
