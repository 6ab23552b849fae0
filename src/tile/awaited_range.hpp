// SPDX-License-Identifier: Apache-2.0
// The range of L1 around the words that a run or its host waits for. The engine hears of stores there at once.
#pragma once

#include <algorithm>
#include <cstdint>

#include "tessera/kernels.hpp"

namespace tessera::tile {

class AwaitedRange {
public:
    explicit AwaitedRange(const Kernels& kernels) {
        for (const auto& word : kernels.done) add(word.address);
        for (const HostStep& step : kernels.host)
            if (step.when) add(step.when->address);
    }

    std::uint32_t first() const { return first_; }
    /// 0: no word is awaited.
    std::uint32_t end() const { return end_; }
    bool contains(std::uint32_t address) const { return address >= first_ && address < end_; }

private:
    void add(std::uint32_t address) {
        first_ = end_ ? std::min(first_, address) : address;
        end_ = std::max(end_, address + 4);
    }

    std::uint32_t first_ = 0, end_ = 0;
};

}  // namespace tessera::tile
