// SPDX-License-Identifier: Apache-2.0
#include "units/packer/packer.hpp"

namespace tessera::units::packer {

namespace {

constexpr Behaviour table[] = {{isa::mnemonic("PACR"), resolve_pacr},
                               {isa::mnemonic("PACR_SETREG"), resolve_pacr_setreg}};

}  // namespace

constinit const std::span<const Behaviour> behaviours = table;

}  // namespace tessera::units::packer
