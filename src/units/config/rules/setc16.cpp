// SPDX-License-Identifier: Apache-2.0
// SETC16 (its page, Functional model): thread configuration.
#include "units/config/config.hpp"

namespace tessera::units::config {

namespace {

constexpr auto setc16_reg = isa::operand("SETC16", "setc16_reg");
constexpr auto setc16_value = isa::operand("SETC16", "setc16_value");
constexpr auto context_reset = registers::fields<2>("UNPACK_MISC_CFG_CfgContextCntReset_#");

void resolve_setc16(const StateView& view, plan::Plan& plan) {
    const std::uint32_t reg = view[setc16_reg];
    const std::uint32_t value = view[setc16_value];
    if (reg >= view.arch().thread_config_words) {
        plan.fail(findings::id("config.index"), {reg, view.arch().thread_config_words});
        return;
    }
    plan.effect(state::cells::thread_config(view.thread, reg), value, plan::When::start);
    for (unsigned u = 0; u < 2; ++u) {
        const auto& at = context_reset[u][view.arch().arch];
        if (at.addr32 == reg && at.extract(value))
            plan.effect(state::cells::unpacker(u, state::Unpacker::context_counter_t0, view.thread), 0,
                        plan::When::start);
    }
}

constexpr Behaviour behaviours[] = {
    {isa::mnemonic("SETC16"), resolve_setc16, {1, 1, unit_page}},
};

}  // namespace

std::span<const Behaviour> setc16_rules() { return behaviours; }

}  // namespace tessera::units::config
