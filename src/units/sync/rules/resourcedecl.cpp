// SPDX-License-Identifier: Apache-2.0
// RESOURCEDECL: all of its effects are in front of the units (frontend/auto_sync.hpp).
#include "units/sync/sync.hpp"

namespace tessera::units::sync {

namespace {

constexpr Behaviour behaviours[] = {
    {isa::mnemonic("RESOURCEDECL"),
     [](const StateView&, plan::Plan&) {},
     {1, 1, {"no page gives a figure", Source::assumed}}},
};

}  // namespace

std::span<const Behaviour> resourcedecl_rules() { return behaviours; }

}  // namespace tessera::units::sync
