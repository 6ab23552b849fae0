// SPDX-License-Identifier: Apache-2.0
// The replay expander of a thread: records instructions on their way to the wait gate, and plays them back (REPLAY,
// Functional model; spec-notes C10).
#pragma once

#include "isa/instruction.hpp"
#include "state/state.hpp"

namespace tessera::frontend {

inline state::ReplayMode replay_mode(const state::State& state, unsigned thread) {
    return state::ReplayMode(state[state::cells::replay_expansion(thread, state::Replay::mode)]);
}

/// Takes a REPLAY: from now on plays or records. Returns how many instructions.
unsigned start_replay(state::State& state, unsigned thread, const isa::Instruction& replay);
void stop_replay(state::State& state, unsigned thread);

/// Instructions still to be played or recorded, and the slot of the next.
unsigned replay_left(const state::State& state, unsigned thread);
unsigned replay_slot(const state::State& state, unsigned thread);

/// The next word to be played, and whether it was ever recorded. Only while playing.
std::uint32_t replay_word(const state::State& state, unsigned thread);
bool replay_word_recorded(const state::State& state, unsigned thread);

/// What is played, in the order of its slots.
inline const std::uint32_t* replay_words(const state::State& state, unsigned thread) {
    return &state.all_cells()[state::index(state::cells::replay(thread, 0))];
}
/// Slots that have been recorded, a bit each.
inline std::uint32_t replay_recorded(const state::State& state, unsigned thread) {
    return state[state::cells::replay_recorded_block[thread]];
}

/// So many words have been played.
void replay_advance(state::State& state, unsigned thread, unsigned words = 1);

/// Stores a word in the next slot. Only while recording.
void replay_record(state::State& state, unsigned thread, std::uint32_t word);

}  // namespace tessera::frontend
