// SPDX-License-Identifier: Apache-2.0
// A counter of a circular buffer that the coprocessor sets when a unit is through with a page. The core that pushes would
// have to wait until then.
#pragma once

#include "circular_buffer.hpp"
#include "sync.hpp"

namespace kernel {

/// Has a GPR of the thread.
template <unsigned count_gpr>
struct Counter {
    /// The GPR is a store of the core: stores_done() before the first count.
    static void begin() { gpr(count_gpr) = 0; }

    /// The register at that address becomes `count`.
    template <std::uint32_t unit>
    static void count_when_done(std::uint32_t address, std::uint32_t count) {
        push(SETDMAREG_immediate({.NewValue = count, .ResultHalfReg = 2 * count_gpr}));
        ttinsn<STALLWAIT({.stall_res = block::scalar, .wait_res = unit})>();
        push(STOREREG({.TdmaDataRegIndex = count_gpr, .RegAddr = address / 4}));
    }
};

}  // namespace kernel
