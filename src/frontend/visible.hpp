// SPDX-License-Identifier: Apache-2.0
// The state of a thread's front end that cores and users see.
#pragma once

#include <cstdint>

#include "frontend/expanders.hpp"
#include "frontend/wait_gate.hpp"
#include "plan/pipe.hpp"

namespace tessera::frontend {

/// A MOP waits in the FIFO, or instructions of one have not left the gate.
bool has_mops(const Expanders& front, unsigned thread, const state::State& state);
/// All instructions of the thread's MOPs are behind the MOP expander (MOPExpanderDoneCheck): what has not left the gate has room in the FIFOs
/// there. As if moving them took no time (spec-notes C21).
bool mops_expanded(const Expanders& front, unsigned thread, const state::State& state);

/// Kinds of the instructions that have not passed the gate, a bit each, as tt_cfg_qstatus shows them (CSRs). Of a MOP those of its instructions
/// that have room behind the MOP expander, and itself if not all have, as for mops_expanded().
std::uint32_t queued_kinds(const Expanders& front, unsigned thread, const state::State& state);

/// The same, and of those that execute: tt_cfg_bstatus.
std::uint32_t busy_kinds(const Expanders& front, unsigned thread, const state::State& state, const Activity& activity);

/// Copies a FIFO's words into the state's cells for them.
void publish_fifo(const Fifo& fifo, unsigned thread, state::State& state);

/// Copies what waits in front of the gates and the units into the state's cells for it. `fifo(thread)` is a FIFO, `queue(pipe)` a queue, and
/// `word(element)` the word of one of its elements.
template <class FifoOf, class Queue, class Word>
void publish(state::State& state, const Activity& activity, FifoOf&& fifo, Queue&& queue, Word&& word) {
    using namespace state::cells;
    for (unsigned t = 0; t < state::threads; ++t) {
        publish_fifo(fifo(t), t, state);
        state.write(scalar_outstanding_block[t], activity.scalar_requests[t]);
    }
    constexpr unsigned first = static_cast<unsigned>(plan::Pipe::scalar);
    for (unsigned pipe = first; pipe < plan::pipes; ++pipe) {
        const auto& waiting = queue(pipe);
        for (unsigned i = 0; i < queue_words; ++i)
            state.write(queue_block[(pipe - first) * queue_words + i], i < waiting.size() ? word(waiting[i]) : 0);
    }
}

}  // namespace tessera::frontend
