// SPDX-License-Identifier: Apache-2.0
// What stands in a thread's FIFO, and what stands at its wait gate.
#pragma once

#include <algorithm>

#include "engine/clock.hpp"
#include "isa/instruction.hpp"
#include "state/resources.hpp"

namespace tessera::engine {

/// Decoded as it leaves.
struct FifoEntry {
    std::uint32_t word = 0;
    std::int16_t mop_register = -1;  ///< not an instruction: the core's store of `word` to it, kept in order
    bool expanded = false;           ///< it came in behind the MOP expander
    state::Uses uses{};              ///< that Auto TTSync keeps in order
    std::int64_t index = 0;
    Cycle pushed = 0, visible = 0;
};

/// The instruction at the wait gate, until it is issued. It leaves where it came from only then.
struct GateWord {
    isa::Instruction instruction;
    std::int64_t index = 0;
    std::int64_t position = -1;  ///< within the expansion of op `index`; -1: the op's own word
    bool from_mop = false, played = false, recorded = false;
    Cycle out_of_mop = 0, out_of_replay = 0;
    Cycle pushed = 0;      ///< its op, into the FIFO
    Cycle arrived = 0;     ///< here
    state::Uses uses{};    ///< that Auto TTSync keeps in order; of an expansion's first instruction, those of all
    Cycle held_until = 0;  ///< by Auto TTSync; never: until its core's stores are done
};

/// The earliest cycle for the next step of an expander that may be `ahead` instructions ahead of `taken`.
inline Cycle next_step(Cycle step, Cycle taken, Cycle ahead) {
    return std::max(step + 1, taken > ahead ? taken - ahead : 0);
}

}  // namespace tessera::engine
