// SPDX-License-Identifier: Apache-2.0
// A counter in L1 that the coprocessor counts up when a unit is through with a page. The core that pushes would have to wait
// until then.
#pragma once

#include "sync.hpp"

namespace kernel {

/// Has two GPRs of the thread: the address in units of 16 bytes, and the count. GPR 0 is 0.
template <unsigned address_gpr, unsigned count_gpr>
struct Counter {
    /// The GPRs are stores of the core: stores_done() before the first count.
    static void begin(std::uint32_t address) {
        gpr(0) = 0;
        gpr(address_gpr) = address / 16;
        gpr(count_gpr) = 0;
    }

    template <std::uint32_t unit>
    static void count_when_done() {
        constexpr std::uint32_t one_word = 1;
        ttinsn<STALLWAIT({.stall_res = block::scalar, .wait_res = unit})>();
        ttinsn<ADDDMAREG({.OpBisConst = 1, .ResultRegIndex = count_gpr, .OpBRegIndex = 1, .OpARegIndex = count_gpr})>();
        ttinsn<STOREIND_l1({.Size = one_word, .OffsetHalfReg = 0, .DataReg = count_gpr, .AddrReg = address_gpr})>();
    }
};

}  // namespace kernel
