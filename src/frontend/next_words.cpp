// SPDX-License-Identifier: Apache-2.0
#include "frontend/next_words.hpp"

#include <algorithm>
#include <utility>

#include "frontend/mop_expander.hpp"
#include "frontend/replay_expander.hpp"

namespace tessera::frontend {

NextWords::NextWords(Expanders& front, const state::State& state, unsigned thread)
    : source(front.source(state)), index(front.expanding()), front_(front), state_(state), thread_(thread) {
    if (source != Source::replay) return;
    words = replay_words(state, thread);
    recorded = replay_recorded(state, thread);
    slot = replay_slot(state, thread);
    left = replay_left(state, thread);
}

bool NextWords::comes(std::uint32_t word) {
    position = front_.position();
    switch (source) {
        case Source::replay:
            out_of_replay = front_.replay_free();
            return left != 0 && words[slot] == word && (recorded >> slot & 1);
        case Source::mop:
            if (!mop_active(state_, thread_) || mop_word(state_, thread_) != word) return false;
            out_of_mop = front_.mop_free();
            break;
        case Source::fifo: {
            if (front_.fifo.empty()) return false;
            const FifoEntry& entry = front_.fifo.front();
            if (entry.word != word || entry.mop_register >= 0 || entry.uses.any()) return false;
            out_of_mop = std::max(front_.mop_free(), entry.visible);
            index = entry.index;
            position = -1;
            break;
        }
        case Source::other: return false;
    }
    out_of_replay = std::max(out_of_mop, front_.replay_free());
    return true;
}

bool NextWords::replays(std::span<const std::uint32_t> all) const {
    const std::size_t count = all.size();
    const std::uint64_t slots = ((std::uint64_t{1} << count) - 1) << slot;
    return source == Source::replay && count <= left && slot + count <= state::cells::replay_words &&
           !(slots & ~std::uint64_t{recorded}) && std::equal(all.begin(), all.end(), words + slot);
}

unsigned NextWords::replayed_of(isa::Unit unit) const {
    const auto is_of_unit = [&](std::uint32_t word) {
        const isa::Instruction instruction = isa::decode(word, state_.arch().arch);
        return instruction.is_of(unit);
    };
    unsigned count = 0;
    while (count < left && is_of_unit(words[(slot + count) % state::cells::replay_words])) ++count;
    return count;
}

void NextWords::played(state::State& state) {
    if (const unsigned count = std::exchange(played_, 0)) replay_advance(state, thread_, count);
}

std::uint32_t next_word(const Expanders& front, const state::State& state, unsigned thread, Source source) {
    if (source == Source::replay) return replay_word(state, thread);
    return source == Source::mop ? mop_word(state, thread) : front.fifo.front().word;
}

}  // namespace tessera::frontend
