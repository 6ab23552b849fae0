// SPDX-License-Identifier: Apache-2.0
// Semaphores of the coprocessor, as T cores and as instructions see them.
#pragma once

#include "memory.hpp"

namespace kernel {

struct Semaphore {
    unsigned index;

    /// As SEMINIT, SEMPOST, SEMGET and SEMWAIT want to have it.
    constexpr std::uint32_t mask() const { return 1U << index; }

    std::uint32_t value() const { return word(); }
    void post() const { word() = 0; }
    void get() const { word() = 1; }
    void wait_below(std::uint32_t most) const {
        while (value() >= most) {
        }
    }

    Word& word() const { return at(address::semaphores + 4 * index); }
};

inline constexpr Semaphore unpack_sync{0};  // tiles whose addresses are written and not yet used
inline constexpr Semaphore math_pack{1};    // halves of Dst that are not packed yet
inline constexpr Semaphore math_ready{2};   // configuration is there, for T1
inline constexpr Semaphore pack_ready{3};   // the same for T2

/// SEMWAIT's conditions.
inline constexpr std::uint32_t while_zero = 1, while_max = 2;

}  // namespace kernel
