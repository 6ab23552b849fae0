// SPDX-License-Identifier: Apache-2.0
// T0: the core itself waits until there is a tile in Dst.
#include "sync.hpp"

using namespace kernel;

void kernel_main() {
    ttinsn<SEMINIT({.max_value = 2, .init_value = 0, .sem_sel = math_pack.mask()})>();
    wait_coprocessor();
    volatile std::uint32_t& tiles = at(address::semaphores + 4 * 1);
    while (tiles == 0) continue;  // told
}
