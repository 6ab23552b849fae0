// SPDX-License-Identifier: Apache-2.0
// The MOP expander of a thread: a MOP becomes a sequence of instructions, one at a time (MOPExpander, Functional model;
// spec-notes B27). What it still has to emit is state; nothing is made in advance.
#pragma once

#include <string_view>

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
