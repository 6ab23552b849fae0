// SPDX-License-Identifier: Apache-2.0
#include "units/unpacker/unpacker.hpp"

namespace tessera::units::unpacker {

namespace {

constexpr Behaviour table[] = {
    {isa::mnemonic("UNPACR"), resolve_unpacr},
    {isa::mnemonic("UNPACR_NOP"), resolve_unpacr_nop},
};

}  // namespace

constinit const std::span<const Behaviour> behaviours = table;

}  // namespace tessera::units::unpacker
