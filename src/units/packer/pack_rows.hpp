// SPDX-License-Identifier: Apache-2.0
// Splits segments of Dst into rows.
#pragma once

#include <algorithm>

#include "plan/pack_work.hpp"
#include "state/state.hpp"

namespace tessera::plan {

/// Calls f(row in Dst's view, first column, length) for each part of a row in a segment.
template <class F>
void for_each_row(const PackWork::Segment& segment, F&& f) {
    constexpr unsigned dst_datums = state::Dst::rows * state::columns;
    for (std::uint32_t at = 0; at < segment.count;) {
        const unsigned datum = (segment.datum + at) % dst_datums;
        const unsigned length = std::min<std::uint32_t>(segment.count - at, state::columns - datum % state::columns);
        f(datum / state::columns, datum % state::columns, length);
        at += length;
    }
}

constexpr state::Cell histogram_cell(unsigned packer, std::uint32_t exponent) {
    constexpr unsigned bins = state::cells::exp_histogram_words;
    return state::cells::exp_histogram_block[packer * bins + exponent % bins];
}

/// The histogram counts datums of Dst only.
inline bool counts_exponents(const PackWork::Stream& stream) {
    return stream.source == PackWork::Source::dst && stream.segments && stream.conversion.exponents;
}

}  // namespace tessera::plan
