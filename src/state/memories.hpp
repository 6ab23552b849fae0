// SPDX-License-Identifier: Apache-2.0
// The large memories: L1, the source register files, Dst, LRegs. Plain arrays, datums in plain order
// (formats/layouts.hpp), with what has been written to them since reset.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <vector>

namespace tessera::state {

inline constexpr unsigned columns = 16;

struct L1 {
    static constexpr unsigned line_bytes = 16;

    explicit L1(std::uint32_t size) : bytes(size), written(size / line_bytes / 64 + 1) {}

    std::vector<std::uint8_t> bytes;
    std::vector<std::uint64_t> written;  ///< a bit per 16-byte line

    bool contains(std::uint64_t address, std::uint64_t length) const {
        return length <= bytes.size() && address <= bytes.size() - length;
    }
    void mark_line_written(std::uint32_t address) {
        written[address / line_bytes / 64] |= std::uint64_t{1} << address / line_bytes % 64;
    }
    void mark_written(std::uint32_t address, std::uint32_t length) {
        if (length == 0) return;
        for (std::uint32_t line = address / line_bytes; line <= (address + length - 1) / line_bytes; ++line)
            written[line / 64] |= std::uint64_t{1} << line % 64;
    }
    bool all_written(std::uint32_t address, std::uint32_t length) const {
        if (length == 0) return true;
        for (std::uint32_t line = address / line_bytes; line <= (address + length - 1) / line_bytes; ++line)
            if (!(written[line / 64] >> line % 64 & 1)) return false;
        return true;
    }
};

/// One bank of SrcA or SrcB: datums of 19 bits, in the upper bits of a word as FP32 has them.
struct SrcBank {
    static constexpr unsigned rows = 64;
    std::array<std::uint32_t, rows * columns> datums{};
    std::uint64_t written = 0;  ///< a bit per row
};

/// Dst as 1024 physical rows of 16 datums of 16 bits, as BF16 has them.
struct Dst {
    static constexpr unsigned rows = 1024;
    static constexpr unsigned block_rows = 8;
    std::array<std::uint16_t, rows * columns> datums{};
    std::bitset<rows> valid;  ///< DstRowValid: an invalid row reads as zero
    std::bitset<rows> written;
};

/// The vector unit's registers: 17 of 32 lanes of 32 bits.
struct LRegs {
    static constexpr unsigned registers = 17, lanes = 32;
    static constexpr unsigned writable = 8;   ///< what loads can name
    static constexpr unsigned recorded = 12;  ///< instructions that name this one or a later one are recorded instead
    std::array<std::uint32_t, registers * lanes> lane{};
};

}  // namespace tessera::state
