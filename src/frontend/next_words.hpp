// SPDX-License-Identifier: Apache-2.0
// The next words of a thread, for who knows which ones must follow (units/trace_cache.hpp). They pass the gate without standing there.
#pragma once

#include <span>

#include "frontend/expanders.hpp"

namespace tessera::frontend {

class NextWords {
public:
    /// `front` must be idle at the gate. All words come from the present source.
    NextWords(Expanders& front, const state::State& state, unsigned thread);

    /// Whether the next word is this one, from the same source. Then the ready times, `index` and `position` are its own.
    bool comes(std::uint32_t word);
    /// Whether all of these are replayed next.
    bool replays(std::span<const std::uint32_t> all) const;
    /// How many words of the unit are replayed next in a row.
    unsigned replayed_of(isa::Unit unit) const;
    /// The word that comes() found is issued. Call played() before anything else reads the expander's state.
    void take(state::State& state, Cycle now, ExpanderListener& listener) {
        front_.pass(state, source, out_of_mop, out_of_replay, now, listener);
        if (source != Source::replay) return;
        slot = (slot + 1) % state::cells::replay_words;
        --left;
        ++played_;
    }
    /// Tells the replay expander what it has played.
    void played(state::State& state);

    const Source source;
    const std::uint32_t* words = nullptr;  ///< of the replay buffer
    std::uint32_t recorded = 0;            ///< a bit per slot
    unsigned slot = 0, left = 0;
    Cycle out_of_mop = 0, out_of_replay = 0;
    std::int64_t index = 0, position = -1;

private:
    Expanders& front_;
    const state::State& state_;
    const unsigned thread_;
    unsigned played_ = 0;
};

/// The word that comes next from this source.
std::uint32_t next_word(const Expanders& front, const state::State& state, unsigned thread, Source source);

}  // namespace tessera::frontend
