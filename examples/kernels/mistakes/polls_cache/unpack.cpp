// SPDX-License-Identifier: Apache-2.0
// T0 polls a word of L1. Blackhole's cache answers with what it has had since the first load.
#include "memory.hpp"

using namespace kernel;

extern "C" {
[[gnu::section(".arguments")]] volatile std::uint32_t right = 0;  // 1: without the mistake
}

void kernel_main() {
    while (at(0x2'0000) == 0) {  // told
        if (right) forget_cached();
    }
}
