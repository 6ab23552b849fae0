// SPDX-License-Identifier: Apache-2.0
// Instructions that stay without a behaviour, and why: no source says what they do.
#pragma once

#include <string_view>

#include "isa/table.hpp"

namespace tessera::units {

/// What the instruction is and why it is not executed; empty for any other.
std::string_view not_supported(isa::Mnemonic mnemonic);

}  // namespace tessera::units
