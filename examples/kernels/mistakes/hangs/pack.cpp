// SPDX-License-Identifier: Apache-2.0
// T2: instructions of the packer wait until there is a tile in Dst; the core waits for the coprocessor.
#include "sync.hpp"

using namespace kernel;

void kernel_main() {
    ttinsn<SEMWAIT(
        {.stall_res = block::pack | block::sync, .sem_sel = math_pack.mask(), .wait_sem_cond = while_zero})>();
    ttinsn<SEMGET({.sem_sel = math_pack.mask()})>();  // told
    wait_coprocessor();
}
