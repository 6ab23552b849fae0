// SPDX-License-Identifier: Apache-2.0
// NOP.
#include "units/misc/misc.hpp"

namespace tessera::units::misc {

namespace {

constexpr Behaviour behaviours[] = {
    {isa::mnemonic("NOP"), [](const StateView&, plan::Plan&) {}, {1, 1, unit_page}},
};

}  // namespace

std::span<const Behaviour> nop_rules() { return behaviours; }

}  // namespace tessera::units::misc
