// SPDX-License-Identifier: Apache-2.0
// Waiting times of a front end, by reason.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/wait.hpp"

namespace tessera::engine {

/// A thread waits for few different reasons, again and again.
class WaitTimes {
public:
    Cycle& operator[](const Wait& wait) {
        const auto known =
            std::find_if(times_.begin(), times_.end(), [&](const auto& one) { return one.first == wait; });
        return known != times_.end() ? known->second : times_.emplace_back(wait, 0).second;
    }
    Cycle of(const Wait& wait) const {
        const auto known =
            std::find_if(times_.begin(), times_.end(), [&](const auto& one) { return one.first == wait; });
        return known != times_.end() ? known->second : 0;
    }
    auto begin() const { return times_.begin(); }
    auto end() const { return times_.end(); }

private:
    std::vector<std::pair<Wait, Cycle>> times_;
};

}  // namespace tessera::engine
