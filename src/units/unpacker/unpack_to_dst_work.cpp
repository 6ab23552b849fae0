// SPDX-License-Identifier: Apache-2.0
// UNPACR to Dst.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bitset>

#include "state/state.hpp"
#include "units/unpacker/unpack_input.hpp"
#include "util/range_text.hpp"

namespace tessera::plan {

namespace {

using state::columns;

// Calls f(offset in the transfer, row of the view, column, length) for each row, in the order of the datums.
template <class F>
void for_each_row(const UnpackToDstWork& work, F&& f) {
    unsigned column = work.column, row = work.first_row;
    for (std::uint32_t at = 0; at < work.input.count; ++row, column = 0) {
        const std::uint32_t length = std::min(work.input.count - at, columns - column);
        f(at, row & work.row_mask, column, length);
        at += length;
    }
}

// One half of datums to a part of a row. Whole rows have a constant length, so compilers can use vector instructions.
template <unsigned Shift>
void store_half(const std::uint32_t* datums, unsigned length, std::uint16_t* out) {
    if (length == columns) {
        std::array<std::uint16_t, columns> row;
        for (unsigned i = 0; i < columns; ++i) row[i] = static_cast<std::uint16_t>(datums[i] >> Shift);
        std::copy_n(row.begin(), columns, out);
    } else {
        for (unsigned i = 0; i < length; ++i) out[i] = static_cast<std::uint16_t>(datums[i] >> Shift);
    }
}

template <bool Wide>
void unpack(const UnpackToDstWork& work, state::State& state) {
    auto& dst = state.dst;
    const formats::UnpackSource from = source(work.input, state);
    // As many rows as are converted at a time.
    alignas(state::vector_bytes) std::array<std::uint32_t, 16 * columns> datums;
    std::uint32_t first = 0, end = 0;
    for_each_row(work, [&](std::uint32_t at, unsigned row, unsigned column, std::uint32_t length) {
        if (at + length > end) {
            const std::uint32_t n = std::min<std::uint32_t>(work.input.count - at, datums.size());
            work.input.convert(from, std::size_t{work.input.phase} + at, datums.data(), n);
            first = at;
            end = at + n;
        }
        const std::uint32_t* const in = datums.data() + (at - first);
        const unsigned high = work.map.row(row), low = DstMap::low_half(high);
        store_half<Wide ? 16 : 0>(in, length, &dst.datums[high * columns + column]);
        if constexpr (Wide) store_half<0>(in, length, &dst.datums[low * columns + column]);
        mark_written(dst, high, Wide);
    });
}

}  // namespace

void run(const UnpackToDstWork& work, state::State& state) {
    work.map.wide ? unpack<true>(work, state) : unpack<false>(work, state);
}

void footprint(const UnpackToDstWork& work, Footprint& out) {
    footprint(work.input, 0, out);
    std::array<std::uint16_t, state::Dst::rows> touched{};  // a bit per column
    std::bitset<state::Dst::rows> valid;
    for_each_row(work, [&](std::uint32_t, unsigned row, unsigned column, std::uint32_t length) {
        const auto mask = static_cast<std::uint16_t>(((1u << length) - 1) << column);
        const unsigned high = work.map.row(row);
        touched[high] |= mask;
        if (work.map.wide) touched[DstMap::low_half(high)] |= mask;
        valid[high] = true;
    });
    for (unsigned row = 0; row < state::Dst::rows; ++row) {
        if (touched[row] == 0xFFFF) {
            out.write(Storage::dst, row * columns, columns);
            continue;
        }
        for (unsigned column = 0; column < columns; ++column)
            if (touched[row] >> column & 1) out.write(Storage::dst, row * columns + column);
    }
    for (unsigned row = 0; row < state::Dst::rows; ++row)
        if (valid[row]) out.write(Storage::dst_valid, row);
}

void explain(const UnpackToDstWork& work, Lines& lines) {
    explain(work.input, lines);
    if (!work.input.count) return;
    const unsigned last = work.first_row + (work.column + work.input.count - 1) / columns;
    lines.emplace_back("to", fmt::format("Dst {}, from column {} ({}-bit view)",
                                         util::range_text("rows", work.first_row & work.row_mask, last & work.row_mask),
                                         work.column, work.map.wide ? 32 : 16));
}

}  // namespace tessera::plan
