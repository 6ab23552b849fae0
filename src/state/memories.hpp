// SPDX-License-Identifier: Apache-2.0
// The large memories: L1 (l1.hpp), the source register files (src_bank.hpp), Dst, LRegs. Plain arrays, datums in
// plain order (formats/layouts.hpp), each with the rows written since reset.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <cstring>

#include "state/l1.hpp"
#include "state/src_bank.hpp"

namespace tessera::state {

/// Dst as 1024 physical rows of 16 datums of 16 bits, in BF16's bit order.
struct Dst {
    static constexpr unsigned rows = 1024;
    static constexpr unsigned block_rows = 8;
    alignas(vector_bytes) std::array<std::uint16_t, rows * columns> datums{};
    std::bitset<rows> valid;  ///< DstRowValid: an invalid row reads as zero
    std::bitset<rows> written;

    /// Whether `n` rows from `first` on are valid. They must lie in one aligned group of 64.
    bool all_valid(unsigned first, unsigned n) const {
        static_assert(sizeof valid == rows / 8);
        std::uint64_t word;
        std::memcpy(&word, reinterpret_cast<const char*>(&valid) + first / 64 * sizeof word, sizeof word);
        return (~word >> first % 64 & (~std::uint64_t{0} >> (64 - n))) == 0;
    }
};

/// The vector unit's registers: 17 of 32 lanes of 32 bits.
struct LRegs {
    static constexpr unsigned registers = 17, lanes = 32;
    static constexpr unsigned writable = 8;   ///< that loads can name
    static constexpr unsigned recorded = 12;  ///< instructions that name one from here on are recorded, not executed
    alignas(vector_bytes) std::array<std::uint32_t, registers * lanes> lane{};
};

}  // namespace tessera::state
