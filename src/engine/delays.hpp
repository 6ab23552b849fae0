// SPDX-License-Identifier: Apache-2.0
// Random delays that hardware could have (RunOptions::seed). Without a seed there are none.
#pragma once

#include <cstdint>
#include <optional>
#include <random>

#include "engine/clock.hpp"
#include "tessera/kernels.hpp"
#include "util/split_mix.hpp"

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

/// Times in which a RISC-V core makes no access that others can notice, as if the memory were busy with other users. They
/// depend on seed, core and cycle alone: a run has the same ones whether or not it is observed, and in any steps.
class CoreStalls {
public:
    explicit CoreStalls(std::optional<std::uint64_t> seed)
        : drawn_(seed.has_value()), seed_(util::split_mix(seed.value_or(0))) {}

    /// Whether there are any.
    bool drawn() const { return drawn_; }
    struct Stall {
        Cycle first = 0, end = 0;  ///< the cycle behind the last; may be `first`
    };
    /// The core's first one that ends behind this cycle. Not inlined: most runs have no stalls.
    [[gnu::noinline]] Stall next(unsigned core, Cycle now) const {
        for (Cycle period = now / interval;; ++period)
            if (const Stall stall = of_period(core, period); stall.end > now) return stall;
    }
    /// When the core makes the access that it has come to.
    Cycle access_at(unsigned core, Cycle now) const {
        if (!drawn_) return now;
        const Stall stall = next(core, now);
        return now < stall.first ? now : stall.end;
    }

private:
    static constexpr Cycle interval = 128, longest = 24;

    Stall of_period(unsigned core, Cycle period) const {
        const std::uint64_t random = util::split_mix(seed_ + period * riscv_cores + core);
        const Cycle first = period * interval + 1 + random % (interval - longest - 1);
        return {first, first + (random >> 32) % (longest + 1)};
    }

    bool drawn_;
    std::uint64_t seed_;
};

}  // namespace tessera::engine
