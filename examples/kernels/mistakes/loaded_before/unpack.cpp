// SPDX-License-Identifier: Apache-2.0
// T0 has loaded the word once before B says that it is there. A mailbox orders; what Blackhole's cache holds it does not touch.
#include "mailbox.hpp"

using namespace kernel;

extern "C" {
[[gnu::section(".arguments")]] volatile std::uint32_t right = 0;  // 1: without the mistake
}

void kernel_main() {
    const std::uint32_t before = load_now(at(0x2'0010));
    mailbox::receive(Core::b);
    if (right) forget_cached();
    const std::uint32_t after = at(0x2'0010);  // told
    at(0x2'0020) = after - before;
}
