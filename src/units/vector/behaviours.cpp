// SPDX-License-Identifier: Apache-2.0
#include "units/vector/vector.hpp"

namespace tessera::units::vector {

namespace {

constexpr Behaviour table[] = {
    {isa::mnemonic("SFPLOAD"), resolve_sfpload},
    {isa::mnemonic("SFPLOADI"), resolve_sfploadi},
    {isa::mnemonic("SFPSTORE"), resolve_sfpstore},
    {isa::mnemonic("SFPNOP"), [](const Look&, plan::Plan&) {}},
};

}  // namespace

constinit const std::span<const Behaviour> behaviours = table;

}  // namespace tessera::units::vector
