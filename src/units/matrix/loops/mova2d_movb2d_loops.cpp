// SPDX-License-Identifier: Apache-2.0
// Rules: rules/mova2d_movb2d.cpp; reference: reference/models/matrix_moves.cpp.
#include "units/matrix/loops/mova2d_movb2d_loops.hpp"

#include <fmt/format.h>

#include <utility>

#include "state/state.hpp"
#include "units/matrix/loops/block_rows.hpp"
#include "units/matrix/loops/kept_columns.hpp"
#include "util/range_text.hpp"
#include "util/vector_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "units/matrix/loops/mova2d_movb2d_loops.cpp"
#include <hwy/foreach_target.h>

#include "units/matrix/loops/dst_rows-inl.hpp"
#include "units/matrix/loops/operands-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera::units::matrix::HWY_NAMESPACE {

namespace {

using plan::MoveWork;
using state::columns;

// The part of a row of Dst that is written, and the bits of a datum that go there.
enum class Store { half, tf32, tf32_low, low_half };

template <DstForm Form, Store How>
void loop(const MoveWork& work, state::State& state) {
    const Columns d;
    const std::uint32_t* const datums = std::as_const(state.bank(work.src, work.bank).datums).data();
    std::uint16_t* const dst = state.dst.datums.data();
    const BlockRows rows(state.dst, work.map, work.dst_row, work.rows);
    const WhatCounts what(work.keep, work.flush);
    const unsigned step = !work.same_row;
    for (unsigned i = 0; i < work.rows; ++i) {
        const std::uint32_t* const in = datums + (work.src_row + i * step) % state::SrcBank::rows * columns;
        std::uint16_t* const high = dst + rows[i] * columns;
        std::uint16_t* const low = dst + plan::DstMap::low_half(rows[i]) * columns;
        for (unsigned c = 0; c < columns; c += hn::Lanes(d)) {
            const Words x = what.of(work.column0 ? word(*in) : hn::Load(d, in + c));
            const Words half = in_upper_half<Form>(x);
            if constexpr (How == Store::low_half) {
                store_upper_halves(half, low + c);
                if (!rows.valid(i)) store_upper_halves(word(0), high + c);
                continue;
            }
            if constexpr (How == Store::half) {
                store_upper_halves(half, high + c);
                continue;
            }
            // The lowest three mantissa bits, in their place in stored order.
            Words rest = hn::Or(hn::And(x, word(0x8000)), hn::And(hn::ShiftRight<8>(x), word(0x60)));
            if constexpr (How == Store::tf32_low) rest = hn::Or(rest, hn::ShiftRight<16>(half));
            store_halves(chosen_bits(word(0xFFFF0000), half, rest), high + c, low + c);
        }
    }
    rows.mark_written();
}

template <DstForm Form>
MoveWork::Loop in_form(const MoveKind& kind) {
    if (kind.tf32) return kind.low_half ? loop<Form, Store::tf32_low> : loop<Form, Store::tf32>;
    return kind.low_half ? loop<Form, Store::low_half> : loop<Form, Store::half>;
}
MoveWork::Loop loop_of(const MoveKind& kind) {
    return kind.wide_exponent ? in_form<DstForm::bf16>(kind) : in_form<DstForm::fp16>(kind);
}

}  // namespace

}  // namespace tessera::units::matrix::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tessera::units::matrix {

namespace {

TESSERA_VERSIONS(loop_of);

}  // namespace

plan::MoveWork::Loop move_loop(const MoveKind& kind) { return TESSERA_BEST_VERSION(loop_of)(kind); }

}  // namespace tessera::units::matrix

namespace tessera::plan {

void run(const MoveWork& work, state::State& state) {
    if (work.columns == units::matrix::all_columns) return work.loop(work, state);
    units::matrix::KeptColumns<std::uint16_t> kept(work.columns);
    for (unsigned i = 0; i < work.rows; ++i) {
        const unsigned row = work.map.row(work.dst_row + i);
        kept.keep(&state.dst.datums[row * state::columns]);
        if (work.map.wide) kept.keep(&state.dst.datums[DstMap::low_half(row) * state::columns]);
    }
    work.loop(work, state);
    kept.put_back();
}

void footprint(const MoveWork& work, Footprint& out) {
    const Storage storage = work.src == state::Src::a ? Storage::src_a : Storage::src_b;
    const unsigned base = work.bank * state::SrcBank::rows;
    for (unsigned i = 0; i < (work.same_row ? 1u : work.rows); ++i)
        out.read(storage, (base + (work.src_row + i) % 64) * state::columns, work.column0 ? 1 : state::columns);
    for (unsigned i = 0; i < work.rows; ++i) {
        const unsigned row = work.map.row(work.dst_row + i);
        // The high half stays: it is read, and cleared if it was invalid.
        if (work.low_half) {
            out.read(Storage::dst, row * state::columns, state::columns);
            out.read(Storage::dst_valid, row);
        }
        units::matrix::write_columns(out, Storage::dst, row * state::columns, work.columns);
        if (work.map.wide)
            units::matrix::write_columns(out, Storage::dst, DstMap::low_half(row) * state::columns, work.columns);
        out.write(Storage::dst_valid, row);
    }
}

void explain(const MoveWork& work, Lines& lines) {
    const char letter = work.src == state::Src::a ? 'A' : 'B';
    lines.emplace_back("from", fmt::format("Src{} bank {} row {}{}", letter, work.bank, work.src_row,
                                           work.column0 ? ", column 0" : ""));
    lines.emplace_back(
        "to", fmt::format("Dst {} ({}-bit view)", util::range_text("rows", work.dst_row, work.dst_row + work.rows - 1),
                          work.map.wide ? 32 : 16));
}

}  // namespace tessera::plan

#endif  // HWY_ONCE
