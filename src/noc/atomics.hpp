// SPDX-License-Identifier: Apache-2.0
// Operations on 16 bytes of L1 (NoC/Atomics of each chip).
#pragma once

#include <cstdint>
#include <span>

#include "tessera/arch.hpp"

namespace tessera::noc {

/// `operands`: NOC_AT_LEN_BE.
bool is_known_atomic(Arch arch, std::uint32_t operands);
/// It works on the whole line, and its result is undefined: a parallel addition.
bool is_parallel_addition(Arch arch, std::uint32_t operands);
/// Changes the line of 16 bytes that contains `address`. Returns the word at `address` before.
std::uint32_t do_atomic(Arch arch, std::uint32_t operands, std::uint32_t data, std::uint32_t address, std::span<std::uint8_t, 16> line);

}  // namespace tessera::noc
