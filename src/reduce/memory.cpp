// SPDX-License-Identifier: Apache-2.0
// Reduces memory: drops entries of `l1`, then zeroes parts of them, halves first.
#include <algorithm>

#include "reduce/trial.hpp"

namespace tessera::reduction {

namespace {

/// Reads of L1 have this granularity.
constexpr std::size_t line = 16;

class Eraser {
public:
    Eraser(Trial& trial, std::size_t region) : trial_(trial), region_(region) {}

    bool erase(std::size_t first, std::size_t last) {
        const auto& bytes = trial_.best().l1[region_].bytes;
        const auto is_zero = [](std::byte byte) { return byte == std::byte{0}; };
        const auto from = bytes.begin() + static_cast<std::ptrdiff_t>(first),
                   to = bytes.begin() + static_cast<std::ptrdiff_t>(last);
        if (trial_.over() || std::all_of(from, to, is_zero)) return false;
        Job job = trial_.best();
        std::fill(job.l1[region_].bytes.begin() + static_cast<std::ptrdiff_t>(first),
                  job.l1[region_].bytes.begin() + static_cast<std::ptrdiff_t>(last), std::byte{0});
        if (trial_.accept(std::move(job))) return true;
        if (last - first <= line) return false;
        const std::size_t middle = first + (last - first) / 2 / line * line;
        const bool low = middle > first && erase(first, middle);
        const bool high = erase(std::max(middle, first + (middle > first ? 0 : line)), last);
        return low || high;
    }

private:
    Trial& trial_;
    std::size_t region_;
};

}  // namespace

bool clear_memory(Trial& trial) {
    bool smaller = false;
    for (std::size_t i = trial.best().l1.size(); i-- > 0 && !trial.over();) {
        Job job = trial.best();
        job.l1.erase(job.l1.begin() + static_cast<std::ptrdiff_t>(i));
        if (trial.accept(std::move(job)))
            smaller = true;
        else
            smaller |= Eraser(trial, i).erase(0, trial.best().l1[i].bytes.size());
    }
    return smaller;
}

}  // namespace tessera::reduction
