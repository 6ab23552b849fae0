// SPDX-License-Identifier: Apache-2.0
// Finds the rows of SrcA and SrcB in a list of accesses.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "plan/footprint.hpp"
#include "state/src_bank.hpp"

namespace tessera::checks {

/// Rows of one bank, a bit each.
struct SourceRows {
    unsigned bank = 0;  ///< source * 2 + bank
    std::uint64_t rows = 0;
};

enum class RowPart : std::uint8_t { any, whole };

/// Calls f with the rows of each bank that an access reads or writes, in part or as a whole.
template <class F>
void for_each_source_rows(std::span<const plan::Access> accesses, bool writes, RowPart part, F&& f) {
    constexpr unsigned row_datums = state::columns, bank_rows = state::SrcBank::rows;
    for (const plan::Access& access : accesses) {
        const bool a = access.storage == plan::Storage::src_a;
        if (access.write != writes || !access.count || !(a || access.storage == plan::Storage::src_b)) continue;
        const unsigned end = access.first + access.count, more = row_datums - 1;
        unsigned first = (access.first + (part == RowPart::whole ? more : 0)) / row_datums;
        const unsigned last = (end + (part == RowPart::any ? more : 0)) / row_datums;
        while (first < last) {
            const unsigned in_bank = first % bank_rows, count = std::min(last - first, bank_rows - in_bank);
            f(SourceRows{(a ? 0u : 2u) + first / bank_rows, ~std::uint64_t{0} >> (bank_rows - count) << in_bank});
            first += count;
        }
    }
}

}  // namespace tessera::checks
