// SPDX-License-Identifier: Apache-2.0
// T0 stores configuration, and pushes an instruction that needs it. Stores and instructions go to the coprocessor on
// different ways, and nothing says which comes first.
#include "unpack.hpp"

using namespace kernel;

void kernel_main() {
    configure_unpackers();
    configure(cfg::THCON_SEC0_REG3_Base_address, 0x2'4000 / 16 - 1);
    // Here stores_done() is missing.
    ttinsn<UNPACR({.SetDatValid = 1, .Last = 1})>();  // told
    wait_coprocessor();
}
