// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "isa/instruction.hpp"

namespace tessera::units {

/// The facts about a vector instruction that the next one is checked against.
struct RegisterUse {
    isa::Instruction instruction;
    std::uint32_t reads = 0, writes = 0;  ///< LRegs, a bit each
    std::uint32_t believed_reads = 0;     ///< those that Blackhole's stall logic assumes it to read
    std::uint32_t held = 0;               ///< those that hardware keeps the next instruction from reading in the next cycle
    std::uint8_t vd = 0;                  ///< as encoded
    bool in_mad = false;                  ///< executes in the MAD sub-unit
    bool late = false;                    ///< its result lands at the end of its second cycle
    bool lreg7_chooses = false;           ///< of `writes` only those that LReg 7 names
    std::uint8_t backdoor_shut = 0;       ///< lane columns with DISABLE_BACKDOOR_LOAD at its resolve, where that matters
};

}  // namespace tessera::units
