// SPDX-License-Identifier: Apache-2.0
// Random delays that hardware could have (RunOptions::seed). Without a seed there are none.
#pragma once

#include <cstdint>
#include <optional>
#include <random>

#include "engine/clock.hpp"

namespace tessera::engine {

class Delays {
public:
    explicit Delays(std::optional<std::uint64_t> seed) : drawn_(seed.has_value()), random_(seed.value_or(0)) {}

    /// Whether delays are drawn.
    bool drawn() const { return drawn_; }
    Cycle up_to(Cycle most) { return drawn_ && most ? random_() % (most + 1) : 0; }

private:
    bool drawn_;
    std::mt19937_64 random_;
};

}  // namespace tessera::engine
