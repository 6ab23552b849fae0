// SPDX-License-Identifier: Apache-2.0
// B makes a page ready for T0.
#include "mailbox.hpp"

using namespace kernel;

extern "C" {
[[gnu::section(".arguments")]] volatile std::uint32_t right = 0;  // 1: without the mistake
}

void kernel_main() {
    if (!right) mailbox::send(Core::t0, 1);
    at(0x2'4000) = 0x3F80'3F80;  // told
    settle(0x2'4000);
    if (right) mailbox::send(Core::t0, 1);
}
