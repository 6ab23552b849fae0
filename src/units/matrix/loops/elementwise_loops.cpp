// SPDX-License-Identifier: Apache-2.0
// ELWADD, ELWSUB, ELWMUL (docs/internals/numerics.md 1, 3 to 5), columns side by side.
// Rules: rules/elementwise.cpp; reference: reference/models/matrix_math.cpp.
#include "units/matrix/loops/elementwise_loops.hpp"

#include <fmt/format.h>

#include <optional>

#include "state/state.hpp"
#include "units/matrix/loops/block_rows.hpp"
#include "util/range_text.hpp"
#include "util/vector_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "units/matrix/loops/elementwise_loops.cpp"
#include <hwy/foreach_target.h>

#include "units/matrix/loops/accumulate-inl.hpp"
#include "units/matrix/loops/accumulate_nearest-inl.hpp"
#include "units/matrix/loops/float_product_onto_bf16-inl.hpp"
#include "units/matrix/loops/operands-inl.hpp"
#include "units/matrix/loops/product_onto_bf16-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera::units::matrix::HWY_NAMESPACE {

namespace {

using plan::ElementwiseWork;
using state::columns;

HWY_INLINE Integers exponent_of(Words x) { return as_integers(hn::And(hn::ShiftRight<23>(x), word(255))); }
// The inputs of a block's instruction, copied once: the compiler must assume that stores to Dst could change them.
struct Operands {
    explicit HWY_INLINE Operands(const ElementwiseWork& work)
        : a_keep(word(work.a_keep)), b_keep(word(work.b_keep)), flip(word(work.subtract ? 0x80000000 : 0)) {}
    HWY_INLINE Words a(Words x) const { return hn::And(x, a_keep); }
    HWY_INLINE Words b(Words x) const { return hn::Xor(hn::And(x, b_keep), flip); }

    Words a_keep, b_keep, flip;
};

/// ELWADD, ELWSUB: the term that is added to Dst. Zero exponents are zeros in both operands.
class Sum {
public:
    static constexpr bool may_vanish = true;

    explicit HWY_INLINE Sum(const ElementwiseWork& work)
        : operands_(work),
          zero_exponent_(integer(work.sum_zero_exponent)),
          more_exponent_(integer(work.sum_exponent)) {}

    HWY_INLINE WideTerm term(Words a, Words b) const {
        const Addend x(operands_.a(a)), y(operands_.b(b));
        const Integers exponent = hn::Max(x.exponent, y.exponent);
        const Integers sum = hn::Add(x.aligned(exponent), y.aligned(exponent));
        return {hn::IfThenElse(hn::Eq(exponent, integer(0)), zero_exponent_, hn::Add(exponent, more_exponent_)),
                hn::ShiftLeft<15>(sum)};
    }
    static HWY_INLINE Integers whole(const ElementwiseWork& work, Words a, Words b) {
        b = hn::Xor(b, word(work.subtract ? 0x80000000 : 0));
        return hn::Add(integer_operand(a, work.a_keep, true), integer_operand(b, work.b_keep, work.flush_b));
    }

private:
    // Twice the 11 bits of a mantissa. A negative one is one unit smaller, so its ties round away from zero.
    struct Addend {
        HWY_INLINE explicit Addend(Words x) : exponent(exponent_of(x)) {
            const Words magnitude = hn::OrAnd(word(2048), hn::ShiftRight<12>(x), word(2046));
            const Integers signed_one = hn::Xor(as_integers(magnitude), hn::BroadcastSignBit(as_integers(x)));
            mantissa = hn::IfThenZeroElse(hn::Eq(exponent, integer(0)), signed_one);
        }
        HWY_INLINE Integers aligned(Integers to) const {
            return rounded_half<DstForm::wide>(shifted_down(mantissa, hn::Sub(to, exponent)));
        }
        Integers exponent, mantissa;
    };

    Operands operands_;
    Integers zero_exponent_, more_exponent_;
};

/// A negative difference of two mantissas is an unsigned number of 32 bits (spec-notes E55).
struct UnsignedShift {
    HWY_INLINE Integers operator()(Integers x, Integers shift) const {
        const auto wraps =
            hn::And(as_integers(below_zero), as_integers(word(1) << as_words(hn::Sub(integer(32), shift))));
        const auto in_range = hn::And(hn::Gt(shift, integer(0)), hn::Lt(shift, integer(24)));
        return hn::Add(rounded_shift(x, shift), hn::IfThenElseZero(in_range, wraps));
    }
    Words below_zero;  ///< mask of the columns with a negative difference
};

/// The same if zero exponents in SrcB may count as numbers.
class UnflushedSum {
public:
    explicit HWY_INLINE UnflushedSum(const ElementwiseWork& work) : work_(work) {}

    HWY_INLINE Term term(Words a, Words b) const {
        const ElementwiseWork& work = work_;
        a = hn::And(a, word(work.a_keep));
        b = hn::Xor(hn::And(b, word(work.b_keep)), word(work.subtract ? 0x80000000 : 0));
        const Words zero = word(0), exponent_bits = word(0x7F800000), without_sign = word(0x7FFFFFFF);
        a = hn::IfThenZeroElse(hn::Eq(hn::And(a, exponent_bits), zero), a);
        const auto flushed = hn::And(hn::Eq(hn::And(b, exponent_bits), zero), hn::Eq(word(work.flush_b), word(1)));
        b = hn::IfThenZeroElse(flushed, b);

        const auto swap = hn::Lt(as_integers(hn::And(a, without_sign)), as_integers(hn::And(b, without_sign)));
        const Words large = as_words(hn::IfThenElse(swap, as_integers(b), as_integers(a)));
        const Words small = as_words(hn::IfThenElse(swap, as_integers(a), as_integers(b)));
        auto exponent_of = [&](Words x) HWY_ATTR { return as_integers(hn::And(hn::ShiftRight<23>(x), word(255))); };
        auto mantissa_of = [&](Words x) HWY_ATTR {
            const Words all = hn::Or(hn::And(hn::ShiftRight<13>(x), word(1023)), word(1024));
            return as_integers(hn::IfThenZeroElse(hn::Eq(x, word(0)), all));
        };
        const Integers exponent = exponent_of(large);
        const Integers aligned = rounded_shift(mantissa_of(small), hn::Sub(exponent, exponent_of(small)));
        const Integers opposite = hn::BroadcastSignBit(as_integers(hn::Xor(large, small)));
        const Integers sum = hn::Add(mantissa_of(large), hn::Sub(hn::Xor(aligned, opposite), opposite));
        const Integers sign = hn::BroadcastSignBit(as_integers(large));
        return {hn::IfThenElse(hn::Eq(exponent, integer(0)), integer(work.sum_zero_exponent),
                               hn::Add(exponent, integer(work.sum_exponent))),
                hn::ShiftLeft<13>(hn::Sub(hn::Xor(sum, sign), sign))};
    }

    /// +0 of SrcA minus -0 of SrcB is negative, since -0 counts as 1.0 with exponent 0.
    HWY_INLINE UnsignedShift align(Words a, Words b) const {
        const ElementwiseWork& work = work_;
        b = hn::Xor(hn::And(b, word(work.b_keep)), word(work.subtract ? 0x80000000 : 0));
        const auto zero_a = hn::Eq(hn::And(hn::And(a, word(work.a_keep)), word(0x7F800000)), word(0));
        const auto minus_zero_b = hn::Eq(b, word(0x80000000));
        const auto unflushed = hn::Eq(word(work.flush_b), word(0));
        return {hn::IfThenElseZero(hn::And(unflushed, hn::And(zero_a, minus_zero_b)), word(~0u))};
    }

private:
    const ElementwiseWork& work_;
};

/// ELWMUL.
class Product {
public:
    static constexpr bool may_vanish = false;  // products without a positive exponent are zeros

    explicit HWY_INLINE Product(const ElementwiseWork& work)
        : operands_(work),
          a_slice_(31u << work.phase.a_shift, work.phase.a_shift),
          b_slice_(static_cast<unsigned>(work.phase.b_mask) << work.phase.b_shift,
                   work.phase.b_shift - work.phase.b_left),
          b_zero_(integer(work.flush_b ? 0 : -1)),
          more_exponent_(integer(work.phase.exponent)),
          zero_exponent_(integer(work.phase.zero_exponent)) {}

    HWY_INLINE WideTerm term(Words a, Words b) const {
        a = operands_.a(a);
        b = operands_.b(b);
        const Integers a_exponent = exponent_of(a), b_exponent = exponent_of(b);
        const Integers exponent = hn::Add(hn::Add(a_exponent, b_exponent), more_exponent_);
        const auto nothing =
            hn::Or(hn::Lt(exponent, integer(1)), hn::Or(hn::Eq(a_exponent, integer(0)), hn::Eq(b_exponent, b_zero_)));
        const hn::Repartition<std::int16_t, Columns> halves;
        const Integers product = hn::BitCast(
            SignedColumns(), hn::Mul(hn::BitCast(halves, a_slice_.of(a)), hn::BitCast(halves, b_slice_.of(b))));
        const Integers sign = hn::BroadcastSignBit(as_integers(hn::Xor(a, b)));
        return {hn::IfThenElse(nothing, zero_exponent_, exponent),
                hn::IfThenZeroElse(nothing, hn::ShiftLeft<16>(hn::Sub(hn::Xor(product, sign), sign)))};
    }
    HWY_INLINE RoundedShift align(Words, Words) const { return {}; }

    static HWY_INLINE Integers whole(const ElementwiseWork& work, Words a, Words b) {
        return hn::Mul(integer_operand(a, work.a_keep, true), integer_operand(b, work.b_keep, work.flush_b));
    }

private:
    // Some of a mantissa's 11 bits, shifted right: fewer than 16 bits.
    struct Slice {
        HWY_INLINE Slice(unsigned bits, int right)
            : hidden(word((bits & 1024) << 13 >> (13 + right))),
              mantissa(word((bits & 1023) << 13 >> (13 + right))),
              shift(word(static_cast<std::uint32_t>(13 + right))) {}
        HWY_INLINE Words of(Words x) const { return hn::OrAnd(hidden, x >> shift, mantissa); }

        Words hidden, mantissa, shift;
    };

    Operands operands_;
    Slice a_slice_, b_slice_;
    Integers b_zero_, more_exponent_, zero_exponent_;
};

// The rows of both banks that take part.
class SrcRows {
public:
    HWY_INLINE SrcRows(const ElementwiseWork& work, const state::State& state)
        : a_(state.bank(state::Src::a, work.a_bank).datums.data()),
          b_(state.bank(state::Src::b, work.b_bank).datums.data()),
          a_row_(work.a_row),
          b_row_(work.b_row),
          b_step_(work.b_same_row ? 0 : 1),
          b_column0_(work.b_column0) {}

    // One of these rows.
    class Row {
    public:
        HWY_INLINE Row(const SrcRows& in, unsigned row)
            : a_(at(in.a_, in.a_row_ + row)), b_(at(in.b_, in.b_row_ + row * in.b_step_)), b_column0_(in.b_column0_) {}
        HWY_INLINE Words a(unsigned column) const { return hn::LoadU(Columns(), a_ + column); }
        HWY_INLINE Words b(unsigned column) const { return b_column0_ ? word(*b_) : hn::LoadU(Columns(), b_ + column); }

    private:
        const std::uint32_t *a_, *b_;
        bool b_column0_;
    };
    HWY_INLINE Row operator[](unsigned row) const { return Row(*this, row); }

private:
    static HWY_INLINE const std::uint32_t* at(const std::uint32_t* bank, unsigned row) {
        return bank + row % state::SrcBank::rows * columns;
    }
    const std::uint32_t *a_, *b_;
    unsigned a_row_, b_row_, b_step_;
    bool b_column0_;
};

// Calls f(physical row of Dst, validity, column, SrcA's datums, SrcB's) for the whole block, then marks its rows.
template <class F>
HWY_INLINE void for_each_part(const ElementwiseWork& work, state::State& state, const BlockRows& rows, F&& f) {
    const SrcRows in(work, state);
    for (unsigned i = 0; i < BlockRows::most; ++i) {
        const auto row = in[i];
        for (unsigned c = 0; c < columns; c += hn::Lanes(Columns())) f(rows[i], rows.valid(i), c, row.a(c), row.b(c));
    }
    rows.mark_written();
}

template <class Operation, DstForm Form, bool Accumulate, bool Miscounts>
void in_floats_nearest(const ElementwiseWork& work, state::State& state) {
    const BlockRows rows(state.dst, work.map, work.dst_row);  // vectors do not outlive its call
    const Operation operation(work);
    const Nearest<Form, Operation::may_vanish, Miscounts> nearest;
    for_each_part(work, state, rows, [&](unsigned row, bool valid, unsigned c, Words a, Words b) HWY_ATTR {
        const WideTerm terms[] = {operation.term(a, b)};
        Words result;
        if constexpr (Accumulate)
            result = nearest.template accumulated<0>(terms, load_dst<Form>(ReadableRow(state.dst, row, valid), c));
        else
            result = nearest.rounded(terms[0]);
        store_dst<Form>(state.dst, row, c, result);
    });
}
template <class Operation, DstForm Form, bool Accumulate>
void in_floats(const ElementwiseWork& work, state::State& state) {
    work.renormalise_bug ? in_floats_nearest<Operation, Form, Accumulate, true>(work, state)
                         : in_floats_nearest<Operation, Form, Accumulate, false>(work, state);
}

HWY_INLINE Term plain(const WideTerm& x) { return {x.exponent, hn::ShiftRight<3>(x.mantissa)}; }
HWY_INLINE Term plain(const Term& x) { return x; }

// Rare cases: zero exponents that count, and random numbers.
template <class Operation, DstForm Form, class Rounding = NearestRow>
void in_floats_seldom(const ElementwiseWork& work, state::State& state) {
    const BlockRows rows(state.dst, work.map, work.dst_row);
    const Integers bug = integer(work.renormalise_bug ? 27 : 0);
    std::uint32_t random = state[state::cells::matrix_random];
    std::optional<Rounding> rounding;
    const Operation operation(work);
    for_each_part(work, state, rows, [&](unsigned row, bool valid, unsigned c, Words a, Words b) HWY_ATTR {
        if (c == 0) rounding.emplace(random);
        const ReadableRow old(state.dst, row, work.accumulate && valid);
        const Term terms[] = {plain(operation.term(a, b))};
        store_dst<Form>(state.dst, row, c,
                        accumulate<Form>(terms, load_dst<Form>(old, c), bug, rounding->at(c), operation.align(a, b)));
    });
    if (work.stochastic) state.write(state::cells::matrix_random, random);
}

// Rows `first_row` to `end` in lanes of 16 bits.
HWY_NOINLINE void multiply_halves_onto_bf16(const ElementwiseWork& work, state::State& state, const BlockRows& rows,
                                            unsigned first_row, unsigned end) {
    const Columns d;
    const ProductOntoBf16 product(work);
    const SrcRows in(work, state);
    for (unsigned i = first_row; i < end; i += 2) {
        const auto in_first = in[i], in_second = in[i + 1];
        const ReadableRow first(state.dst, rows[i], rows.valid(i)), second(state.dst, rows[i + 1], rows.valid(i + 1));
        const TwoPlaces to(state.dst, rows[i], rows[i + 1]);
        for (unsigned c = 0; c < columns; c += hn::Lanes(d)) {
            const Words old = load_halves(second.high + c, first.high + c);
            store_halves(product.sum(in_first.a(c), in_second.a(c), in_first.b(c), in_second.b(c), old), to.high[1] + c,
                         to.high[0] + c);
        }
    }
}
// For zero exponents in SrcB that count.
void multiply_onto_bf16_seldom(const ElementwiseWork& work, state::State& state) {
    const BlockRows rows(state.dst, work.map, work.dst_row);
    multiply_halves_onto_bf16(work, state, rows, 0, BlockRows::most);
    rows.mark_written();
}

template <bool Whole>
void multiply_floats_onto_bf16(const ElementwiseWork& work, state::State& state) {
    using Multiplier = FloatProductOntoBf16<Whole>;
    const BlockRows rows(state.dst, work.map, work.dst_row);  // vectors do not outlive its call
    const Multiplier product(work);
    const SrcRows in(work, state);
    for (unsigned i = 0; i < BlockRows::most; i += Multiplier::rows) {
        Words a[Multiplier::part], b[Multiplier::part], dst[Multiplier::part];
        HWY_UNROLL(2)
        for (unsigned r = 0; r < Multiplier::rows; r += 2) {
            const TwoRows old =
                load_two_rows<DstForm::bf16>(ReadableRow(state.dst, rows[i + r], rows.valid(i + r)),
                                             ReadableRow(state.dst, rows[i + r + 1], rows.valid(i + r + 1)));
            HWY_UNROLL(2)
            for (unsigned j = 0; j < 2; ++j) {
                const auto row = in[i + r + j];
                HWY_UNROLL(4)
                for (unsigned v = 0; v < row_vectors; ++v) {
                    const unsigned p = (r + j) * row_vectors + v;
                    a[p] = row.a(v * hn::Lanes(Columns()));
                    b[p] = row.b(v * hn::Lanes(Columns()));
                    dst[p] = old.row[j][v];
                }
            }
        }
        if (HWY_UNLIKELY(!product.add(a, b, dst))) {
            multiply_halves_onto_bf16(work, state, rows, i, i + Multiplier::rows);
            continue;
        }
        HWY_UNROLL(2)
        for (unsigned r = 0; r < Multiplier::rows; r += 2) {
            TwoRows sums;
            HWY_UNROLL(8)
            for (unsigned p = 0; p < 2 * row_vectors; ++p)
                sums.row[p / row_vectors][p % row_vectors] = dst[r * row_vectors + p];
            store_two_rows<DstForm::bf16>(TwoPlaces(state.dst, rows[i + r], rows[i + r + 1]), sums);
        }
    }
    rows.mark_written();
}
void multiply_onto_bf16(const ElementwiseWork& work, state::State& state) {
    work.phase.number ? multiply_floats_onto_bf16<false>(work, state) : multiply_floats_onto_bf16<true>(work, state);
}

template <class Operation>
void in_integers(const ElementwiseWork& work, state::State& state) {
    const BlockRows rows(state.dst, work.map, work.dst_row);
    for_each_part(work, state, rows, [&](unsigned row, bool valid, unsigned c, Words a, Words b) HWY_ATTR {
        const ReadableRow readable(state.dst, row, work.accumulate && valid);
        const Integers old = integers_of(load_dst<DstForm::wide>(readable, c));
        const Integers sum = saturated_sum(old, Operation::whole(work, a, b));
        store_dst<DstForm::wide>(state.dst, row, c, sign_magnitude_of(sum));
    });
}

template <DstForm Form>
ElementwiseWork::Loop sum_of(bool accumulate, bool flush_b, bool stochastic) {
    if (stochastic) return in_floats_seldom<UnflushedSum, Form, RandomRow>;
    if (!flush_b) return in_floats_seldom<UnflushedSum, Form>;
    return accumulate ? in_floats<Sum, Form, true> : in_floats<Sum, Form, false>;
}
template <DstForm Form>
ElementwiseWork::Loop product_of(bool flush_b, bool stochastic) {
    if (stochastic) return in_floats_seldom<Product, Form, RandomRow>;
    if constexpr (Form == DstForm::bf16) return flush_b ? multiply_onto_bf16 : multiply_onto_bf16_seldom;
    return in_floats<Product, Form, true>;
}

ElementwiseWork::Loop loop_of(const ElementwiseKind& kind) {
    if (kind.integers) return kind.product ? in_integers<Product> : in_integers<Sum>;
    if (kind.product)
        return kind.wide_dst        ? product_of<DstForm::wide>(kind.flush_b, kind.stochastic)
               : kind.wide_exponent ? product_of<DstForm::bf16>(kind.flush_b, kind.stochastic)
                                    : product_of<DstForm::fp16>(kind.flush_b, kind.stochastic);
    return kind.wide_dst        ? sum_of<DstForm::wide>(kind.accumulate, kind.flush_b, kind.stochastic)
           : kind.wide_exponent ? sum_of<DstForm::bf16>(kind.accumulate, kind.flush_b, kind.stochastic)
                                : sum_of<DstForm::fp16>(kind.accumulate, kind.flush_b, kind.stochastic);
}

}  // namespace

}  // namespace tessera::units::matrix::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tessera::units::matrix {

namespace {

TESSERA_VERSIONS(loop_of);

}  // namespace

plan::ElementwiseWork::Loop elementwise_loop(const ElementwiseKind& kind) {
    return TESSERA_BEST_VERSION(loop_of)(kind);
}

}  // namespace tessera::units::matrix

namespace tessera::plan {

void run(const ElementwiseWork& work, state::State& state) { work.loop(work, state); }

void footprint(const ElementwiseWork& work, Footprint& out) {
    out.read_rows(Storage::src_a, work.a_bank, work.a_row, 8);
    if (work.b_column0)
        for (unsigned i = 0; i < (work.b_same_row ? 1u : 8u); ++i)
            out.read(Storage::src_b, (work.b_bank * state::SrcBank::rows + (work.b_row + i) % 64) * state::columns, 1);
    else
        out.read_rows(Storage::src_b, work.b_bank, work.b_row, work.b_same_row ? 1u : 8u);
    out.change_rows(work.map, work.dst_row, 8, 1, work.accumulate);
    if (work.stochastic) {
        out.read(state::cells::matrix_random);
        out.write(state::cells::matrix_random);
    }
}

void explain(const ElementwiseWork& work, Lines& lines) {
    lines.emplace_back("SrcA",
                       fmt::format("bank {} {}", work.a_bank, util::range_text("rows", work.a_row, work.a_row + 7)));
    lines.emplace_back("SrcB", fmt::format("bank {} row{} {}{}", work.b_bank, work.b_same_row ? "" : "s from",
                                           work.b_row, work.b_column0 ? ", column 0" : ""));
    lines.emplace_back("Dst",
                       fmt::format("{} ({}-bit view), {}", util::range_text("rows", work.dst_row, work.dst_row + 7),
                                   work.map.wide ? 32 : 16, work.accumulate ? "added to" : "replaced"));
    lines.emplace_back("fidelity phase", fmt::format("{}", work.phase.number));
    if (work.stochastic) lines.emplace_back("rounding", "stochastic");
}

}  // namespace tessera::plan

#endif  // HWY_ONCE
