// SPDX-License-Identifier: Apache-2.0
// For kernels that push instructions: the vendor's names, the time of what a core pushes, configuration.
#pragma once

#include "support/clock.hpp"

#if __has_include("ckernel.h")
#include "cfg_defines.h"
#include "ckernel.h"
#else
#include "support/ckernel_here.hpp"
#endif

namespace asking {

using ckernel::get_cfg_pointer;
using ckernel::p_stall;
using ckernel::tensix_sync;

struct Nothing {
    void operator()() const {}
};

/// Cycles from before `push` until the coprocessor is done; not those of `before`. Repeated, so that the code is in the core's cache in
/// the end.
template <typename Push, typename Before = Nothing>
[[gnu::noinline, gnu::aligned(64)]] uint32_t cycles(Push push, Before before = {}) {
    uint32_t took = 0;
    for (int i = 0; i < 3; ++i) {
        before();
        tensix_sync();
        const uint32_t begin = wall_clock();
        push();
        tensix_sync();
        took = wall_clock() - begin;
    }
    return took;
}

/// Sets a configuration field; other fields of its word stay.
inline void set(uint32_t addr32, uint32_t shift, uint32_t mask, uint32_t value) {
    volatile uint32_t* const word = get_cfg_pointer() + addr32;
    *word = (load(word) & ~mask) | (value << shift & mask);
}
#define SET(field, value) asking::set(field##_ADDR32, field##_SHAMT, field##_MASK, value)

/// The coprocessor has all that the core has stored.
inline void configured() {
    TTI_STALLWAIT(p_stall::STALL_THREAD, p_stall::TRISC_CFG);
    tensix_sync();
}

/// Codes of formats; BFP8 and BFP4 are those with exponents of eight bits.
enum Format : uint32_t { fp32 = 0, bf16 = 5, bfp8 = 6, bfp4 = 7 };

}  // namespace asking
