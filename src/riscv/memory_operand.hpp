// SPDX-License-Identifier: Apache-2.0
// The memory that an instruction accesses, before it is executed.
#pragma once

#include "riscv/decode.hpp"
#include "state/riscv.hpp"

namespace tessera::riscv {

struct MemoryOperand {
    std::uint32_t address = 0;
    unsigned bytes = 0;  ///< 0: it accesses no memory
    bool loads = false, stores = false;
};

/// With the registers that `core` has now.
MemoryOperand memory_operand(const DecodedOp& op, const state::Riscv& core);

}  // namespace tessera::riscv
