// SPDX-License-Identifier: Apache-2.0
// A configuration bank set to zero: any write to STATE_RESET_EN but RMWCIB's.
#include <fmt/format.h>

#include "plan/work.hpp"
#include "state/config_store.hpp"

namespace tessera::plan {

void run(const ConfigResetWork& work, state::State& state) { state::reset_bank(state, work.bank); }

void footprint(const ConfigResetWork& work, Footprint& out) {
    const auto first = state::index(state::cells::config_block[work.bank * state::cells::max_config_words]);
    out.write(Storage::cell, first, work.words);
}

void explain(const ConfigResetWork& work, Lines& lines) {
    lines.emplace_back("zeroes", fmt::format("words 0 to {} of configuration bank {}", work.words - 1, work.bank));
}

}  // namespace tessera::plan
