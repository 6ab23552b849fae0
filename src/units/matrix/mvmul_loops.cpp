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
#include "units/matrix/accumulate_nearest-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera::units::matrix::HWY_NAMESPACE {

namespace {

using plan::MultiplyWork;
using state::columns;

constexpr unsigned group = 8;  // products that are summed with one exponent
constexpr unsigned max_rows = 8;

using Halves = hn::Repartition<std::int16_t, Columns>;
using UnsignedHalves = hn::RebindToUnsigned<Halves>;
using Shorts = hn::Vec<Halves>;

HWY_INLINE Shorts shorts(int x) { return hn::Set(Halves(), static_cast<std::int16_t>(x)); }
HWY_INLINE Shorts as_shorts(Words x) { return hn::BitCast(Halves(), x); }
HWY_INLINE Words as_words(Shorts x) { return hn::BitCast(Columns(), x); }
HWY_INLINE Shorts load_pairs(const std::uint32_t* p) { return as_shorts(hn::Load(Columns(), p)); }
HWY_INLINE Shorts same_pair(const std::uint32_t& p) { return as_shorts(word(p)); }

// The lower half of `low`, the upper one of `high`.
HWY_INLINE Words halves(Words low, Words high) { return chosen_bits(word(0xFFFF0000), high, low); }

// Rows of SrcA in pairs (k, k + 8), SrcB's columns in pairs; as pairs of halves.
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

// Calls f(pair of SrcA's datums, where the pair goes) for all of its block.
template <class F>
HWY_INLINE void for_each_a(const MultiplyWork& work, const state::State& state, F&& f) {
    const Columns d;
    HWY_UNROLL(2)
    for (unsigned k = 0; k < group; ++k) {
        const std::uint32_t* low = a_row(work, state, k);
        const std::uint32_t* high = a_row(work, state, k + group);
        for (unsigned c = 0; c < columns; c += hn::Lanes(d))
            f(hn::LoadU(d, low + c), hn::LoadU(d, high + c), k * columns + c);
    }
}

// The same for SrcB. A vector may have room for the eight pairs of two rows.
template <class F>
HWY_INLINE void for_each_b(const MultiplyWork& work, const state::State& state, F&& f) {
    const Columns d;
    if constexpr (hn::MaxLanes(d) > group) {
        const hn::Half<Columns> half;
        for (unsigned i = 0; i < work.rows; i += 2) {
            const std::uint32_t *first = b_row(work, state, i), *second = b_row(work, state, i + 1);
            f(hn::Combine(d, hn::LoadU(half, second), hn::LoadU(half, first)),
              hn::Combine(d, hn::LoadU(half, second + group), hn::LoadU(half, first + group)), i * group);
        }
    } else {
        for (unsigned i = 0; i < work.rows; ++i)
            for (unsigned k = 0; k < group; k += hn::Lanes(d)) {
                const std::uint32_t* row = b_row(work, state, i) + k;
                f(hn::LoadU(d, row), hn::LoadU(d, row + group), i * group + k);
            }
    }
}

// Exponents of operands that are not zero are too large by this; those of zeros are 0, and a product of one is out of the
// others' reach.
constexpr int exponent_offset = 8192, product_offset = 2 * exponent_offset;

// How the slice of an operand becomes a half: its highest bit is bit 14 or below.
struct Slice {
    std::uint16_t mantissa;  // bits of the half that come from the datum
    std::uint16_t hidden;    // the bit that comes from nowhere, if it is in the slice
    std::uint16_t exponent;  // bits that count
    std::int16_t zero;       // the exponent of zero; none if zeros are not flushed
    int shift;               // from the place in the datum

    // `slice`: bits of the 11 of a mantissa; `lowest` goes to bit 0, which is at `place` in the half.
    Slice(unsigned slice, unsigned lowest, unsigned place, std::uint32_t keep, bool flush)
        : shift(static_cast<int>(13 + lowest - place)) {
        mantissa = static_cast<std::uint16_t>((keep & (slice & 0x3FFu) << 13) >> shift);
        hidden = static_cast<std::uint16_t>((slice & 0x400u) << 13 >> shift);
        exponent = static_cast<std::uint16_t>(keep >> 23 & 255);
        zero = static_cast<std::int16_t>(flush ? 0 : -1);
    }
    // SrcA's five bits end in bit 14, SrcB's seven, too: the upper half of the product has four times that of the slices.
    static Slice of_a(const MultiplyWork& work) {
        return {31u << work.phase.a_shift, work.phase.a_shift, 10, work.a_keep, true};
    }
    static Slice of_b(const MultiplyWork& work) {
        const plan::FidelityPhase& p = work.phase;
        return {static_cast<unsigned>(p.b_mask) << p.b_shift, p.b_shift, 8u + p.b_left, work.b_keep, work.flush_b};
    }
};

// Negative slices lack one unit, which is below what counts: the upper half of a product of unequal signs then is rounded down
// to one less than four times that of the slices, which lets its ties go away from zero like a positive one's.
HWY_INLINE void slice(Words low, Words high, const Slice& how, std::uint32_t* exponents, std::uint32_t* mantissas) {
    const Columns d;
    const Shorts upper = as_shorts(halves(hn::ShiftRight<16>(low), high));
    const Shorts exponent = hn::And(hn::ShiftRight<7>(upper), shorts(how.exponent));
    const auto zero = hn::Eq(exponent, shorts(how.zero));
    const Words by = word(static_cast<std::uint32_t>(how.shift)),
                rest = word(static_cast<std::uint32_t>(16 - how.shift));
    const Shorts bits = as_shorts(halves(low >> by, high << rest));
    const Shorts mantissa =
        hn::Xor(hn::BroadcastSignBit(upper), hn::OrAnd(shorts(how.hidden), bits, shorts(how.mantissa)));
    hn::Store(as_words(hn::IfThenZeroElse(zero, hn::Add(exponent, shorts(exponent_offset)))), d, exponents);
    hn::Store(as_words(hn::IfThenZeroElse(zero, mantissa)), d, mantissas);
}

HWY_INLINE void slice(const MultiplyWork& work, const state::State& state, Operands& out) {
    const Slice a = Slice::of_a(work), b = Slice::of_b(work);
    for_each_a(work, state, [&](Words low, Words high, unsigned at) HWY_ATTR {
        slice(low, high, a, &out.a_exponent[0][0] + at, &out.a_mantissa[0][0] + at);
    });
    for_each_b(work, state, [&](Words low, Words high, unsigned at) HWY_ATTR {
        slice(low, high, b, &out.b_exponent[0][0] + at, &out.b_mantissa[0][0] + at);
    });
}

// 2^(13 - (largest - exponent)), and 0 where that is less than 1.
HWY_INLINE Shorts scale(Shorts largest, Shorts exponent) {
    const UnsignedHalves d;
#if HWY_TARGET <= HWY_AVX3
    return hn::BitCast(Halves(), hn::Set(d, 8192) >> hn::BitCast(d, hn::Sub(largest, exponent)));
#else
    // A byte of the result is looked up per half; an index with its highest bit set gives 0.
    const hn::Repartition<std::uint8_t, Halves> bytes;
    HWY_ALIGN static constexpr std::uint8_t powers[16] = {1, 2, 4, 8, 16, 32, 64, 128};
    const auto near = hn::SaturatedSub(hn::BitCast(d, exponent), hn::BitCast(d, hn::Sub(largest, shorts(15))));
    const auto index = hn::Sub(hn::Mul(near, hn::Set(d, 0x101)), hn::Set(d, 0x0A02));
    return hn::BitCast(Halves(), hn::TableLookupBytesOr0(hn::LoadDup128(bytes, powers), hn::BitCast(bytes, index)));
#endif
}

// One row of Dst: both groups of all products, aligned to their largest exponent. `least` is the exponent that a group of
// zeros has; `none`, that up to which a group counts as zero.
HWY_INLINE void sum_groups(const Operands& in, unsigned row, unsigned column, Shorts least, Shorts none,
                           DoubledTerm (&terms)[2]) {
    Shorts exponent[group];
    Shorts largest = least;
    HWY_UNROLL(8)
    for (unsigned k = 0; k < group; ++k) {
        exponent[k] = hn::Add(load_pairs(&in.a_exponent[k][column]), same_pair(in.b_exponent[row][k]));
        largest = hn::Max(largest, exponent[k]);
    }
    Shorts sum = hn::Zero(Halves());
    HWY_UNROLL(8)
    for (unsigned k = 0; k < group; ++k) {
        const Shorts product = hn::MulHigh(load_pairs(&in.a_mantissa[k][column]), same_pair(in.b_mantissa[row][k]));
        sum = hn::Add(sum, hn::MulFixedPoint15(product, scale(largest, exponent[k])));
    }
    sum = hn::IfThenElseZero(hn::Gt(largest, none), sum);

    const Integers sums = as_integers(as_words(sum));
    terms[0] = {as_integers(hn::And(as_words(largest), word(0xFFFF))), hn::ShiftRight<2>(hn::ShiftLeft<16>(sums))};
    terms[1] = {as_integers(hn::ShiftRight<16>(as_words(largest))),
                hn::ShiftRight<2>(hn::And(sums, as_integers(word(0xFFFF0000))))};
}

template <DstForm Form>
void multiply(const MultiplyWork& work, state::State& state) {
    Operands operands;
    slice(work, state, operands);
    const int offset = product_offset - work.phase.exponent;
    const Shorts least = shorts(offset + work.phase.zero_exponent), none = shorts(offset);
    const Integers bug = integer(work.renormalise_bug ? 27 : 0);
    for (unsigned i = 0; i < work.rows; ++i) {
        const unsigned row = work.map.row(work.dst_row + i * work.row_step);
        const ReadableRow old(state.dst, row);
        for (unsigned c = 0; c < columns; c += hn::Lanes(Columns())) {
            DoubledTerm terms[2];
            sum_groups(operands, i, c, least, none, terms);
            store_dst<Form>(state.dst, row, c,
                            accumulate_nearest<Form>(terms, load_dst<Form>(old, c), integer(offset), bug));
        }
        mark_written(state.dst, row, Form == DstForm::wide);
    }
}

// The same, rounded with random numbers.
template <DstForm Form>
void multiply_randomly(const MultiplyWork& work, state::State& state) {
    std::uint32_t random = state[state::cells::matrix_random];
    Operands operands;
    slice(work, state, operands);
    const int offset = product_offset - work.phase.exponent;
    const Shorts least = shorts(offset + work.phase.zero_exponent), none = shorts(offset);
    const Integers bug = integer(work.renormalise_bug ? 27 : 0);
    for (unsigned i = 0; i < work.rows; ++i) {
        const unsigned row = work.map.row(work.dst_row + i * work.row_step);
        const ReadableRow old(state.dst, row);
        const RandomRow rounding(random);
        for (unsigned c = 0; c < columns; c += hn::Lanes(Columns())) {
            DoubledTerm sums[2];
            sum_groups(operands, i, c, least, none, sums);
            auto term = [&](const DoubledTerm& sum) HWY_ATTR {
                return Term{hn::Sub(sum.exponent, integer(offset)), hn::ShiftRight<1>(sum.mantissa)};
            };
            const Term terms[] = {term(sums[0]), term(sums[1])};
            store_dst<Form>(state.dst, row, c, accumulate<Form>(terms, load_dst<Form>(old, c), bug, rounding.at(c)));
        }
        mark_written(state.dst, row, Form == DstForm::wide);
    }
    state.write(state::cells::matrix_random, random);
}

// Sign and magnitude, in the place of a mantissa, become an integer; zero if the exponent is `zero`. The bits of `keep` count.
HWY_INLINE Words integer_pair(Words low, Words high, std::uint32_t keep, int zero) {
    const Shorts upper = as_shorts(halves(hn::ShiftRight<16>(low), high));
    const Shorts bits = as_shorts(halves(hn::ShiftRight<13>(low), hn::ShiftLeft<3>(high)));
    const Shorts exponent = hn::And(upper, shorts(static_cast<int>(keep >> 16 & 0x7F80)));
    const Shorts magnitude = hn::And(bits, shorts(static_cast<int>(keep >> 13 & 1023)));
    const Shorts sign = hn::BroadcastSignBit(upper);
    return as_words(hn::IfThenZeroElse(hn::Eq(exponent, shorts(zero)), hn::Sub(hn::Xor(magnitude, sign), sign)));
}

void multiply_integers(const MultiplyWork& work, state::State& state) {
    const Columns d;
    HWY_ALIGN std::uint32_t a[group][columns], b[max_rows][group];
    for_each_a(work, state, [&](Words low, Words high, unsigned at) HWY_ATTR {
        hn::Store(integer_pair(low, high, work.a_keep, 0), d, &a[0][0] + at);
    });
    for_each_b(work, state, [&](Words low, Words high, unsigned at) HWY_ATTR {
        hn::Store(integer_pair(low, high, work.b_keep, work.flush_b ? 0 : -1), d, &b[0][0] + at);
    });
    for (unsigned i = 0; i < work.rows; ++i) {
        const unsigned row = work.map.row(work.dst_row + i * work.row_step);
        const ReadableRow readable(state.dst, row);
        for (unsigned c = 0; c < columns; c += hn::Lanes(d)) {
            Integers sum = integer(0), rest = integer(0);
            HWY_UNROLL(8)
            for (unsigned k = 0; k < group; ++k)
                sum =
                    hn::ReorderWidenMulAccumulate(SignedColumns(), load_pairs(&a[k][c]), same_pair(b[i][k]), sum, rest);
            sum = hn::Add(sum, rest);
            const Integers old = integers_of(load_dst<DstForm::wide>(readable, c));
            store_dst<DstForm::wide>(state.dst, row, c, sign_magnitude_of(saturated_sum(old, sum)));
        }
        mark_written(state.dst, row, true);
    }
}

template <DstForm Form>
MultiplyWork::Loop floats_loop(bool stochastic) {
    return stochastic ? multiply_randomly<Form> : multiply<Form>;
}

MultiplyWork::Loop loop_of(bool integers, bool wide_dst, bool wide_exponent, bool stochastic) {
    if (integers) return multiply_integers;
    if (wide_dst) return floats_loop<DstForm::wide>(stochastic);
    return wide_exponent ? floats_loop<DstForm::bf16>(stochastic) : floats_loop<DstForm::fp16>(stochastic);
}

}  // namespace

}  // namespace tessera::units::matrix::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tessera::units::matrix {

namespace {

HWY_EXPORT(loop_of);

}  // namespace

plan::MultiplyWork::Loop mvmul_loop(bool integers, bool wide_dst, bool wide_exponent, bool stochastic) {
    return HWY_DYNAMIC_DISPATCH(loop_of)(integers, wide_dst, wide_exponent, stochastic);
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
