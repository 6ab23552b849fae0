// SPDX-License-Identifier: Apache-2.0
#include "units/matrix/move_back_loops.hpp"

#include <fmt/format.h>

#include "formats/layouts.hpp"
#include "state/state.hpp"
#include "units/matrix/kept_columns.hpp"

namespace tessera::units::matrix {

namespace {

using plan::DstMap;
using plan::MoveBackWork;
using state::columns;

// ShuffleBF16, ShuffleFP16 and ShuffleTF32 of the pages: Dst's datum to a source bank's.
constexpr std::uint32_t from_bf16(std::uint32_t x) { return formats::src_from_bf16(x); }
constexpr std::uint32_t from_fp16(std::uint32_t x) { return formats::src_from_fp16(formats::fp16_from_dst(x)); }

template <DstStyle Style, bool Wide, bool LowHalf>
std::uint32_t convert(std::uint32_t x) {
    if constexpr (!Wide) return Style == DstStyle::fp16 ? from_fp16(x) : from_bf16(x);
    if constexpr (Style == DstStyle::tf32) return LowHalf ? formats::src_from_stored(x & 0x1FFF) : x & 0xFFFFE000;
    const std::uint32_t half = LowHalf ? formats::dst_low(x) : x >> 16;
    return Style == DstStyle::fp16 ? from_fp16(half) : from_bf16(half);
}

template <DstStyle Style, bool Wide, bool LowHalf>
void loop(const MoveBackWork& work, state::State& state) {
    auto& bank = state.bank(work.src, work.bank);
    const auto& dst = state.dst;
    for (unsigned i = 0; i < work.rows; ++i) {
        const unsigned row = work.map.row(work.dst_row + i);
        const unsigned low = DstMap::low_half(row);
        const bool valid = dst.valid[row];
        const unsigned to = (work.src_row + i) % state::SrcBank::rows;
        std::uint32_t* const out = &bank.datums[to * columns];
        for (unsigned c = 0; c < columns; ++c) {
            std::uint32_t x = valid ? dst.datums[row * columns + c] : 0;
            if constexpr (Wide) x = formats::dst_join(x, valid ? dst.datums[low * columns + c] : 0);
            out[c] = convert<Style, Wide, LowHalf>(x);
        }
        bank.written |= std::uint64_t{1} << to;
    }
}

template <DstStyle Style>
MoveBackWork::Loop pick(bool wide, bool low_half) {
    if (!wide) return loop<Style, false, false>;
    return low_half ? loop<Style, true, true> : loop<Style, true, false>;
}

}  // namespace

MoveBackWork::Loop move_back_loop(DstStyle style, bool wide, bool low_half) {
    switch (style) {
        case DstStyle::bf16: return pick<DstStyle::bf16>(wide, low_half);
        case DstStyle::fp16: return pick<DstStyle::fp16>(wide, low_half);
        default: return pick<DstStyle::tf32>(wide, low_half);
    }
}

}  // namespace tessera::units::matrix

namespace tessera::plan {

namespace {

constexpr Storage storage_of(state::Src src) { return src == state::Src::a ? Storage::src_a : Storage::src_b; }
constexpr char letter(state::Src src) { return src == state::Src::a ? 'A' : 'B'; }

std::uint32_t first_datum(unsigned bank, unsigned row) {
    return (bank * state::SrcBank::rows + row % state::SrcBank::rows) * state::columns;
}

}  // namespace

void run(const MoveBackWork& work, state::State& state) {
    if (work.columns == units::matrix::all_columns) return work.loop(work, state);
    units::matrix::KeptColumns<std::uint32_t> kept(work.columns);
    auto& datums = state.bank(work.src, work.bank).datums;
    for (unsigned i = 0; i < work.rows; ++i)
        kept.keep(&datums[(work.src_row + i) % state::SrcBank::rows * state::columns]);
    work.loop(work, state);
    kept.put_back();
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
    lines.emplace_back("from", fmt::format("Dst rows {} to {} ({}-bit view)", work.dst_row,
                                           work.dst_row + work.rows - 1, work.map.wide ? 32 : 16));
    lines.emplace_back("to", fmt::format("Src{} bank {} row {}", letter(work.src), work.bank, work.src_row));
}

void run(const CopyRowsWork& work, state::State& state) {
    const auto& from = state.bank(state::Src::b, work.from_bank);
    auto& to = state.bank(state::Src::a, work.to_bank);
    for (unsigned i = 0; i < work.rows; ++i) {
        const unsigned row = (work.to_row + i) % state::SrcBank::rows;
        const std::uint32_t* const in = &from.datums[(work.from_row + i) % state::SrcBank::rows * state::columns];
        std::uint32_t* const out = &to.datums[row * state::columns];
        for (unsigned c = 0; c < state::columns; ++c) {
            const std::uint32_t x = in[c];
            out[c] = work.flush && !(x & 0x7F800000) ? 0 : x & work.keep;
        }
        to.written |= std::uint64_t{1} << row;
    }
}

void footprint(const CopyRowsWork& work, Footprint& out) {
    for (unsigned i = 0; i < work.rows; ++i) {
        out.read(Storage::src_b, first_datum(work.from_bank, work.from_row + i), state::columns);
        out.write(Storage::src_a, first_datum(work.to_bank, work.to_row + i), state::columns);
    }
}

void explain(const CopyRowsWork& work, Lines& lines) {
    lines.emplace_back("from", fmt::format("SrcB bank {} row {}", work.from_bank, work.from_row));
    lines.emplace_back("to", fmt::format("SrcA bank {} row {}, {} row{}", work.to_bank, work.to_row, work.rows,
                                         work.rows == 1 ? "" : "s"));
}

}  // namespace tessera::plan
