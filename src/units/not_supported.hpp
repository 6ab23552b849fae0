// SPDX-License-Identifier: Apache-2.0
// Instructions without a behaviour, and the reason: no source defines it.
#pragma once

#include <string_view>

#include "isa/table.hpp"

namespace tessera::units {

/// The instruction's meaning and the reason why it is not executed; empty for all others.
std::string_view not_supported(isa::Mnemonic mnemonic);

}  // namespace tessera::units
