// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "frontend/fifo.hpp"
#include "isa/instruction.hpp"

namespace tessera::frontend {

/// Where a word at the wait gate comes from; other: nowhere, or from where it is not simply taken.
enum class Source : std::uint8_t { fifo, mop, replay, other };

/// The instruction at the wait gate, until it is issued. It leaves where it came from only then.
struct GateWord {
    isa::Instruction instruction;
    std::int64_t index = 0;
    std::int64_t position = -1;  ///< within the expansion of op `index`; -1: the op's own word
    Source source = Source::other;
    bool recorded = false;
    bool resolved = false;  ///< at least once: it waits behind that
    Cycle out_of_mop = 0, out_of_replay = 0;
    Cycle pushed = 0;      ///< its op, into the FIFO
    Cycle arrived = 0;     ///< here
    state::Uses uses{};    ///< that Auto TTSync keeps in order; of an expansion's first instruction, those of all
    Cycle held_until = 0;  ///< by Auto TTSync; never: until its core's stores are done
};

}  // namespace tessera::frontend
