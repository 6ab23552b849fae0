// SPDX-License-Identifier: Apache-2.0
// MVMUL (docs/numerics.md 1 to 3, 5). Products live in lanes of 16 bits: a lane of 32 bits is a column, its lower half
// works for products 0 to 7 and its upper half for 8 to 15, which are the two groups that hardware sums separately.
#include "units/matrix/mvmul_loops.hpp"

#include <fmt/format.h>

#include "state/state.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "units/matrix/mvmul_loops.cpp"
#include <hwy/foreach_target.h>

#include "units/matrix/accumulate-inl.hpp"
#include "units/matrix/operands-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera::units::matrix::HWY_NAMESPACE {

namespace {

using plan::MultiplyWork;
using state::columns;

constexpr unsigned group = 8;  // products that are summed with one exponent
constexpr unsigned max_rows = 8;

using Halves = hn::Repartition<std::int16_t, Columns>;
using Shorts = hn::Vec<Halves>;

HWY_INLINE Shorts shorts(std::int16_t x) { return hn::Set(Halves(), x); }
HWY_INLINE Words pair(Integers low, Integers high) {
    return hn::Or(hn::And(as_words(low), word(0xFFFF)), hn::ShiftLeft<16>(as_words(high)));
}
HWY_INLINE Shorts load_pairs(const std::uint32_t* p) { return hn::BitCast(Halves(), hn::Load(Columns(), p)); }
HWY_INLINE Shorts same_pair(std::uint32_t p) { return hn::BitCast(Halves(), word(p)); }

// SrcA as pairs of rows (k, k + 8), SrcB as pairs of columns.
struct Operands {
    HWY_ALIGN std::uint32_t a_exponent[group][columns], a_mantissa[group][columns];
    HWY_ALIGN std::uint32_t b_exponent[max_rows][group], b_mantissa[max_rows][group];
};

HWY_INLINE const std::uint32_t* a_row(const MultiplyWork& work, const state::State& state, unsigned k) {
    return &state.bank(state::Src::a, work.a_bank).datums[(work.a_row + k) % state::SrcBank::rows * columns];
}
HWY_INLINE const std::uint32_t* b_row(const MultiplyWork& work, const state::State& state, unsigned i) {
    return &state.bank(state::Src::b, work.b_bank)
                .datums[(work.b_row + (work.b_same_row ? 0 : i)) % state::SrcBank::rows * columns];
}

// SrcB's rows are only half as wide as a vector of columns may be.
using BColumns = hn::CappedTag<std::uint32_t, group>;

HWY_INLINE void decode(const MultiplyWork& work, const state::State& state, Operands& out) {
    const Columns d;
    for (unsigned k = 0; k < group; ++k) {
        const std::uint32_t* low = a_row(work, state, k);
        const std::uint32_t* high = a_row(work, state, k + group);
        for (unsigned c = 0; c < columns; c += hn::Lanes(d)) {
            const Slices x = slices_of_a(hn::And(hn::LoadU(d, low + c), word(work.a_keep)), work.phase);
            const Slices y = slices_of_a(hn::And(hn::LoadU(d, high + c), word(work.a_keep)), work.phase);
            hn::Store(pair(x.exponent, y.exponent), d, &out.a_exponent[k][c]);
            // Times 8, so that the rounding multiplication below has room for its power of two.
            hn::Store(pair(hn::ShiftLeft<3>(x.mantissa), hn::ShiftLeft<3>(y.mantissa)), d, &out.a_mantissa[k][c]);
        }
    }
    HWY_ALIGN std::uint32_t exponent[columns], mantissa[columns];
    for (unsigned i = 0; i < work.rows; ++i) {
        const std::uint32_t* row = b_row(work, state, i);
        for (unsigned c = 0; c < columns; c += hn::Lanes(d)) {
            const Slices x = slices_of_b(hn::And(hn::LoadU(d, row + c), word(work.b_keep)), work.phase, work.flush_b);
            hn::Store(as_words(x.exponent), d, exponent + c);
            hn::Store(as_words(x.mantissa), d, mantissa + c);
        }
        for (unsigned k = 0; k < group; ++k) {
            out.b_exponent[i][k] = (exponent[k] & 0xFFFF) | exponent[k + group] << 16;
            out.b_mantissa[i][k] = (mantissa[k] & 0xFFFF) | mantissa[k + group] << 16;
        }
    }
}

// 2^(12 - shift), and 0 from 13 on.
HWY_INLINE Shorts power(Shorts shift) {
    const hn::RebindToUnsigned<Halves> d;
    const auto s = hn::BitCast(d, shift);
#if HWY_TARGET <= HWY_AVX3
    return hn::BitCast(Halves(), hn::Set(d, 4096) >> s);
#else
    // A byte of the result is looked up per half; an index with its highest bit set gives 0.
    const hn::Repartition<std::uint8_t, Halves> bytes;
    HWY_ALIGN static constexpr std::uint8_t low[16] = {0, 0, 0, 0, 0, 128, 64, 32, 16, 8, 4, 2, 1, 0, 0, 0};
    HWY_ALIGN static constexpr std::uint8_t high[16] = {16, 8, 4, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    const auto index = hn::Min(s, hn::Set(d, 15));
    const auto from_low =
        hn::TableLookupBytesOr0(hn::LoadDup128(bytes, low), hn::BitCast(bytes, hn::Or(index, hn::Set(d, 0x8000))));
    const auto from_high = hn::TableLookupBytesOr0(
        hn::LoadDup128(bytes, high), hn::BitCast(bytes, hn::Or(hn::ShiftLeft<8>(index), hn::Set(d, 0x80))));
    return hn::BitCast(Halves(), hn::Or(from_low, from_high));
#endif
}

// One row of Dst: both groups of all products, aligned to their largest exponent.
HWY_INLINE void sum_groups(const Operands& in, unsigned row, unsigned column, Shorts least, Term (&terms)[2]) {
    Shorts exponent[group];
    Shorts largest = least;
    for (unsigned k = 0; k < group; ++k) {
        exponent[k] = hn::Add(load_pairs(&in.a_exponent[k][column]), same_pair(in.b_exponent[row][k]));
        largest = hn::Max(largest, exponent[k]);
    }
    Shorts sum = hn::Zero(Halves());
    for (unsigned k = 0; k < group; ++k) {
        // Of a negative product one more is taken, so that a tie is rounded away from zero as of a positive one.
        const Shorts product = hn::Mul(load_pairs(&in.a_mantissa[k][column]), same_pair(in.b_mantissa[row][k]));
        const Shorts x = hn::Add(product, hn::BroadcastSignBit(product));
        sum = hn::Add(sum, hn::MulFixedPoint15(x, power(hn::Sub(largest, exponent[k]))));
    }
    sum = hn::IfThenElseZero(hn::Gt(largest, hn::Zero(Halves())), sum);

    const Integers exponents = hn::BitCast(SignedColumns(), largest), sums = hn::BitCast(SignedColumns(), sum);
    terms[0] = {hn::ShiftRight<16>(hn::ShiftLeft<16>(exponents)),
                hn::ShiftLeft<13>(hn::ShiftRight<16>(hn::ShiftLeft<16>(sums)))};
    terms[1] = {hn::ShiftRight<16>(exponents), hn::ShiftLeft<13>(hn::ShiftRight<16>(sums))};
}

template <DstForm Form, class Rounding>
void multiply(const MultiplyWork& work, state::State& state) {
    std::uint32_t random = state[state::cells::matrix_random];
    Operands operands;
    decode(work, state, operands);
    const Shorts least = shorts(work.phase.zero_exponent);
    const Integers bug = integer(work.renormalise_bug ? 27 : 0);
    for (unsigned i = 0; i < work.rows; ++i) {
        const unsigned row = work.map.row(work.dst_row + i * work.row_step);
        const Words valid = word(state.dst.valid[row] ? ~0u : 0u);
        const Rounding rounding(random);
        for (unsigned c = 0; c < columns; c += hn::Lanes(Columns())) {
            Term terms[2];
            sum_groups(operands, i, c, least, terms);
            store_dst<Form>(state.dst, row, c,
                            accumulate<Form>(terms, load_dst<Form>(state.dst, row, c, valid), bug, rounding.at(c)));
        }
        mark_written(state.dst, row, Form == DstForm::wide);
    }
    if (work.stochastic) state.write(state::cells::matrix_random, random);
}

void multiply_wide(const MultiplyWork& w, state::State& s) { multiply<DstForm::wide, NearestRow>(w, s); }
void multiply_bf16(const MultiplyWork& w, state::State& s) { multiply<DstForm::bf16, NearestRow>(w, s); }
void multiply_fp16(const MultiplyWork& w, state::State& s) { multiply<DstForm::fp16, NearestRow>(w, s); }
void stochastic_wide(const MultiplyWork& w, state::State& s) { multiply<DstForm::wide, RandomRow>(w, s); }
void stochastic_bf16(const MultiplyWork& w, state::State& s) { multiply<DstForm::bf16, RandomRow>(w, s); }
void stochastic_fp16(const MultiplyWork& w, state::State& s) { multiply<DstForm::fp16, RandomRow>(w, s); }

void multiply_integers(const MultiplyWork& work, state::State& state) {
    const Columns d;
    HWY_ALIGN std::uint32_t a[group][columns], b[max_rows][group];
    for (unsigned k = 0; k < group; ++k)
        for (unsigned c = 0; c < columns; c += hn::Lanes(d))
            hn::Store(pair(integer_operand(hn::LoadU(d, a_row(work, state, k) + c), work.a_keep, true),
                           integer_operand(hn::LoadU(d, a_row(work, state, k + group) + c), work.a_keep, true)),
                      d, &a[k][c]);
    for (unsigned i = 0; i < work.rows; ++i) {
        HWY_ALIGN std::uint32_t row[columns];
        for (unsigned c = 0; c < columns; c += hn::Lanes(d))
            hn::Store(as_words(integer_operand(hn::LoadU(d, b_row(work, state, i) + c), work.b_keep, work.flush_b)), d,
                      row + c);
        for (unsigned k = 0; k < group; ++k) b[i][k] = (row[k] & 0xFFFF) | row[k + group] << 16;
    }
    for (unsigned i = 0; i < work.rows; ++i) {
        const unsigned row = work.map.row(work.dst_row + i * work.row_step);
        const Words valid = word(state.dst.valid[row] ? ~0u : 0u);
        for (unsigned c = 0; c < columns; c += hn::Lanes(d)) {
            Integers sum = integer(0), rest = integer(0);
            for (unsigned k = 0; k < group; ++k)
                sum =
                    hn::ReorderWidenMulAccumulate(SignedColumns(), load_pairs(&a[k][c]), same_pair(b[i][k]), sum, rest);
            sum = hn::Add(sum, rest);
            const Integers old = integers_of(load_dst<DstForm::wide>(state.dst, row, c, valid));
            store_dst<DstForm::wide>(state.dst, row, c, sign_magnitude_of(saturated_sum(old, sum)));
        }
        mark_written(state.dst, row, true);
    }
}

}  // namespace

}  // namespace tessera::units::matrix::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tessera::units::matrix {

namespace {

using Work = plan::MultiplyWork;

HWY_EXPORT(multiply_wide);
HWY_EXPORT(multiply_bf16);
HWY_EXPORT(multiply_fp16);
HWY_EXPORT(stochastic_wide);
HWY_EXPORT(stochastic_bf16);
HWY_EXPORT(stochastic_fp16);
HWY_EXPORT(multiply_integers);

}  // namespace

plan::MultiplyWork::Loop mvmul_loop(bool integers, bool wide_dst, bool wide_exponent, bool stochastic) {
    if (integers) return [](const Work& work, state::State& s) { HWY_DYNAMIC_DISPATCH(multiply_integers)(work, s); };
    if (stochastic) {
        if (wide_dst) return [](const Work& work, state::State& s) { HWY_DYNAMIC_DISPATCH(stochastic_wide)(work, s); };
        if (wide_exponent)
            return [](const Work& work, state::State& s) { HWY_DYNAMIC_DISPATCH(stochastic_bf16)(work, s); };
        return [](const Work& work, state::State& s) { HWY_DYNAMIC_DISPATCH(stochastic_fp16)(work, s); };
    }
    if (wide_dst) return [](const Work& work, state::State& s) { HWY_DYNAMIC_DISPATCH(multiply_wide)(work, s); };
    if (wide_exponent) return [](const Work& work, state::State& s) { HWY_DYNAMIC_DISPATCH(multiply_bf16)(work, s); };
    return [](const Work& work, state::State& s) { HWY_DYNAMIC_DISPATCH(multiply_fp16)(work, s); };
}

}  // namespace tessera::units::matrix

namespace tessera::plan {

void run(const MultiplyWork& work, state::State& state) { work.loop(work, state); }

void footprint(const MultiplyWork& work, Footprint& out) {
    out.read_rows(Storage::src_a, work.a_bank, work.a_row, 16);
    out.read_rows(Storage::src_b, work.b_bank, work.b_row, work.b_same_row ? 1u : work.rows);
    out.change_rows(work.map, work.dst_row, work.rows, work.row_step, true);
    if (work.stochastic) {
        out.read(state::cells::matrix_random);
        out.write(state::cells::matrix_random);
    }
}

void explain(const MultiplyWork& work, Lines& lines) {
    lines.emplace_back("SrcA", fmt::format("bank {} rows {} to {}", work.a_bank, work.a_row, work.a_row + 15));
    lines.emplace_back("SrcB", work.b_same_row ? fmt::format("bank {} row {} for every row", work.b_bank, work.b_row)
                                               : fmt::format("bank {} rows {} to {}", work.b_bank, work.b_row,
                                                             work.b_row + work.rows - 1));
    lines.emplace_back("Dst", fmt::format("{} rows from {}{} ({}-bit view), added to", work.rows, work.dst_row,
                                          work.row_step > 1 ? ", every other" : "", work.map.wide ? 32 : 16));
    lines.emplace_back("fidelity phase", fmt::format("{}", work.phase.number));
    if (work.stochastic) lines.emplace_back("rounding", "stochastic");
}

}  // namespace tessera::plan

#endif  // HWY_ONCE
