// SPDX-License-Identifier: Apache-2.0
// The rows of Dst that an instruction works on: their places, their validity, and the marks after a write.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

#include "plan/dst_rows.hpp"
#include "state/memories.hpp"

namespace tessera::units::matrix {

class BlockRows {
public:
    static constexpr unsigned most = state::Dst::block_rows;
    static constexpr unsigned four = 4;  ///< rows that are adjacent under every map

    /// `n` rows, at most eight: `first`, and then every `step`-th.
    BlockRows(state::Dst& dst, const plan::DstMap& map, unsigned first, unsigned n = most, unsigned step = 1)
        : BlockRows(Inline(), dst, map, first, n, step) {}
    /// Forces inlining, which keeps the result in registers. Only callers with registers to spare gain by it.
    struct Inline {};
    [[gnu::always_inline]] BlockRows(Inline, state::Dst& dst, const plan::DstMap& map, unsigned first, unsigned n,
                                     unsigned step)
        : dst_(dst), n_(n), wide_(map.wide), in_fours_(n % four == 0 && step == 1 && first % four == 0) {
        if (in_fours_) {
            // With four rows the upper four are never read.
            const unsigned a = map.row(first), b = map.row(first + four);
            for (unsigned i = 0; i < four; ++i) {
                rows_[i] = static_cast<std::uint16_t>(a + i);
                rows_[four + i] = static_cast<std::uint16_t>(b + i);
            }
            is_block_ = n == most && a % most == 0 && b == a + four;
        } else {
            for (unsigned i = 0; i < n; ++i) rows_[i] = static_cast<std::uint16_t>(map.row(first + i * step));
        }
        if (is_block_)
            valid_ = static_cast<unsigned>(word(dst.valid, rows_[0]) >> rows_[0] % 64);
        else
            for (unsigned i = 0; i < n; ++i) valid_ |= unsigned{dst.valid[rows_[i]]} << i;
    }

    /// The physical row.
    unsigned operator[](unsigned i) const { return rows_[i]; }
    bool valid(unsigned i) const { return valid_ >> i & 1; }
    /// A validity bit for each of `n` rows from `i` on.
    unsigned valid(unsigned i, unsigned n) const { return valid_ >> i & ((1u << n) - 1); }
    /// Whether each group of four is adjacent.
    bool in_fours() const { return in_fours_; }

    /// Marks all rows and, in the 32-bit view, their low halves.
    void mark_written() const {
        if (is_block_) {
            set_block(dst_.valid, rows_[0]);
            set_block(dst_.written, rows_[0]);
            if (wide_) set_block(dst_.written, plan::DstMap::low_half(rows_[0]));
            return;
        }
        for (unsigned i = 0; i < n_; ++i) plan::mark_written(dst_, rows_[i], wide_);
    }

private:
    using Bits = std::bitset<state::Dst::rows>;
    static_assert(sizeof(Bits) == state::Dst::rows / 8);

    static std::uint64_t word(const Bits& bits, unsigned row) {
        std::uint64_t word;
        std::memcpy(&word, reinterpret_cast<const char*>(&bits) + row / 64 * sizeof word, sizeof word);
        return word;
    }
    // Bits are rarely new, and a read without a write does not delay the next instruction.
    static void set_block(Bits& bits, unsigned row) {
        const std::uint64_t old = word(bits, row), block = std::uint64_t{0xFF} << row % 64;
        if ((~old & block) == 0) return;
        const std::uint64_t all = old | block;
        std::memcpy(reinterpret_cast<char*>(&bits) + row / 64 * sizeof all, &all, sizeof all);
    }

    state::Dst& dst_;
    std::array<std::uint16_t, most> rows_;
    unsigned n_, valid_ = 0;
    bool wide_, in_fours_, is_block_ = false;
};

}  // namespace tessera::units::matrix
