// SPDX-License-Identifier: Apache-2.0
// B stores a word that T0 waits for.
#include "memory.hpp"

using namespace kernel;

void kernel_main() {
    for (unsigned i = 0; i < 50; ++i) asm volatile("nop");
    at(0x2'0000) = 1;
}
