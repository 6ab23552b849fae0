// SPDX-License-Identifier: Apache-2.0
// What UNPACR does to Dst.
#include <fmt/format.h>

#include <array>
#include <bitset>

#include "state/state.hpp"
#include "units/unpacker/unpack_input.hpp"

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

template <bool Wide>
void unpack(const UnpackToDstWork& work, state::State& state) {
    auto& dst = state.dst;
    const formats::UnpackSource from = source(work.input, state);
    std::array<std::uint32_t, columns> datums;
    for_each_row(work, [&](std::uint32_t at, unsigned row, unsigned column, std::uint32_t length) {
        work.input.convert(from, std::size_t{work.input.phase} + at, datums.data(), length);
        const unsigned high = work.map.row(row), low = DstMap::low_half(high);
        for (unsigned i = 0; i < length; ++i) {
            const std::uint32_t x = datums[i];
            dst.datums[high * columns + column + i] = static_cast<std::uint16_t>(Wide ? x >> 16 : x);
            if constexpr (Wide) dst.datums[low * columns + column + i] = static_cast<std::uint16_t>(x);
        }
        dst.valid[high] = true;
        dst.written[high] = true;
        if constexpr (Wide) dst.written[low] = true;
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
    lines.emplace_back("to",
                       fmt::format("Dst rows {} to {}, from column {} ({}-bit view)", work.first_row & work.row_mask,
                                   last & work.row_mask, work.column, work.map.wide ? 32 : 16));
}

}  // namespace tessera::plan
