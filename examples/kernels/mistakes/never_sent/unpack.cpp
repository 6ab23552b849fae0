// SPDX-License-Identifier: Apache-2.0
// T0 takes a word for each of two tasks.
#include "mailbox.hpp"

using namespace kernel;

void kernel_main() {
    const std::uint32_t first = mailbox::receive(Core::b);
    const std::uint32_t second = mailbox::receive(Core::b);
    at(0x2'0000) = first + second;
}
