// SPDX-License-Identifier: Apache-2.0
// Loops of 256 bytes to 8 KiB of code, of which each is a power of two: how fast instructions come that are not in a core's cache.
#pragma once

#include "support/clock.hpp"

namespace asking {

#define ROUNDS_OF(n)                                                                                  \
    core_cycles([] {                                                                                  \
        for (int round = 0; round < 16; ++round) asm volatile(".rept " #n "\naddi x0, x0, 1\n.endr"); \
    })

inline void measure_fetches() {
    words[0] = ROUNDS_OF(64);
    words[1] = ROUNDS_OF(120);
    words[2] = ROUNDS_OF(248);
    words[3] = ROUNDS_OF(504);
    words[4] = ROUNDS_OF(1016);
    words[5] = ROUNDS_OF(1528);
    words[6] = ROUNDS_OF(2040);
}

}  // namespace asking
