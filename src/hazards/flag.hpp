// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "tessera/kernels.hpp"

namespace tessera::hazards {

/// A word by which actors agree, with the knowledge of all that wrote it: a clock. Cores poll it, and most of their loads tell nothing new.
template <class Clock>
class Flag {
public:
    const Clock& known() const { return known_; }
    /// Calls learn(clock), which adds to it and returns whether that is new.
    template <class F>
    void raise(F&& learn) {
        version_ += learn(known_);
    }
    /// Whether it knows more than when the core last asked.
    bool has_news_for(unsigned core) { return std::exchange(seen_[core], version_) != version_; }

private:
    Clock known_{};
    std::uint32_t version_ = 0;  ///< counts changes of `known_`
    std::array<std::uint32_t, riscv_cores> seen_{};
};

}  // namespace tessera::hazards
