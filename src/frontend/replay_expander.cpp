// SPDX-License-Identifier: Apache-2.0
#include "frontend/replay_expander.hpp"

namespace tessera::frontend {

namespace {

using state::Replay;
using state::ReplayMode;
using state::State;

constexpr auto start_index = isa::operand("REPLAY", "start_idx");
constexpr auto length = isa::operand("REPLAY", "len");
constexpr auto execute = isa::operand("REPLAY", "execute_while_loading");
constexpr auto load = isa::operand("REPLAY", "load_mode");
constexpr unsigned slots = state::cells::replay_words;

std::uint32_t get(const State& state, unsigned thread, Replay item) {
    return state[state::cells::replay_expansion(thread, item)];
}
void set(State& state, unsigned thread, Replay item, std::uint32_t value) {
    state.write(state::cells::replay_expansion(thread, item), value);
}

}  // namespace

unsigned replay_left(const State& state, unsigned thread) { return get(state, thread, Replay::left); }
unsigned replay_slot(const State& state, unsigned thread) { return get(state, thread, Replay::slot) % slots; }

ReplayMode mode_of(const isa::Instruction& replay) {
    if (!replay[load]) return ReplayMode::play;
    return replay[execute] ? ReplayMode::record_and_execute : ReplayMode::record;
}

unsigned start_replay(State& state, unsigned thread, const isa::Instruction& replay) {
    const unsigned count = replay[length] ? replay[length] : slots;
    set(state, thread, Replay::mode, static_cast<std::uint32_t>(mode_of(replay)));
    set(state, thread, Replay::slot, replay[start_index] % slots);
    set(state, thread, Replay::left, count);
    return count;
}

void stop_replay(State& state, unsigned thread) {
    set(state, thread, Replay::mode, static_cast<std::uint32_t>(ReplayMode::idle));
    set(state, thread, Replay::left, 0);
}

std::uint32_t replay_word(const State& state, unsigned thread) {
    return replay_words(state, thread)[replay_slot(state, thread)];
}

bool replay_word_recorded(const State& state, unsigned thread) {
    return replay_recorded(state, thread) >> replay_slot(state, thread) & 1;
}

void replay_advance(State& state, unsigned thread, unsigned words) {
    std::uint32_t* const items = state.data(state::cells::replay_expansion(thread, Replay(0)));
    std::uint32_t &slot = items[static_cast<unsigned>(Replay::slot)], &left = items[static_cast<unsigned>(Replay::left)];
    slot = (slot + words) % slots;
    left -= words;
    if (left == 0) stop_replay(state, thread);
}

void replay_record(State& state, unsigned thread, std::uint32_t word) {
    const unsigned slot = replay_slot(state, thread);
    const auto recorded = state::cells::replay_recorded_block[thread];
    state.write(state::cells::replay(thread, slot), word);
    state.write(recorded, state[recorded] | 1u << slot);
    replay_advance(state, thread);
}

}  // namespace tessera::frontend
