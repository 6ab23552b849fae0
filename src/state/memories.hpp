// SPDX-License-Identifier: Apache-2.0
// The large memories: L1, the source register files (src_bank.hpp), Dst, LRegs. Plain arrays, datums in plain order
// (formats/layouts.hpp), with what has been written to them since reset.
#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "state/src_bank.hpp"
#include "util/aligned.hpp"

namespace tessera::state {

struct L1 {
    static constexpr unsigned line_bytes = 16;

    explicit L1(std::uint32_t size) : bytes(size), written(size / line_bytes / 64 + 1) {}
    // A vector with an allocator of its own is copied element by element.
    L1(const L1& other) : bytes(other.bytes.size()), written(other.written) {
        std::memcpy(bytes.data(), other.bytes.data(), bytes.size());
    }
    L1& operator=(const L1&) = default;
    L1(L1&&) noexcept = default;
    L1& operator=(L1&&) noexcept = default;
    ~L1() = default;

    std::vector<std::uint8_t, AlignedAllocator<std::uint8_t, vector_bytes>> bytes;
    std::vector<std::uint64_t> written;  ///< a bit per 16-byte line

    bool contains(std::uint64_t address, std::uint64_t length) const {
        return length <= bytes.size() && address <= bytes.size() - length;
    }
    void mark_line_written(std::uint32_t address) {
        written[address / line_bytes / 64] |= std::uint64_t{1} << address / line_bytes % 64;
    }
    void mark_written(std::uint32_t address, std::uint32_t length) {
        if (length == 0) return;
        const std::uint32_t last = (address + length - 1) / line_bytes;
        for (std::uint32_t line = address / line_bytes, end; line <= last; line = end + 1) {
            end = std::min(last, line | 63);
            written[line / 64] |= ~std::uint64_t{0} >> (63 - (end - line)) << line % 64;
        }
    }
    bool all_written(std::uint32_t address, std::uint32_t length) const {
        if (length == 0) return true;
        for (std::uint32_t line = address / line_bytes; line <= (address + length - 1) / line_bytes; ++line)
            if (!(written[line / 64] >> line % 64 & 1)) return false;
        return true;
    }
};

/// Dst as 1024 physical rows of 16 datums of 16 bits, as BF16 has them.
struct Dst {
    static constexpr unsigned rows = 1024;
    static constexpr unsigned block_rows = 8;
    alignas(vector_bytes) std::array<std::uint16_t, rows * columns> datums{};
    std::bitset<rows> valid;  ///< DstRowValid: an invalid row reads as zero
    std::bitset<rows> written;

    /// Whether `n` rows from `first` on are, which lie in one aligned group of 64.
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
    static constexpr unsigned writable = 8;   ///< what loads can name
    static constexpr unsigned recorded = 12;  ///< instructions that name this one or a later one are recorded instead
    alignas(vector_bytes) std::array<std::uint32_t, registers * lanes> lane{};
};

}  // namespace tessera::state
