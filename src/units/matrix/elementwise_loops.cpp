// SPDX-License-Identifier: Apache-2.0
#include "units/matrix/elementwise_loops.hpp"

#include <fmt/format.h>

#include <utility>

#include "formats/layouts.hpp"
#include "state/state.hpp"
#include "units/matrix/accumulate.hpp"

namespace tessera::units::matrix {

namespace {

using plan::DstMap;
using plan::ElementwiseWork;
using state::columns;

/// Dst's datum as FP32 fields; a 5-bit exponent stays raw.
template <bool Wide, bool WideExponent>
std::uint32_t load(const state::Dst& dst, unsigned row, unsigned column) {
    const std::uint32_t high = dst.datums[row * columns + column];
    if constexpr (Wide) return formats::dst_join(high, dst.datums[DstMap::low_half(row) * columns + column]);
    if constexpr (WideExponent) return high << 16;
    const std::uint32_t x = formats::fp16_from_dst(high);
    return (x & 0x8000) << 16 | (x & 0x7FFF) << 13;
}

template <bool Wide, bool WideExponent>
void store(state::Dst& dst, unsigned row, unsigned column, std::uint32_t x) {
    std::uint32_t high;
    if constexpr (Wide) {
        high = x >> 16;
        dst.datums[DstMap::low_half(row) * columns + column] = static_cast<std::uint16_t>(formats::dst_low(x));
    } else if constexpr (WideExponent) {
        high = x >> 16;
    } else {
        high = formats::dst_from_fp16((x >> 16 & 0x8000) | (x >> 13 & 0x7FFF));
    }
    dst.datums[row * columns + column] = static_cast<std::uint16_t>(high);
}

/// The sum of two datums, before it meets Dst (numerics 4).
Term sum(std::uint32_t a, std::uint32_t b, bool flush_b) {
    auto exponent = [](std::uint32_t x) { return static_cast<std::int32_t>(x >> 10 & 255); };
    if (!exponent(a)) a = 0;
    if (flush_b && !exponent(b)) b = 0;
    if ((a & 0x3FFFF) < (b & 0x3FFFF)) std::swap(a, b);
    auto mantissa = [](std::uint32_t x) { return static_cast<std::int32_t>(x ? (x & 1023) + 1024 : 0); };
    std::int32_t small = mantissa(b);
    if (const int d = exponent(a) - exponent(b); d > 0) small = d < 12 ? (small + (1 << (d - 1))) >> d : 0;
    const bool same_sign = (a ^ b) >> 18 == 0;
    return {a >> 18, exponent(a), (mantissa(a) + (same_sign ? small : -small)) << 13};
}

template <bool Wide, bool WideExponent>
void loop(const ElementwiseWork& work, state::State& state) {
    const auto& a_bank = state.bank(state::Src::a, work.a_bank);
    const auto& b_bank = state.bank(state::Src::b, work.b_bank);
    const Accumulator how{Wide, WideExponent, work.renormalise_bug};
    for (unsigned i = 0; i < 8; ++i) {
        const std::uint32_t* a_row = &a_bank.datums[(work.a_row + i) % 64 * columns];
        const std::uint32_t* b_row = &b_bank.datums[(work.b_row + (work.b_same_row ? 0 : i)) % 64 * columns];
        const unsigned row = work.map.row(work.dst_row + i);
        const bool add_dst = work.accumulate && state.dst.valid[row];
        for (unsigned c = 0; c < columns; ++c) {
            const std::uint32_t a = formats::tf32_from_src(a_row[c] & work.a_keep);
            std::uint32_t b = formats::tf32_from_src(b_row[work.b_column0 ? 0 : c] & work.b_keep);
            if (work.subtract) b ^= 1 << 18;
            Term term = sum(a, b, work.flush_b);
            if constexpr (Wide && !WideExponent) term.exponent = term.exponent ? term.exponent + 112 : 97;
            term.exponent -= work.phase_shift;
            const std::uint32_t old = add_dst ? load<Wide, WideExponent>(state.dst, row, c) : 0;
            store<Wide, WideExponent>(state.dst, row, c, accumulate(term, old, how));
        }
        state.dst.valid[row] = true;
        state.dst.written[row] = true;
        if constexpr (Wide) state.dst.written[DstMap::low_half(row)] = true;
    }
}

}  // namespace

plan::ElementwiseWork::Loop elementwise_loop(bool wide, bool wide_exponent) {
    if (wide) return wide_exponent ? loop<true, true> : loop<true, false>;
    return wide_exponent ? loop<false, true> : loop<false, false>;
}

}  // namespace tessera::units::matrix

namespace tessera::plan {

void run(const ElementwiseWork& work, state::State& state) { work.loop(work, state); }

void footprint(const ElementwiseWork& work, Footprint& out) {
    using state::columns;
    constexpr unsigned bank_rows = state::SrcBank::rows;
    for (unsigned i = 0; i < 8; ++i)
        out.read(Storage::src_a, (work.a_bank * bank_rows + (work.a_row + i) % 64) * columns, columns);
    for (unsigned i = 0; i < (work.b_same_row ? 1u : 8u); ++i)
        out.read(Storage::src_b, (work.b_bank * bank_rows + (work.b_row + i) % 64) * columns,
                 work.b_column0 ? 1 : columns);
    for (unsigned i = 0; i < 8; ++i) {
        const unsigned row = work.map.row(work.dst_row + i);
        for (unsigned half = 0; half < (work.map.wide ? 2u : 1u); ++half) {
            const unsigned physical = half ? DstMap::low_half(row) : row;
            if (work.accumulate) out.read(Storage::dst, physical * columns, columns);
            out.write(Storage::dst, physical * columns, columns);
        }
        if (work.accumulate) out.read(Storage::dst_valid, row);
        out.write(Storage::dst_valid, row);
    }
}

void explain(const ElementwiseWork& work, Lines& lines) {
    lines.emplace_back("SrcA", fmt::format("bank {} rows {} to {}", work.a_bank, work.a_row, work.a_row + 7));
    lines.emplace_back("SrcB", fmt::format("bank {} row{} {}{}", work.b_bank, work.b_same_row ? "" : "s from",
                                           work.b_row, work.b_column0 ? ", column 0" : ""));
    lines.emplace_back("Dst", fmt::format("rows {} to {} ({}-bit view), {}", work.dst_row, work.dst_row + 7,
                                          work.map.wide ? 32 : 16, work.accumulate ? "added to" : "replaced"));
    lines.emplace_back("exponents", work.wide_exponent ? "8 bits" : "5 bits");
}

}  // namespace tessera::plan
