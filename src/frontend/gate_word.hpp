// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "frontend/fifo.hpp"
#include "isa/instruction.hpp"

namespace tessera::frontend {

/// Source of a word at the wait gate. other: none, or a source that the fast path does not handle.
enum class Source : std::uint8_t { fifo, mop, replay, other };

/// The instruction at the wait gate. It leaves its source only when it is issued.
struct GateWord {
    isa::Instruction instruction;
    std::int64_t index = 0;
    std::int64_t position = -1;  ///< within the expansion of op `index`; -1: the op's own word
    Source source = Source::other;
    bool recorded = false;
    bool resolved = false;  ///< resolved at least once; later waits come after that
    Cycle out_of_mop = 0, out_of_replay = 0;
    Cycle pushed = 0;      ///< when its op entered the FIFO
    Cycle arrived = 0;     ///< at the gate
    state::Uses uses{};    ///< ordered by Auto TTSync; for an expansion's first instruction, of the whole expansion
    Cycle held_until = 0;  ///< by Auto TTSync; never: until its core's stores are done
};

}  // namespace tessera::frontend
