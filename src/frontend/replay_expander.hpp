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

/// The mode that a REPLAY starts.
state::ReplayMode mode_of(const isa::Instruction& replay);
/// Executes a REPLAY: starts to play or record. Returns the number of instructions.
unsigned start_replay(state::State& state, unsigned thread, const isa::Instruction& replay);
void stop_replay(state::State& state, unsigned thread);

/// Number of instructions left to play or record, and the next slot.
unsigned replay_left(const state::State& state, unsigned thread);
unsigned replay_slot(const state::State& state, unsigned thread);

/// The next word to play, and whether it was ever recorded. Requires play mode.
std::uint32_t replay_word(const state::State& state, unsigned thread);
bool replay_word_recorded(const state::State& state, unsigned thread);

/// The replay buffer, in slot order.
inline const std::uint32_t* replay_words(const state::State& state, unsigned thread) {
    return &state.all_cells()[state::index(state::cells::replay(thread, 0))];
}
/// Recorded slots, a bit each.
inline std::uint32_t replay_recorded(const state::State& state, unsigned thread) {
    return state[state::cells::replay_recorded_block[thread]];
}

/// Advances by `words` played words.
void replay_advance(state::State& state, unsigned thread, unsigned words = 1);

/// Stores a word in the next slot. Requires record mode.
void replay_record(state::State& state, unsigned thread, std::uint32_t word);

}  // namespace tessera::frontend
