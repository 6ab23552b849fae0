// SPDX-License-Identifier: Apache-2.0
// Changes of the lane flags by an instruction (SFPIADD, SFPLZ, SFPEXEXP, SFPSETCC pages).
#pragma once

#include "state/state.hpp"

namespace tessera::units::vector {

enum class FlagUpdate : std::uint8_t {
    none,
    set,             ///< to the found value
    complement,      ///< inverts the old value
    set_complement,  ///< to the inverse of the found value
};

/// For `lanes`, a bit each. `found`: the instruction's own result.
inline void update_flags(state::State& state, std::uint32_t lanes, FlagUpdate update, std::uint32_t found) {
    const auto cell = state::cells::cc_block[0];
    const std::uint32_t old = state[cell];
    const bool sets = update == FlagUpdate::set || update == FlagUpdate::set_complement;
    const bool turns = update == FlagUpdate::complement || update == FlagUpdate::set_complement;
    state.write(cell, (old & ~lanes) | (((sets ? found : old) ^ (turns ? ~0u : 0u)) & lanes));
}

}  // namespace tessera::units::vector
