// SPDX-License-Identifier: Apache-2.0
#include "frontend/visible.hpp"

#include <algorithm>

#include "frontend/mop_expander.hpp"
#include "frontend/status_kinds.hpp"

namespace tessera::frontend {

bool mops_expanded(const Expanders& front, unsigned thread, const state::State& state) {
    return !mop_active(state, thread) &&
           std::none_of(front.fifo.begin(), front.fifo.end(), [&](const FifoEntry& entry) {
               return Expanders::for_mop_expander(entry, isa::decode(entry.word, state.arch().arch));
           });
}

std::uint32_t queued_kinds(const Expanders& front, unsigned thread, const state::State& state) {
    std::uint32_t kinds = 0;
    for (const FifoEntry& entry : front.fifo)
        if (entry.mop_register < 0) kinds |= status_kinds(isa::decode(entry.word, state.arch().arch));
    if (mop_active(state, thread)) kinds |= mop_kind;
    if (front.gated()) kinds |= status_kinds(front.gate().instruction);
    return kinds;
}

std::uint32_t busy_kinds(const Expanders& front, unsigned thread, const state::State& state, const Activity& activity) {
    std::uint32_t kinds = queued_kinds(front, thread, state);
    for (unsigned p = 0; p < plan::pipes; ++p)
        if (activity.busy(plan::Pipe(p), thread)) kinds |= status_kinds(plan::Pipe(p));
    return kinds;
}

void publish_fifo(const Fifo& fifo, unsigned thread, state::State& state) {
    using namespace state::cells;
    unsigned count = 0;
    for (const FifoEntry& entry : fifo)
        if (entry.mop_register < 0 && count < fifo_words) state.write(fifo_block[thread * fifo_words + count++], entry.word);
    state.write(fifo_count_block[thread], count);
    for (unsigned i = count; i < fifo_words; ++i) state.write(fifo_block[thread * fifo_words + i], 0);
}

}  // namespace tessera::frontend
