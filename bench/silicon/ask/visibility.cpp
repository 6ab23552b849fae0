// SPDX-License-Identifier: Apache-2.0
// Question: when does the coprocessor see an instruction that a core pushes, a semaphore that it posts, configuration that it stores?
// Core:     trisc0
// Words:    0: a NOP; 1: a semaphore is posted while the thread waits for it; 2: a store to configuration and a STALLWAIT for it;
//           3: a STALLWAIT alone; 4 to 15: whether a core's load sees a pushed SEMPOST after 0 to 11 of its own instructions
// Assumed:  push_latency = 2 in src/units/costs/costs.cpp
// Answer:   push_latency = next(k for k in range(12) if w[4 + k])
// Assumed:  semaphore_latency = 3 in src/units/costs/costs.cpp
// Answer:   semaphore_latency = w[1] - w[0] - 1 + next(k for k in range(12) if w[4 + k])
// Assumed:  config_store_latency = 6 in src/units/costs/costs.cpp
// Answer:   config_store_latency = w[2] - w[0] - 1 + next(k for k in range(12) if w[4 + k])
// Report:   words 0 to 15, the chip, its firmware's version
// A thread goes on in the cycle after its wait has ended: the 1 in the formulas.
#include "support/ask.hpp"

using namespace asking;

constexpr unsigned semaphore = 7, mask = 1 << semaphore;
static volatile uint32_t* const value = ckernel::pc_buf_base + 8 + semaphore;

/// Stores of 0 post, stores of 1 get.
static void post() { *value = 0; }

template <unsigned k>
[[gnu::noinline]] uint32_t sees_push() {
    uint32_t seen = 0;
    for (int i = 0; i < 3; ++i) {
        TTI_SEMINIT(15, 0, mask);
        tensix_sync();
        wall_clock();
        TTI_SEMPOST(mask);
        repeat<k>([] { asm volatile("nop"); });
        seen = load(value);
        tensix_sync();
    }
    return seen;
}

[[gnu::noinline]] static uint32_t post_while_waiting() {
    uint32_t took = 0;
    for (int i = 0; i < 3; ++i) {
        TTI_SEMINIT(15, 0, mask);
        tensix_sync();
        TTI_SEMWAIT(p_stall::STALL_THREAD, mask, p_stall::STALL_ON_ZERO);
        TTI_NOP;
        for (int wait = 0; wait < 8; ++wait) wall_clock();
        const uint32_t begin = wall_clock();
        post();
        tensix_sync();
        took = wall_clock() - begin;
    }
    return took;
}

void ask() {
    words[0] = cycles([] { TTI_NOP; });
    words[1] = post_while_waiting();
    words[2] = cycles([] {
        get_cfg_pointer()[THCON_SEC0_REG6_Source_address_ADDR32] = 1;
        TTI_STALLWAIT(p_stall::STALL_THREAD, p_stall::TRISC_CFG);
        TTI_NOP;
    });
    words[3] = cycles([] {
        TTI_STALLWAIT(p_stall::STALL_THREAD, p_stall::TRISC_CFG);
        TTI_NOP;
    });
    words[4] = sees_push<0>();
    words[5] = sees_push<1>();
    words[6] = sees_push<2>();
    words[7] = sees_push<3>();
    words[8] = sees_push<4>();
    words[9] = sees_push<5>();
    words[10] = sees_push<6>();
    words[11] = sees_push<7>();
    words[12] = sees_push<8>();
    words[13] = sees_push<9>();
    words[14] = sees_push<10>();
    words[15] = sees_push<11>();
}
