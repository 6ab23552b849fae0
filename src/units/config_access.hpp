// SPDX-License-Identifier: Apache-2.0
// Writing backend configuration, for every unit that can: bounds, the thread's bank, and the words whose write has an
// immediate effect (BackendConfiguration, Special cases).
#pragma once

#include "units/state_view.hpp"

namespace tessera::units {

/// Whether the architecture has a word `index`; if not, the plan fails with "config.index".
bool config_word_exists(const StateView& view, plan::Plan& plan, std::uint32_t index);

/// Plans a write of a whole word in the thread's bank, with what it sets off.
void write_config(const StateView& view, plan::Plan& plan, std::uint32_t index, std::uint32_t value, plan::When when);

/// The same without setting off a reset of the bank: RMWCIB.
void write_config_without_reset(const StateView& view, plan::Plan& plan, std::uint32_t index, std::uint32_t value,
                                plan::When when);

}  // namespace tessera::units
