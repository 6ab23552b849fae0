// SPDX-License-Identifier: Apache-2.0
// Measurements on chips that repeated one instruction, and found the cost that it has here.
#pragma once

#include <string_view>

#include "isa/table.hpp"
#include "tessera/arch.hpp"

namespace tessera::units {

/// Rows of docs/silicon.md that measured the instruction on this chip: "I1, I2". Empty: none.
std::string_view rows_that_measured(isa::Mnemonic mnemonic, Arch arch);

}  // namespace tessera::units
