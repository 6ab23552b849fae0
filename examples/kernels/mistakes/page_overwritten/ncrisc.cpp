// SPDX-License-Identifier: Apache-2.0
// NC fills the page again when T0 says that it may.
#include "coprocessor.hpp"

using namespace kernel;

void kernel_main() {
    while (at(0x2'0000) != 1) asm volatile("fence" ::: "memory");
    at(0x2'4000) = 0;  // told
}
