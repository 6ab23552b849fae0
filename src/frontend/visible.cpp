// SPDX-License-Identifier: Apache-2.0
#include "frontend/visible.hpp"

#include <algorithm>
#include <array>

#include "frontend/mop_expander.hpp"
#include "frontend/replay_expander.hpp"
#include "frontend/status_kinds.hpp"

namespace tessera::frontend {

namespace {

/// The instructions that come of the FIFO's words, as the MOP expander takes one after the other.
class ComingWords {
public:
    ComingWords(unsigned thread, const state::State& state)
        : arch_(state.arch()), upper_mask_(state[state::cells::mop_mask_block[thread]]) {
        std::ranges::copy(mop_registers(state, thread), registers_.begin());
    }
    /// How many instructions, as of mop_words_left().
    std::uint64_t take(const FifoEntry& entry, const isa::Instruction& instruction, unsigned most) {
        if (Expanders::holds_mop(entry, instruction))
            return mop_words(instruction, registers_, upper_mask_, arch_, most);
        if (!Expanders::for_mop_expander(entry, instruction)) return 1;
        if (entry.mop_register >= 0)
            registers_[static_cast<unsigned>(entry.mop_register)] = entry.word;
        else
            upper_mask_ = mop_mask(instruction);
        return 0;
    }

private:
    const state::ArchDescription& arch_;
    std::array<std::uint32_t, state::cells::mop_words> registers_;
    std::uint32_t upper_mask_;
};

}  // namespace

bool has_mops(const Expanders& front, unsigned thread, const state::State& state) {
    return mop_active(state, thread) || std::any_of(front.fifo.begin(), front.fifo.end(), [&](const FifoEntry& entry) {
               return Expanders::holds_mop(entry, isa::decode(entry.word, state.arch().arch));
           });
}

bool mops_expanded(const Expanders& front, unsigned thread, const state::State& state) {
    if (!has_mops(front, thread, state)) return true;
    const unsigned behind_replay = front.times().behind_replay + 1u;  // with the gate
    const unsigned room = front.times().behind_mop + behind_replay;
    std::uint64_t words = 0;
    if (replay_mode(state, thread) == state::ReplayMode::play)
        words = std::min(replay_left(state, thread), behind_replay);
    if (mop_active(state, thread)) words += mop_words_left(state, thread, room);
    bool fits = words <= room;
    ComingWords coming(thread, state);
    for (const FifoEntry& entry : front.fifo) {
        const isa::Instruction instruction = isa::decode(entry.word, state.arch().arch);
        words += coming.take(entry, instruction, room);
        if (Expanders::holds_mop(entry, instruction)) fits = words <= room;
    }
    return fits;
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
