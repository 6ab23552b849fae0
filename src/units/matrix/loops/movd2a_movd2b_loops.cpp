// SPDX-License-Identifier: Apache-2.0
// Rules: rules/movd2a_movd2b_movb2a.cpp; reference: reference/models/matrix_moves.cpp.
#include "units/matrix/loops/movd2a_movd2b_loops.hpp"

#include <fmt/format.h>

#include <utility>

#include "formats/layouts.hpp"
#include "state/state.hpp"
#include "units/matrix/loops/kept_columns.hpp"
#include "util/range_text.hpp"
#include "util/vector_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "units/matrix/loops/movd2a_movd2b_loops.cpp"
#include <hwy/foreach_target.h>

#include "units/matrix/loops/dst_rows-inl.hpp"
#include "units/matrix/loops/operands-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera::units::matrix::HWY_NAMESPACE {

namespace {

using plan::MoveBackWork;
using state::columns;

// ShuffleBF16, ShuffleFP16 and ShuffleTF32 of the pages: a datum of Dst to one of a source bank. `LowHalf`: from a
// row of low halves.
template <DstStyle Style, bool LowHalf>
HWY_INLINE Words converted(const ReadableRow& row, unsigned c) {
    if constexpr (Style == DstStyle::tf32) {
        const Words x = load_dst<DstForm::wide>(row, c);
        if constexpr (!LowHalf) return hn::And(x, word(formats::src_bits));
        // Thirteen bits in stored order.
        return hn::Or(hn::ShiftLeft<23>(hn::And(x, word(0xFF))), hn::And(hn::ShiftLeft<5>(x), word(0x3E000)));
    }
    constexpr DstForm form = Style == DstStyle::fp16 ? DstForm::fp16 : DstForm::bf16;
    return from_upper_half<form>(load_upper_halves((LowHalf ? row.low : row.high) + c));
}

template <DstStyle Style, bool LowHalf>
void loop(const MoveBackWork& work, state::State& state) {
    const Columns d;
    auto& bank = state.bank(work.src, work.bank);
    std::uint32_t* const datums = bank.datums.data();
    for (unsigned i = 0; i < work.rows; ++i) {
        const ReadableRow row(state.dst, work.map.row(work.dst_row + i));
        const unsigned to = (work.src_row + i) % state::SrcBank::rows;
        for (unsigned c = 0; c < columns; c += hn::Lanes(d))
            hn::Store(converted<Style, LowHalf>(row, c), d, datums + to * columns + c);
        bank.written |= std::uint64_t{1} << to;
    }
}

template <DstStyle Style>
MoveBackWork::Loop in_style(bool low_half) {
    return low_half ? loop<Style, true> : loop<Style, false>;
}
MoveBackWork::Loop loop_of(DstStyle style, bool low_half) {
    switch (style) {
        case DstStyle::bf16: return in_style<DstStyle::bf16>(low_half);
        case DstStyle::fp16: return in_style<DstStyle::fp16>(low_half);
        default: return in_style<DstStyle::tf32>(low_half);
    }
}

void copy_rows(const plan::CopyRowsWork& work, state::State& state) {
    const Columns d;
    const std::uint32_t* const from = std::as_const(state.bank(state::Src::b, work.from_bank).datums).data();
    auto& bank = state.bank(state::Src::a, work.to_bank);
    std::uint32_t* const to = bank.datums.data();
    const WhatCounts what(work.keep, work.flush);
    for (unsigned i = 0; i < work.rows; ++i) {
        const unsigned row = (work.to_row + i) % state::SrcBank::rows;
        const std::uint32_t* const in = from + (work.from_row + i) % state::SrcBank::rows * columns;
        for (unsigned c = 0; c < columns; c += hn::Lanes(d))
            hn::Store(what.of(hn::Load(d, in + c)), d, to + row * columns + c);
        bank.written |= std::uint64_t{1} << row;
    }
}

}  // namespace

}  // namespace tessera::units::matrix::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tessera::units::matrix {

namespace {

TESSERA_VERSIONS(loop_of);
TESSERA_VERSIONS(copy_rows);

}  // namespace

plan::MoveBackWork::Loop move_back_loop(DstStyle style, bool low_half) {
    return TESSERA_BEST_VERSION(loop_of)(style, low_half);
}

namespace {

void copy_rows(const plan::CopyRowsWork& work, state::State& state) { TESSERA_BEST_VERSION(copy_rows)(work, state); }

}  // namespace

}  // namespace tessera::units::matrix

namespace tessera::plan {

namespace {

constexpr Storage storage_of(state::Src src) { return src == state::Src::a ? Storage::src_a : Storage::src_b; }
constexpr char letter(state::Src src) { return src == state::Src::a ? 'A' : 'B'; }

std::uint32_t first_datum(unsigned bank, unsigned row) {
    return (bank * state::SrcBank::rows + row % state::SrcBank::rows) * state::columns;
}

// `move` writes whole rows of the bank; the other columns get their old contents back.
template <class Move>
void move_columns(std::uint16_t columns, state::SrcBank& bank, unsigned first_row, unsigned rows, Move&& move) {
    if (columns == units::matrix::all_columns) return move();
    units::matrix::KeptColumns<std::uint32_t> kept(columns);
    for (unsigned i = 0; i < rows; ++i)
        kept.keep(&bank.datums[(first_row + i) % state::SrcBank::rows * state::columns]);
    move();
    kept.put_back();
}

}  // namespace

void run(const MoveBackWork& work, state::State& state) {
    move_columns(work.columns, state.bank(work.src, work.bank), work.src_row, work.rows, [&] { work.loop(work, state); });
}

void footprint(const MoveBackWork& work, Footprint& out) {
    for (unsigned i = 0; i < work.rows; ++i) {
        const unsigned row = work.map.row(work.dst_row + i);
        out.read(Storage::dst, row * state::columns, state::columns);
        if (work.map.wide) out.read(Storage::dst, DstMap::low_half(row) * state::columns, state::columns);
        out.read(Storage::dst_valid, row);
        units::matrix::write_columns(out, storage_of(work.src), first_datum(work.bank, work.src_row + i), work.columns);
    }
}

void explain(const MoveBackWork& work, Lines& lines) {
    lines.emplace_back("from", fmt::format("Dst {} ({}-bit view)",
                                           util::range_text("rows", work.dst_row, work.dst_row + work.rows - 1),
                                           work.map.wide ? 32 : 16));
    lines.emplace_back("to", fmt::format("Src{} bank {} row {}", letter(work.src), work.bank, work.src_row));
}

void run(const CopyRowsWork& work, state::State& state) {
    move_columns(work.columns, state.bank(state::Src::a, work.to_bank), work.to_row, work.rows,
                 [&] { units::matrix::copy_rows(work, state); });
}

void footprint(const CopyRowsWork& work, Footprint& out) {
    for (unsigned i = 0; i < work.rows; ++i) {
        out.read(Storage::src_b, first_datum(work.from_bank, work.from_row + i), state::columns);
        units::matrix::write_columns(out, Storage::src_a, first_datum(work.to_bank, work.to_row + i), work.columns);
    }
}

void explain(const CopyRowsWork& work, Lines& lines) {
    lines.emplace_back("from", fmt::format("SrcB bank {} row {}", work.from_bank, work.from_row));
    lines.emplace_back("to", fmt::format("SrcA bank {} row {}, {} row{}", work.to_bank, work.to_row, work.rows,
                                         work.rows == 1 ? "" : "s"));
}

}  // namespace tessera::plan

#endif  // HWY_ONCE
