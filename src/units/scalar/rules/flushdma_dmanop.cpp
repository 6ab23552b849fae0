// SPDX-License-Identifier: Apache-2.0
// FLUSHDMA, DMANOP.
// Reference: reference/models/scalar.cpp.
#include "units/scalar/scalar.hpp"

namespace tessera::units::scalar {

namespace {

constexpr auto flush_conditions = isa::operand("FLUSHDMA", "FlushSpec");

// The conditions are those of STALLWAIT's low four bits.
void resolve_flushdma(const StateView& view, plan::Plan& plan) {
    const std::uint32_t bits = view[flush_conditions] ? view[flush_conditions] : 0xF;
    for (unsigned i = 0; i < 4; ++i)
        if (bits >> i & 1) plan.conditions |= state::bit(view.arch().conditions[i]);
    plan.waits_in_unit = true;
}

constexpr Behaviour behaviours[] = {
    {isa::mnemonic("FLUSHDMA"), resolve_flushdma, {2, 2, {"FLUSHDMA, Performance"}, 1}},
    {isa::mnemonic("DMANOP"), [](const StateView&, plan::Plan&) {}, {1, 1, unit_page}},
};

}  // namespace

std::span<const Behaviour> flushdma_dmanop_rules() { return behaviours; }

}  // namespace tessera::units::scalar
