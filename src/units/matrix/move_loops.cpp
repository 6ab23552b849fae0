// SPDX-License-Identifier: Apache-2.0
#include "units/matrix/move_loops.hpp"

#include <fmt/format.h>

#include "formats/layouts.hpp"
#include "state/state.hpp"
#include "units/matrix/kept_columns.hpp"

namespace tessera::units::matrix {

namespace {

using plan::DstMap;
using plan::MoveWork;
using state::columns;

// RemoveLowMantissa and RemoveHighExponent of the pages.
constexpr std::uint32_t without_low_mantissa(std::uint32_t x) { return x >> 16; }
constexpr std::uint32_t without_high_exponent(std::uint32_t x) {
    return formats::dst_from_fp16(formats::fp16_from_src(x));
}

enum class Store { half, tf32, tf32_low, low_half };

template <bool WideExponent, Store How>
void loop(const MoveWork& work, state::State& state) {
    const auto& bank = state.bank(work.src, work.bank);
    auto& dst = state.dst;
    for (unsigned i = 0; i < work.rows; ++i) {
        const std::uint32_t* in = &bank.datums[(work.src_row + (work.same_row ? 0 : i)) % 64 * columns];
        const unsigned row = work.map.row(work.dst_row + i);
        const unsigned low = DstMap::low_half(row);
        const bool was_valid = dst.valid[row];
        for (unsigned c = 0; c < columns; ++c) {
            std::uint32_t x = in[work.column0 ? 0 : c];
            if (work.flush && !(x & 0x7F800000)) x = 0;
            x &= work.keep;
            const std::uint32_t half = WideExponent ? without_low_mantissa(x) : without_high_exponent(x);
            if constexpr (How == Store::low_half) {
                if (!was_valid) dst.datums[row * columns + c] = 0;
                dst.datums[low * columns + c] = static_cast<std::uint16_t>(half);
            } else {
                dst.datums[row * columns + c] = static_cast<std::uint16_t>(half);
                const std::uint32_t rest = formats::dst_low(x & 0xE000);
                if constexpr (How == Store::tf32) dst.datums[low * columns + c] = static_cast<std::uint16_t>(rest);
                if constexpr (How == Store::tf32_low)
                    dst.datums[low * columns + c] = static_cast<std::uint16_t>(rest | half);
            }
        }
        plan::mark_written(dst, row, How != Store::half);
    }
}

}  // namespace

plan::MoveWork::Loop move_loop(const MoveKind& kind) {
    auto pick = [&]<Store How>() { return kind.wide_exponent ? loop<true, How> : loop<false, How>; };
    if (kind.tf32) return kind.low_half ? pick.operator()<Store::tf32_low>() : pick.operator()<Store::tf32>();
    return kind.low_half ? pick.operator()<Store::low_half>() : pick.operator()<Store::half>();
}

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
        // A high half that stays is read, and cleared where it was invalid.
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
    lines.emplace_back("to", fmt::format("Dst rows {} to {} ({}-bit view)", work.dst_row, work.dst_row + work.rows - 1,
                                         work.map.wide ? 32 : 16));
}

}  // namespace tessera::plan
