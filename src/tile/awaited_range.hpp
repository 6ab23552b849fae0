// SPDX-License-Identifier: Apache-2.0
// The range of L1 around bytes of which a run, its host or a debugger wants to hear at once.
#pragma once

#include <algorithm>
#include <cstdint>

#include "tessera/kernels.hpp"

namespace tessera::tile {

class AwaitedRange {
public:
    AwaitedRange() = default;
    explicit AwaitedRange(const Kernels& kernels) {
        for (const auto& word : kernels.done) add(word.address, 4);
        for (const HostStep& step : kernels.host)
            if (step.when) add(step.when->address, 4);
    }
    /// These bytes, too, in whole words: a store of any width begins in one of them.
    void add(std::uint32_t address, std::uint32_t bytes) {
        const std::uint32_t first = address & ~3u;
        first_ = end_ ? std::min(first_, first) : first;
        end_ = std::max(end_, address + bytes);
    }

    std::uint32_t first() const { return first_; }
    /// 0: no word is awaited.
    std::uint32_t end() const { return end_; }
    bool contains(std::uint32_t address) const { return address >= first_ && address < end_; }

private:
    std::uint32_t first_ = 0, end_ = 0;
};

}  // namespace tessera::tile
