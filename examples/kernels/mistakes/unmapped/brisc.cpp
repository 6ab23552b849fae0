// SPDX-License-Identifier: Apache-2.0
// B adds up words of L1, from the wrong end on.
#include "memory.hpp"

using namespace kernel;

extern "C" {
[[gnu::section(".arguments")]] volatile std::uint32_t sum = 1;
}

void kernel_main() {
    constexpr std::uint32_t end = 0x20'0000;  // L1 ends before that
    for (std::uint32_t address = end; address > end - 64; address -= 4) {
        sum = sum + at(address);  // told
    }
}
