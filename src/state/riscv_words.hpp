// SPDX-License-Identifier: Apache-2.0
// State of a RISC-V core as numbered 32-bit words and bytes, for the inventory.
#pragma once

#include "state/riscv.hpp"

namespace tessera::state::riscv_words {

inline constexpr unsigned l0_items = 1 + L0::line_bytes / 4;  ///< of a line: its address, then its bytes
inline constexpr unsigned x = 0, pc = x + 32, csr = pc + 1, counts = csr + Riscv::max_csrs, l0_line = counts + 4,
                          l0_next = l0_line + L0::lines * l0_items, l0_hits = l0_next + 1, running = l0_hits + 1,
                          paused = running + 1, stride = paused + 1;
/// Distance between the local data RAMs of two cores.
inline constexpr unsigned local_stride = 8192;
/// RISC-V NC's instruction RAM follows them.
inline constexpr unsigned iram = riscv_cores * local_stride;

std::uint32_t read(const Riscv& core, unsigned word);
void write(Riscv& core, unsigned word, std::uint32_t value);

}  // namespace tessera::state::riscv_words
