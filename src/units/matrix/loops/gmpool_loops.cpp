// SPDX-License-Identifier: Apache-2.0
// GMPOOL (its page, Functional model; spec-notes E52): the maximum of each column. A datum is a sign, a 9-bit
// exponent and a 10-bit mantissa. The exponent is a sum of two, so it has twice the usual bias.
//
// Rules: rules/gmpool.cpp; reference: reference/models/matrix_pools.cpp.
#include "units/matrix/loops/gmpool_loops.hpp"

#include <fmt/format.h>

#include <utility>

#include "state/state.hpp"
#include "util/range_text.hpp"
#include "util/vector_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "units/matrix/loops/gmpool_loops.cpp"
#include <hwy/foreach_target.h>

#include "units/matrix/loops/dst_rows-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera::units::matrix::HWY_NAMESPACE {

namespace {

using plan::PoolWork;
using state::columns;

constexpr unsigned block = 16;  // rows of SrcA, columns of SrcB's row
constexpr std::uint32_t sign = 0x80000000, lowest = sign | 0x7FFFF;

/// Sign and 19 bits of exponent and mantissa; integers have their magnitude there.
HWY_INLINE Integers comparable(Words datum) {
    const Integers magnitude = as_integers(hn::AndNot(word(sign), datum));
    const Integers negative = hn::BroadcastSignBit(as_integers(datum));
    return hn::Sub(hn::Xor(magnitude, negative), negative);
}

template <PoolForm Form>
HWY_INLINE Words datum_of(Words x) {
    const Words s = hn::And(x, word(sign));
    if constexpr (Form == PoolForm::integer) return hn::Or(s, hn::And(x, word(0x7FFFF)));
    const Words mantissa = Form == PoolForm::tf32
                               ? hn::And(hn::ShiftRight<13>(x), word(0x3FF))
                               : hn::Or(hn::And(hn::ShiftRight<13>(x), word(0x3F8)),
                                        Form == PoolForm::fp16 ? hn::And(hn::ShiftRight<28>(x), word(7)) : word(0));
    const Words exponent = Form == PoolForm::fp16 ? hn::Add(hn::And(hn::ShiftRight<23>(x), word(0x1F)), word(15))
                                                  : hn::Add(hn::And(hn::ShiftRight<23>(x), word(0xFF)), word(127));
    return hn::Or(s, hn::Or(hn::ShiftLeft<10>(exponent), mantissa));
}

// The exponent minus one bias; it wraps.
template <PoolForm Form>
HWY_INLINE Words value_of(Words datum) {
    const Words s = hn::And(datum, word(sign));
    if constexpr (Form == PoolForm::integer) return hn::Or(s, hn::And(datum, word(0x1FFF)));
    constexpr bool fp16 = Form == PoolForm::fp16;
    const Words exponent = hn::And(hn::ShiftRight<10>(datum), word(fp16 ? 0x3F : 0x1FF));
    const Words e = hn::And(hn::Sub(exponent, word(fp16 ? 15 : 127)), word(fp16 ? 0x1F : 0xFF));
    const Words high = hn::ShiftLeft<13>(hn::And(datum, word(Form == PoolForm::tf32 ? 0x3FF : 0x3F8)));
    const Words low = fp16 ? hn::ShiftLeft<28>(hn::And(datum, word(7))) : word(0);
    const Words value = hn::Or(hn::Or(s, hn::ShiftLeft<23>(e)), hn::Or(high, low));
    return hn::IfThenZeroElse(hn::Eq(exponent, word(0)), value);
}

/// Invalid rows read as minus infinity: all bits set.
template <bool Wide>
HWY_INLINE Words load_or_lowest(const state::Dst& dst, unsigned row, unsigned column) {
    if (!dst.valid[row]) return word(~0u);
    constexpr DstForm view = Wide ? DstForm::wide : DstForm::bf16;
    return load_dst<view>(ReadableRow(dst, row, true), column);
}

HWY_INLINE Words next_phase(Words old) { return hn::And(hn::Add(old, word(0x100)), word(0xF00)); }

template <PoolForm Form, bool Wide, bool ArgMax>
void pool(const PoolWork& work, state::State& state) {
    constexpr DstForm view = Wide ? DstForm::wide : DstForm::bf16;
    // Rows 4 to 7 come before 0 to 3: of equal datums the last one counts.
    static constexpr unsigned order[block] = {4, 5, 6, 7, 0, 1, 2, 3, 8, 9, 10, 11, 12, 13, 14, 15};
    static constexpr std::uint32_t place[8] = {0, 3, 6, 1, 4, 7, 2, 5};
    const Columns d;
    const auto& banks = std::as_const(state);
    const std::uint32_t* b = &banks.bank(state::Src::b, work.b_bank).datums[work.b_row * columns];
    const std::uint32_t* a = &banks.bank(state::Src::a, work.a_bank).datums[work.a_row * columns];
    const std::uint32_t a_keep = work.a_zero ? 0 : ~0u;
    unsigned rows[4];
    for (unsigned i = 0; i < 4; ++i) rows[i] = work.map.row(work.dst_row + i);

    for (unsigned c = 0; c < columns; c += hn::Lanes(d)) {
        const Words old = load_or_lowest<Wide>(state.dst, rows[0], c);
        const Words phase = next_phase(old);
        Words largest = datum_of<Form>(old), index = hn::And(old, word(0xFF));
        for (const unsigned i : order) {
            const std::uint32_t scale = b[i] >> 23 & 0xFF;
            const Words x = hn::And(hn::LoadU(d, a + i * columns + c), word(a_keep));
            const Words exponent = hn::And(hn::ShiftRight<23>(x), word(0xFF));
            const Words scaled = hn::Add(hn::And(exponent, word(work.exponent)), word(scale & work.exponent));
            const Words mantissa = hn::And(hn::ShiftRight<13>(x), word(work.a_mantissa));
            Words datum = hn::Or(hn::And(x, word(sign)), hn::Or(hn::ShiftLeft<10>(scaled), mantissa));
            datum = hn::IfThenZeroElse(hn::Eq(exponent, word(0)), datum);
            if (scale == 0) datum = word(lowest);
            const auto loses = hn::RebindMask(d, hn::Gt(comparable(largest), comparable(datum)));
            largest = hn::IfThenElse(loses, largest, datum);
            if constexpr (ArgMax)
                if (i < 8) index = hn::IfThenElse(loses, index, hn::Add(hn::ShiftRight<4>(phase), word(place[i])));
        }
        Words result = word(0);
        if constexpr (!ArgMax || Form != PoolForm::integer) result = value_of<Form>(largest);
        if constexpr (ArgMax) result = hn::Or(result, hn::Or(phase, index));
        store_dst<view>(state.dst, rows[0], c, result);
        for (unsigned i = 1; i < 4; ++i) {
            const Words below = ArgMax && Wide ? next_phase(load_or_lowest<Wide>(state.dst, rows[i], c)) : word(0);
            store_dst<view>(state.dst, rows[i], c, below);
        }
    }
    for (const unsigned row : rows) mark_written(state.dst, row, Wide);
}

void integers_max(const PoolWork& w, state::State& s) { pool<PoolForm::integer, true, false>(w, s); }
void integers_arg(const PoolWork& w, state::State& s) { pool<PoolForm::integer, true, true>(w, s); }
void narrow_arg(const PoolWork& w, state::State& s) { pool<PoolForm::integer, false, true>(w, s); }
void fp16_max(const PoolWork& w, state::State& s) { pool<PoolForm::fp16, false, false>(w, s); }
void fp16_arg(const PoolWork& w, state::State& s) { pool<PoolForm::fp16, true, true>(w, s); }
void bf16_max(const PoolWork& w, state::State& s) { pool<PoolForm::bf16, false, false>(w, s); }
void bf16_arg(const PoolWork& w, state::State& s) { pool<PoolForm::bf16, true, true>(w, s); }
void tf32_max(const PoolWork& w, state::State& s) { pool<PoolForm::tf32, true, false>(w, s); }

}  // namespace

}  // namespace tessera::units::matrix::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tessera::units::matrix {

namespace {

using plan::PoolWork;

TESSERA_VERSIONS(integers_max);
TESSERA_VERSIONS(integers_arg);
TESSERA_VERSIONS(narrow_arg);
TESSERA_VERSIONS(fp16_max);
TESSERA_VERSIONS(fp16_arg);
TESSERA_VERSIONS(bf16_max);
TESSERA_VERSIONS(bf16_arg);
TESSERA_VERSIONS(tf32_max);

}  // namespace

plan::PoolWork::Loop pool_loop(PoolForm form, bool wide_dst, bool arg_max) {
    switch (form) {
        case PoolForm::integer:
            if (!wide_dst) return [](const PoolWork& w, state::State& s) { TESSERA_BEST_VERSION(narrow_arg)(w, s); };
            if (arg_max) return [](const PoolWork& w, state::State& s) { TESSERA_BEST_VERSION(integers_arg)(w, s); };
            return [](const PoolWork& w, state::State& s) { TESSERA_BEST_VERSION(integers_max)(w, s); };
        case PoolForm::fp16:
            if (wide_dst) return [](const PoolWork& w, state::State& s) { TESSERA_BEST_VERSION(fp16_arg)(w, s); };
            return [](const PoolWork& w, state::State& s) { TESSERA_BEST_VERSION(fp16_max)(w, s); };
        case PoolForm::bf16:
            if (wide_dst) return [](const PoolWork& w, state::State& s) { TESSERA_BEST_VERSION(bf16_arg)(w, s); };
            return [](const PoolWork& w, state::State& s) { TESSERA_BEST_VERSION(bf16_max)(w, s); };
        default: return [](const PoolWork& w, state::State& s) { TESSERA_BEST_VERSION(tf32_max)(w, s); };
    }
}

}  // namespace tessera::units::matrix

namespace tessera::plan {

namespace {

constexpr unsigned pool_rows = 4;

}  // namespace

void run(const PoolWork& work, state::State& state) { work.loop(work, state); }

void footprint(const PoolWork& work, Footprint& out) {
    using state::columns;
    constexpr unsigned bank_rows = state::SrcBank::rows;
    if (!work.a_zero) out.read(Storage::src_a, (work.a_bank * bank_rows + work.a_row) * columns, 16 * columns);
    out.read(Storage::src_b, (work.b_bank * bank_rows + work.b_row) * columns, columns);
    for (unsigned i = 0; i < pool_rows; ++i) {
        const unsigned row = work.map.row(work.dst_row + i);
        const bool reads = i == 0 || (work.arg_max && work.map.wide);
        for (unsigned half = 0; half < (work.map.wide ? 2u : 1u); ++half) {
            const unsigned physical = half ? DstMap::low_half(row) : row;
            if (reads) out.read(Storage::dst, physical * columns, columns);
            out.write(Storage::dst, physical * columns, columns);
        }
        if (reads) out.read(Storage::dst_valid, row);
        out.write(Storage::dst_valid, row);
    }
}

void explain(const PoolWork& work, Lines& lines) {
    lines.emplace_back("SrcA", work.a_zero ? "taken as zeros"
                                           : fmt::format("bank {} {}", work.a_bank,
                                                         util::range_text("rows", work.a_row, work.a_row + 15)));
    lines.emplace_back("SrcB", fmt::format("exponents of bank {} row {}", work.b_bank, work.b_row));
    lines.emplace_back("Dst", fmt::format("maximum{} to row {}, the next 3 cleared ({}-bit view)",
                                          work.arg_max ? " and its index" : "", work.dst_row, work.map.wide ? 32 : 16));
}

}  // namespace tessera::plan

#endif  // HWY_ONCE
