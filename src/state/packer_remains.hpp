// SPDX-License-Identifier: Apache-2.0
// Leftovers in a packer's cells: buffers and addresses of a stream that has ended, and the unused end of a buffer. No
// page defines them, so they are left out of comparisons.
#pragma once

#include "state/cells.hpp"

namespace tessera::state {

/// Zeroes the leftovers. `read(packer, item)` and `write(packer, item, value)` access the cells.
template <class Read, class Write>
void forget_packer_remains(unsigned packers, Read&& read, Write&& write) {
    for (unsigned i = 0; i < packers; ++i) {
        const auto nth = [](Packer item, unsigned n) { return Packer(static_cast<unsigned>(item) + n); };
        // Zeroes a buffer behind its `filled` entries of `bits` bits; `first` is its first cell.
        const auto forget_behind = [&](Packer filled, Packer first, unsigned entries, unsigned bits) {
            const unsigned per_cell = 32 / bits;
            const std::uint32_t mask = (1u << bits) - 1;
            for (unsigned k = static_cast<unsigned>(read(i, filled)); k < entries; ++k) {
                const Packer cell = nth(first, k / per_cell);
                write(i, cell, static_cast<std::uint32_t>(read(i, cell)) & ~(mask << k % per_cell * bits));
            }
        };
        const auto forget_line = [&](Packer needs_address, Packer address, Packer filled, Packer first) {
            if (read(i, needs_address)) write(i, address, 0);
            forget_behind(filled, first, 16, 8);
        };
        forget_line(Packer::data_needs_address, Packer::data_address, Packer::data_filled, Packer::data_0);
        forget_line(Packer::exp_needs_address, Packer::exp_address, Packer::exp_filled, Packer::exp_0);
        forget_line(Packer::rsi_needs_address, Packer::rsi_address, Packer::rsi_filled, Packer::rsi_0);
        forget_behind(Packer::rle_filled, Packer::rle_0, 32, 4);
        forget_behind(Packer::group_filled, Packer::group_0, 16, 16);
    }
}

/// Whether an item belongs to an unfinished stream. Such an item may be a leftover, or internal to the units (bounds
/// of a compressed stream).
constexpr bool is_packer_stream(Packer item) { return item < Packer::rsi_datums && item != Packer::compressing; }
constexpr bool is_packer_bound(Packer item) { return item == Packer::reach_first || item == Packer::reach_end; }

}  // namespace tessera::state
