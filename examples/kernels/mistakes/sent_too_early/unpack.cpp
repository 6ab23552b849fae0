// SPDX-License-Identifier: Apache-2.0
// T0 unpacks the page when B has said that it is there.
#include "mailbox.hpp"
#include "unpack.hpp"

using namespace kernel;

void kernel_main() {
    configure_unpackers();
    configure(cfg::THCON_SEC0_REG3_Base_address, 0x2'4000 / 16 - 1);
    stores_done();
    mailbox::receive(Core::b);
    ttinsn<UNPACR({.OvrdThreadId = 1, .SetDatValid = 1, .Last = 1})>();  // told
    wait_coprocessor();
}
