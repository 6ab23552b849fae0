// SPDX-License-Identifier: Apache-2.0
// The MOP expander of a thread: a MOP becomes a sequence of instructions, one at a time (MOPExpander, Functional model;
// spec-notes B27). What it still has to emit is state; nothing is made in advance.
#pragma once

#include <string_view>

#include "findings/catalogue.hpp"
#include "isa/instruction.hpp"
#include "state/state.hpp"

namespace tessera::frontend {

/// Width of the loop counts of template 1, and what the erratum adds to an outer count of 1.
struct MopRules {
    std::uint8_t count_bits;
    std::uint16_t erratum_adds;
};
const MopRules& mop_rules(Arch arch);

/// What is worth telling about a MOP when its expansion begins.
struct MopRemarks {
    std::uint32_t word_counts = 0;  ///< bits of the word that template 1 does not use
    int wide_register = -1;         ///< a MOP register with a count wider than count_bits
    std::uint32_t erratum_outer = 0;
    unsigned mop_template = 0;
    std::uint16_t counts = 0;        ///< registers that said how it is expanded, a bit each
    std::string_view empty_because;  ///< it expands to nothing
};

/// What template 0 or 1 has a MOP register for.
std::string_view mop_register_name(unsigned mop_template, unsigned item);

/// Calls tell(note) for each of them; `stored`: MOP registers that somebody has written, a bit each.
template <class Tell>
void for_each_remark(const MopRemarks& remarks, const state::State& state, unsigned thread, std::uint16_t stored,
                     Tell&& tell) {
    if (remarks.word_counts) tell(findings::Note{findings::id("frontend.mop-word-counts"), {remarks.word_counts}});
    if (remarks.wide_register >= 0) {
        const auto i = static_cast<unsigned>(remarks.wide_register);
        const std::uint32_t count = state[state::cells::mop(thread, i)];
        const unsigned bits = mop_rules(state.arch().arch).count_bits;
        tell(findings::Note{findings::id("frontend.mop-count"), {i, count, count & ((1u << bits) - 1)}});
    }
    for (unsigned i = 0; i < state::cells::mop_words; ++i)
        if (remarks.counts >> i & 1 && !(stored >> i & 1))
            tell(findings::Note{
                findings::id("frontend.mop-unwritten"), {i}, mop_register_name(remarks.mop_template, i)});
    if (!remarks.empty_because.empty())
        tell(findings::Note{findings::id("frontend.mop-empty"), {}, remarks.empty_because});
    if (remarks.erratum_outer)
        tell(findings::Note{findings::id("frontend.mop-outer-erratum"), {remarks.erratum_outer}});
}

/// Begins to expand a MOP. It may expand to nothing.
MopRemarks start_mop(state::State& state, unsigned thread, const isa::Instruction& mop);
void stop_mop(state::State& state, unsigned thread);

/// Whether there is something left to emit.
inline bool mop_active(const state::State& state, unsigned thread) {
    const auto active = state::MopActive(state[state::cells::mop_expansion(thread, state::Mop::active)]);
    return active != state::MopActive::none;
}

/// A MOP register, and the template of the MOP that reads it.
struct MopSource {
    unsigned mop_template = 0, item = 0;
};
/// Where the word that is emitted next comes from. Only while active.
MopSource mop_source(const state::State& state, unsigned thread);
/// That word.
std::uint32_t mop_word(const state::State& state, unsigned thread);

/// The word has been emitted.
void mop_advance(state::State& state, unsigned thread);

/// MOP_CFG: the high half of the mask for MOPs of template 0 from now on.
void set_mop_mask(state::State& state, unsigned thread, const isa::Instruction& mop_cfg);

}  // namespace tessera::frontend
