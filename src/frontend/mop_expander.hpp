// SPDX-License-Identifier: Apache-2.0
// The MOP expander of a thread: expands a MOP lazily into a sequence of instructions (MOPExpander, Functional model;
// spec-notes B27). The pending expansion is state.
#pragma once

#include <string_view>

#include "findings/catalogue.hpp"
#include "isa/instruction.hpp"
#include "state/state.hpp"

namespace tessera::frontend {

/// Remarks on a MOP at the start of its expansion.
struct MopRemarks {
    std::uint32_t word_counts = 0;  ///< bits of the word that template 1 does not use
    int wide_register = -1;         ///< a MOP register with a wider count
    std::uint32_t erratum_outer = 0;
    unsigned mop_template = 0;
    std::uint16_t counts = 0;        ///< registers whose counts were used, a bit each
    std::string_view empty_because;  ///< why it expands to nothing; else empty
};

/// The count that template 1 takes from a MOP register.
std::uint32_t mop_count(const state::State& state, unsigned thread, unsigned item);

/// The use that template 0 or 1 makes of a MOP register.
std::string_view mop_register_name(unsigned mop_template, unsigned item);

/// Calls tell(note) for each remark. `stored`: MOP registers written so far, a bit each.
template <class Tell>
void for_each_remark(const MopRemarks& remarks, const state::State& state, unsigned thread, std::uint16_t stored,
                     Tell&& report) {
    if (remarks.word_counts) report(findings::Note{findings::id("frontend.mop-word-counts"), {remarks.word_counts}});
    if (remarks.wide_register >= 0) {
        const auto i = static_cast<unsigned>(remarks.wide_register);
        const std::uint32_t count = state[state::cells::mop(thread, i)], bits = state.arch().mop_count_bits;
        report(findings::Note{findings::id("frontend.mop-count"), {i, count, bits, mop_count(state, thread, i)}});
    }
    for (unsigned i = 0; i < state::cells::mop_words; ++i)
        if (remarks.counts >> i & 1 && !(stored >> i & 1))
            report(findings::Note{
                findings::id("frontend.mop-unwritten"), {i}, mop_register_name(remarks.mop_template, i)});
    if (!remarks.empty_because.empty())
        report(findings::Note{findings::id("frontend.mop-empty"), {}, remarks.empty_because});
    if (remarks.erratum_outer)
        report(findings::Note{findings::id("frontend.mop-outer-erratum"), {remarks.erratum_outer}});
}

/// Begins to expand a MOP. The expansion may be empty.
MopRemarks start_mop(state::State& state, unsigned thread, const isa::Instruction& mop);
void stop_mop(state::State& state, unsigned thread);

/// True if instructions are left to emit.
inline bool mop_active(const state::State& state, unsigned thread) {
    const auto active = state::MopActive(state[state::cells::mop_expansion(thread, state::Mop::active)]);
    return active != state::MopActive::none;
}

/// A MOP register, and the template of the MOP that reads it.
struct MopSource {
    unsigned mop_template = 0, item = 0;
};
/// Source of the next word. Requires mop_active().
MopSource mop_source(const state::State& state, unsigned thread);
/// The next word. Requires mop_active().
std::uint32_t mop_word(const state::State& state, unsigned thread);

/// Call after the word was emitted.
void mop_advance(state::State& state, unsigned thread);

/// MOP_CFG: sets the high half of the mask for later MOPs of template 0.
void set_mop_mask(state::State& state, unsigned thread, const isa::Instruction& mop_cfg);

}  // namespace tessera::frontend
