// SPDX-License-Identifier: Apache-2.0
#include "engine/observe/explanation_cache.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "util/golden_ratio.hpp"

namespace tessera::engine {

namespace {

std::uint64_t read(const std::vector<state::Cell>& cells, const state::State& state,
                   std::vector<std::uint32_t>& values) {
    std::uint64_t hash = 0;
    values.clear();
    for (const state::Cell cell : cells) {
        values.push_back(state[cell]);
        hash = (std::rotl(hash, 7) ^ values.back()) * util::golden_ratio;
    }
    return hash;
}

}  // namespace

ExplanationCache::Known* ExplanationCache::find(unsigned thread, const isa::Instruction& instruction,
                                                const std::string& context, const state::State& state) {
    for (Group& group : groups(thread, instruction)) {
        const auto [begin, end] = group.entries.equal_range(read(group.cells, state, values_));
        const auto at = std::find_if(begin, end, [&](const auto& one) {
            return one.second.context == context && one.second.values == values_;
        });
        if (at != end) return &at->second.known;
    }
    return nullptr;
}

ExplanationCache::Known& ExplanationCache::keep(unsigned thread, const isa::Instruction& instruction,
                                                const std::string& context, const state::State& state,
                                                std::vector<state::Cell> cells, Explanation&& explanation,
                                                std::uint64_t place) {
    if (++entries_ > most_entries) {
        groups_.clear();
        entries_ = 1;
    }
    auto& all = groups(thread, instruction);
    auto group = std::find_if(all.begin(), all.end(), [&](const Group& one) { return one.cells == cells; });
    if (group == all.end()) group = all.insert(all.end(), Group{std::move(cells), {}});
    const std::uint64_t hash = read(group->cells, state, values_);
    Known known{std::move(explanation), ++last_number_, place};
    return group->entries.emplace(hash, Entry{values_, context, std::move(known)})->second.known;
}

}  // namespace tessera::engine
