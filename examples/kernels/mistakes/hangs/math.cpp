// SPDX-License-Identifier: Apache-2.0
// T1 fills a half of Dst with zeros.
#include "sync.hpp"

using namespace kernel;

void kernel_main() {
    ttinsn<ZEROACC({.clear_mode = 3})>();
    // Here half_filled() is missing: semaphore 1 is never posted.
    wait_coprocessor();
}
