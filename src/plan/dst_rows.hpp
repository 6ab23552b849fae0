// SPDX-License-Identifier: Apache-2.0
// Maps the row numbers of an access to Dst's physical rows (Dst; Blackhole's page: Adj16, Adj32), and to the 8-row
// blocks that hardware guards.
#pragma once

#include <cstdint>

#include "state/memories.hpp"
#include "util/set_bits.hpp"

namespace tessera::plan {

/// The type of datums in Dst, as far as the mode of the accessing instruction defines it.
struct DstDatums {
    enum class Places : std::uint8_t { unknown, of_16_bits, of_32_bits };
    enum class Numbers : std::uint8_t { unknown, exponent_8, exponent_5, integer };

    Places places = Places::unknown;
    Numbers numbers = Numbers::unknown;

    constexpr bool any() const { return places != Places::unknown || numbers != Numbers::unknown; }
    /// The type of a mix of both.
    constexpr DstDatums common(DstDatums other) const {
        return {places == other.places ? places : Places::unknown, numbers == other.numbers ? numbers : Numbers::unknown};
    }
    friend constexpr bool operator==(const DstDatums&, const DstDatums&) = default;
};

/// Maps row numbers to physical rows. Wormhole has neither bit.
struct DstMap {
    bool wide = false;     ///< 32-bit view: the low half is 8 rows further
    bool remap = false;    ///< DEST_ACCESS_CFG_remap_addrs
    bool swizzle = false;  ///< DEST_ACCESS_CFG_swizzle_32b
    bool upper = false;    ///< the 16-bit view is the high halves of the 32-bit view (cells::upper_dst)

    /// The physical row of a datum of row `r`; in the 32-bit view, of its high half.
    constexpr unsigned row(unsigned r) const {
        r &= state::Dst::rows - 1;
        if (remap) r = (r & 0x3C7) ^ ((r & 0x030) >> 1) ^ ((r & 0x008) << 2);
        if (!wide && !upper) return r;
        if (swizzle) r = (r & 0x3F3) ^ ((r & 0x018) >> 1) ^ ((r & 0x004) << 1);
        return ((r & 0x1F8) << 1) | (r & 0x207);
    }
    /// The width of datums in this view. High halves count as datums of 32 bits.
    constexpr DstDatums::Places places() const {
        return wide || upper ? DstDatums::Places::of_32_bits : DstDatums::Places::of_16_bits;
    }
    static constexpr unsigned low_half(unsigned physical) { return (physical + 8) & (state::Dst::rows - 1); }
    friend constexpr bool operator==(const DstMap&, const DstMap&) = default;
};

/// Marks a physical row as written and valid; `low`: marks its low half as written, too.
inline void mark_written(state::Dst& dst, unsigned row, bool low) {
    // Bits are rarely new, and a read without a write does not delay the next one.
    const auto set = [](auto& bits, unsigned i) {
        if (!bits[i]) bits[i] = true;
    };
    set(dst.valid, row);
    set(dst.written, row);
    if (low) set(dst.written, DstMap::low_half(row));
}

/// A set of the 128 aligned 8x16 blocks of Dst.
struct DstBlocks {
    static constexpr unsigned count = state::Dst::rows / state::Dst::block_rows;
    std::uint64_t bits[2] = {};

    constexpr void add_row(unsigned physical) {
        const unsigned block = physical / state::Dst::block_rows;
        bits[block / 64] |= std::uint64_t{1} << block % 64;
    }
    constexpr void add_rows(unsigned first, unsigned number) {
        if (!number) return;
        for (unsigned block = first / state::Dst::block_rows; block <= (first + number - 1) / state::Dst::block_rows; ++block)
            bits[block / 64] |= std::uint64_t{1} << block % 64;
    }
    constexpr void add_all() { bits[0] = bits[1] = ~std::uint64_t{0}; }
    constexpr bool empty() const { return (bits[0] | bits[1]) == 0; }
    template <class F>
    constexpr void for_each(F&& f) const {
        for (unsigned half = 0; half < 2; ++half)
            for (const unsigned i : util::SetBits(bits[half])) f(half * 64 + i);
    }
    friend constexpr bool operator==(const DstBlocks&, const DstBlocks&) = default;
};

}  // namespace tessera::plan
