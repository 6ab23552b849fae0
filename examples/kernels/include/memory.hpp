// SPDX-License-Identifier: Apache-2.0
// The cores' address space, by the documents' names.
#pragma once

#include "chip.hpp"

namespace kernel {

using Word = volatile std::uint32_t;

/// The word at an address of the tile.
inline Word& at(std::uint32_t address) { return *reinterpret_cast<Word*>(address); }

namespace address {
inline constexpr std::uint32_t soft_reset_0 = 0xFFB1'21B0;  // RISCV_DEBUG_REG_SOFT_RESET_0
inline constexpr std::uint32_t mop_cfg = 0xFFB8'0000;       // TENSIX_MOP_CFG_BASE
inline constexpr std::uint32_t gprs = 0xFFE0'0000;          // REGFILE_BASE
inline constexpr std::uint32_t instrn_buf = 0xFFE4'0000;    // INSTRN_BUF_BASE
inline constexpr std::uint32_t pc_buf = 0xFFE8'0000;        // PC_BUF_BASE
inline constexpr std::uint32_t semaphores = 0xFFE8'0020;
inline constexpr std::uint32_t mailboxes = 0xFFEC'0000;  // TENSIX_MAILBOX0_BASE; each has 4 KiB
inline constexpr std::uint32_t config = 0xFFEF'0000;     // TENSIX_CFG_BASE
}  // namespace address

/// Copies blocks of 16 bytes. Four loads are under way before the first value is needed, and Blackhole makes one store to L1
/// of four.
inline void copy_blocks(std::uint32_t to, std::uint32_t from, std::uint32_t bytes) {
    for (std::uint32_t i = 0; i < bytes; i += 16) {
        const std::uint32_t a = at(from + i), b = at(from + i + 4), c = at(from + i + 8), d = at(from + i + 12);
        at(to + i) = a;
        at(to + i + 4) = b;
        at(to + i + 8) = c;
        at(to + i + 12) = d;
    }
}

/// Loads a word, and waits for its value: otherwise cores run on until an instruction uses it.
inline std::uint32_t load_now(Word& word) {
    std::uint32_t value = word;
    asm volatile("mv %0, %0" : "+r"(value) : : "memory");
    return value;
}

/// Waits until a store to this word of L1 has been done, and all stores to L1 before it.
inline void settle(std::uint32_t address) { load_now(at(address)); }

}  // namespace kernel
