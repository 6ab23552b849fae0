// SPDX-License-Identifier: Apache-2.0
// B stores a word, waits until L1 has it, and signals T0.
#include "mailbox.hpp"

using namespace kernel;

void kernel_main() {
    for (unsigned i = 0; i < 50; ++i) asm volatile("nop");
    at(0x2'0010) = 7;
    settle(0x2'0010);
    mailbox::send(Core::t0, 1);
}
