// SPDX-License-Identifier: Apache-2.0
#include "units/mover/mover.hpp"

namespace tessera::units::mover {

namespace {

constexpr Behaviour table[] = {{isa::mnemonic("XMOV"), resolve_xmov}};

}  // namespace

constinit const std::span<const Behaviour> behaviours = table;

}  // namespace tessera::units::mover
