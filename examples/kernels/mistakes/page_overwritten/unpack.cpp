// SPDX-License-Identifier: Apache-2.0
// T0 gives a page back to NC as soon as it has pushed the UNPACR that reads it.
#include "unpack.hpp"

using namespace kernel;

void kernel_main() {
    configure_unpackers();
    configure(cfg::THCON_SEC0_REG3_Base_address, 0x2'4000 / 16 - 1);
    stores_done();
    ttinsn<UNPACR({.OvrdThreadId = 1, .SetDatValid = 1, .Last = 1})>();  // told
    // Here wait_coprocessor() is missing, or a count by the scalar unit behind a STALLWAIT.
    at(0x2'0000) = 1;
    wait_coprocessor();
}
