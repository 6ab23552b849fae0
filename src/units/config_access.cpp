// SPDX-License-Identifier: Apache-2.0
#include "units/config_access.hpp"

#include "state/config_store.hpp"

namespace tessera::units {

bool config_word_exists(const StateView& view, plan::Plan& plan, std::uint32_t index) {
    if (index < view.arch().config_words) return true;
    plan.fail(findings::id("config.index"), {index, view.arch().config_words});
    return false;
}

void write_config_without_reset(const StateView& view, plan::Plan& plan, std::uint32_t index, std::uint32_t value,
                                plan::When when) {
    plan.effect(state::cells::config(view.arch(), view.bank(), index), value, when);
    if (!state::seeds_prng(view.arch(), index)) return;
    for (unsigned lane = 0; lane < state::cells::lanes; ++lane)
        plan.effect(state::cells::prng_block[lane], state::prng_of_lane(value, lane), when);
}

void write_config(const StateView& view, plan::Plan& plan, std::uint32_t index, std::uint32_t value, plan::When when) {
    if (state::resets_bank(view.arch(), index)) {
        plan.work = plan::ConfigResetWork{static_cast<std::uint8_t>(view.bank()), view.arch().shared_config_base};
        return;
    }
    write_config_without_reset(view, plan, index, value, when);
}

}  // namespace tessera::units
