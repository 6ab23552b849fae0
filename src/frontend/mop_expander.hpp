// SPDX-License-Identifier: Apache-2.0
// The MOP expander of a thread: expands a MOP lazily into a sequence of instructions (MOPExpander, Functional model;
// spec-notes B27). The pending expansion is state.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "frontend/expanders.hpp"
#include "isa/instruction.hpp"
#include "state/state.hpp"

namespace tessera::frontend {

/// The use that template 0 or 1 makes of a MOP register.
std::string_view mop_register_name(unsigned mop_template, unsigned item);

/// Begins to expand the MOP of that origin. The expansion may be empty. `stored`: MOP registers written so far, a bit each.
void start_mop(state::State& state, unsigned thread, const isa::Instruction& mop, std::uint16_t stored,
               ExpanderListener& listener, const WordOrigin& origin);
void stop_mop(state::State& state, unsigned thread);

/// True if instructions are left to emit.
inline bool mop_active(const state::State& state, unsigned thread) {
    const auto active = state::MopActive(state[state::cells::mop_expansion(thread, state::Mop::active)]);
    return active != state::MopActive::none;
}

using MopRegisters = std::span<const std::uint32_t, state::cells::mop_words>;
inline MopRegisters mop_registers(const state::State& state, unsigned thread) {
    return MopRegisters(
        state[state::cells::mop_block].subspan(thread * state::cells::mop_words, state::cells::mop_words));
}
/// The instructions that are left to emit.
struct MopRest {
    std::uint64_t words = 0;      ///< exact up to `most`; of more, some number above it
    std::uint32_t registers = 0;  ///< MOP registers that give the first `told` of them, a bit each
};
MopRest mop_rest(const state::State& state, unsigned thread, unsigned most, unsigned told = 0);
/// The same of a MOP that has not begun. `upper_mask`: of MOP_CFG.
MopRest mop_rest(const isa::Instruction& mop, MopRegisters registers, std::uint32_t upper_mask,
                 const state::ArchDescription& arch, unsigned most, unsigned told = 0);

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

/// The high half of the mask that a MOP_CFG sets.
std::uint32_t mop_mask(const isa::Instruction& mop_cfg);
/// MOP_CFG: sets the high half of the mask for later MOPs of template 0.
void set_mop_mask(state::State& state, unsigned thread, const isa::Instruction& mop_cfg);

}  // namespace tessera::frontend
