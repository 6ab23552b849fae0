// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "tessera/diff.hpp"
#include "tessera/registers.hpp"

namespace tessera::diff {

/// The operands that differ between two instructions of the same name, in the order of A; of two SETC16 of the same word, its
/// fields, if both are of one architecture.
std::vector<OperandChange> operand_changes(std::uint32_t a, Arch arch_a, std::uint32_t b, Arch arch_b);

/// The fields that differ between two values of a word of configuration.
std::vector<OperandChange> field_changes(RegisterSpace space, unsigned addr32, std::uint32_t a, std::uint32_t b,
                                         Arch arch);

}  // namespace tessera::diff
