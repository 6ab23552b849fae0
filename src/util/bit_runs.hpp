// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

namespace tessera::util {

/// Calls f(first, count) for each run of adjacent set bits, from the lowest.
template <class F>
void for_each_run(std::uint32_t mask, F&& f) {
    for (std::uint64_t rest = mask; rest;) {
        const auto first = static_cast<unsigned>(std::countr_zero(rest));
        const auto count = static_cast<unsigned>(std::countr_one(rest >> first));
        f(first, count);
        rest &= ~std::uint64_t{0} << (first + count);
    }
}

}  // namespace tessera::util
