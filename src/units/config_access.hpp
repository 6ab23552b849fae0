// SPDX-License-Identifier: Apache-2.0
// Writes to backend configuration, for every unit that can: bounds, the thread's bank, and words whose write has side
// effects (BackendConfiguration, Special cases).
#pragma once

#include "units/state_view.hpp"

namespace tessera::units {

/// Whether the architecture has a word `index`; otherwise the plan fails with "config.index".
bool config_word_exists(const StateView& view, plan::Plan& plan, std::uint32_t index);

/// Plans a write of a whole word in the thread's bank, with its side effects.
void write_config(const StateView& view, plan::Plan& plan, std::uint32_t index, std::uint32_t value, plan::When when);

/// The same without a reset of the bank: RMWCIB.
void write_config_without_reset(const StateView& view, plan::Plan& plan, std::uint32_t index, std::uint32_t value,
                                plan::When when);

}  // namespace tessera::units
