// SPDX-License-Identifier: Apache-2.0
// B sends T0 how much there is to do, for each of two tasks.
#include "mailbox.hpp"

using namespace kernel;

extern "C" {
[[gnu::section(".arguments")]] volatile std::uint32_t right = 0;  // 1: without the mistake
}

void kernel_main() {
    mailbox::send(Core::t0, 3);
    if (right) mailbox::send(Core::t0, 4);
}
