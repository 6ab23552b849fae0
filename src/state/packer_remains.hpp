// SPDX-License-Identifier: Apache-2.0
// What a packer's cells hold that means nothing: buffers and addresses of a stream that has ended, and what lies behind that
// which waits in a buffer. The units leave it, no page speaks of it; comparing it would compare leftovers.
#pragma once

#include "state/cells.hpp"

namespace tessera::state {

/// Zeroes what means nothing. `read(packer, item)` and `write(packer, item, value)` reach the cells.
template <class Read, class Write>
void forget_packer_remains(unsigned packers, Read&& read, Write&& write) {
    for (unsigned i = 0; i < packers; ++i) {
        const auto nth = [](Packer item, unsigned n) { return Packer(static_cast<unsigned>(item) + n); };
        // Behind `filled` entries of so many bits, of which the first cell is `first`.
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

/// Whether an item is of a stream that is under way: it may be a leftover, or (how far a compressed stream may have come) is
/// the units' own.
constexpr bool is_packer_stream(Packer item) { return item < Packer::rsi_datums && item != Packer::compressing; }
constexpr bool is_packer_bound(Packer item) { return item == Packer::reach_first || item == Packer::reach_end; }

}  // namespace tessera::state
