// SPDX-License-Identifier: Apache-2.0
#include "viewer/plans.hpp"

namespace tessera::viewer {

std::int32_t Plans::add(const Explanation& explanation) {
    plans_.varint(explanation.lines.size());
    for (const auto& line : explanation.lines) {
        const std::array<std::uint32_t, 3> key = {texts_.number(line.topic), texts_.number(line.name),
                                                  texts_.number(line.value)};
        const auto [at, added] = numbers_.emplace(key, static_cast<std::uint32_t>(topics_.size()));
        if (added) {
            topics_.add(key[0]);
            names_.add(key[1]);
            values_.add(key[2]);
        }
        plans_.varint(at->second);
    }
    return count_++;
}

Json Plans::json(const GoOn& go_on) const {
    return {{"count", count_},
            {"topics", topics_.json(go_on)},
            {"names", names_.json(go_on)},
            {"values", values_.json(go_on)},
            {"plans", plans_.json(go_on)}};
}

}  // namespace tessera::viewer
