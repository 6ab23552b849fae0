// SPDX-License-Identifier: Apache-2.0
// Waiting times of a front end, by reason.
#pragma once

#include <utility>
#include <vector>

#include "engine/wait.hpp"

namespace tessera::engine {

/// A thread waits for few different reasons, again and again.
class WaitTimes {
public:
    Cycle& operator[](const Wait& wait) {
        for (auto& [known, cycles] : times_)
            if (known == wait) return cycles;
        return times_.emplace_back(wait, 0).second;
    }
    Cycle of(const Wait& wait) const {
        for (const auto& [known, cycles] : times_)
            if (known == wait) return cycles;
        return 0;
    }
    auto begin() const { return times_.begin(); }
    auto end() const { return times_.end(); }

private:
    std::vector<std::pair<Wait, Cycle>> times_;
};

}  // namespace tessera::engine
