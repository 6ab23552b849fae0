// SPDX-License-Identifier: Apache-2.0
// What an instruction does with the lane flags (SFPIADD, SFPLZ, SFPEXEXP, SFPSETCC pages).
#pragma once

#include "state/state.hpp"

namespace tessera::units::vector {

enum class FlagUpdate : std::uint8_t {
    none,
    set,             ///< to what was found
    complement,      ///< of what they were
    set_complement,  ///< to the opposite of what was found
};

/// In `lanes`, a bit each; `found` is what the instruction found out.
inline void update_flags(state::State& state, std::uint32_t lanes, FlagUpdate update, std::uint32_t found) {
    const auto cell = state::cells::cc_block[0];
    const std::uint32_t old = state[cell];
    const bool sets = update == FlagUpdate::set || update == FlagUpdate::set_complement;
    const bool turns = update == FlagUpdate::complement || update == FlagUpdate::set_complement;
    state.write(cell, (old & ~lanes) | (((sets ? found : old) ^ (turns ? ~0u : 0u)) & lanes));
}

}  // namespace tessera::units::vector
