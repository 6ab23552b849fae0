// SPDX-License-Identifier: Apache-2.0
// ELWADD, ELWSUB, ELWMUL (docs/numerics.md 1, 3 to 5), columns side by side.
#include "units/matrix/elementwise_loops.hpp"

#include <fmt/format.h>

#include <optional>

#include "state/state.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "units/matrix/elementwise_loops.cpp"
#include <hwy/foreach_target.h>

#include "units/matrix/accumulate-inl.hpp"
#include "units/matrix/operands-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera::units::matrix::HWY_NAMESPACE {

namespace {

using plan::ElementwiseWork;
using state::columns;

/// ELWADD, ELWSUB: what is added to Dst.
struct Sum {
    static HWY_INLINE RoundedShift align(const ElementwiseWork&, Words, Words) { return {}; }

    static HWY_INLINE Term term(const ElementwiseWork& work, Words a, Words b) {
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
    static HWY_INLINE Integers whole(const ElementwiseWork& work, Words a, Words b) {
        b = hn::Xor(b, word(work.subtract ? 0x80000000 : 0));
        return hn::Add(integer_operand(a, work.a_keep, true), integer_operand(b, work.b_keep, work.flush_b));
    }
};

/// Where the difference of two mantissas is negative, it is a number of 32 bits without sign (spec-notes E55).
struct UnsignedShift {
    HWY_INLINE Integers operator()(Integers x, Integers shift) const {
        const auto wraps =
            hn::And(as_integers(below_zero), as_integers(word(1) << as_words(hn::Sub(integer(32), shift))));
        const auto in_range = hn::And(hn::Gt(shift, integer(0)), hn::Lt(shift, integer(24)));
        return hn::Add(rounded_shift(x, shift), hn::IfThenElseZero(in_range, wraps));
    }
    Words below_zero;  ///< mask of the columns where it is
};

/// The same where SrcB's zero exponents may not be flushed: SrcA's +0 less SrcB's -0, which counts as 1.0 of exponent 0.
struct UnflushedSum : Sum {
    static HWY_INLINE UnsignedShift align(const ElementwiseWork& work, Words a, Words b) {
        b = hn::Xor(hn::And(b, word(work.b_keep)), word(work.subtract ? 0x80000000 : 0));
        const auto zero_a = hn::Eq(hn::And(hn::And(a, word(work.a_keep)), word(0x7F800000)), word(0));
        const auto minus_zero_b = hn::Eq(b, word(0x80000000));
        const auto unflushed = hn::Eq(word(work.flush_b), word(0));
        return {hn::IfThenElseZero(hn::And(unflushed, hn::And(zero_a, minus_zero_b)), word(~0u))};
    }
};

/// ELWMUL.
struct Product {
    static HWY_INLINE RoundedShift align(const ElementwiseWork&, Words, Words) { return {}; }

    static HWY_INLINE Term term(const ElementwiseWork& work, Words a, Words b) {
        const Slices x = slices_of_a(hn::And(a, word(work.a_keep)), work.phase);
        const Slices y = slices_of_b(hn::And(b, word(work.b_keep)), work.phase, work.flush_b);
        const Integers exponent = hn::Add(x.exponent, y.exponent);
        const auto nothing = hn::Lt(exponent, integer(1));
        return {hn::IfThenElse(nothing, integer(work.phase.zero_exponent), exponent),
                hn::IfThenZeroElse(nothing, hn::ShiftLeft<13>(hn::Mul(x.mantissa, y.mantissa)))};
    }
    static HWY_INLINE Integers whole(const ElementwiseWork& work, Words a, Words b) {
        return hn::Mul(integer_operand(a, work.a_keep, true), integer_operand(b, work.b_keep, work.flush_b));
    }
};

// Calls f(physical row of Dst, column, SrcA's datums, SrcB's) for all of the block, then marks its rows.
template <class F>
HWY_INLINE void for_each_part(const ElementwiseWork& work, state::State& state, F&& f) {
    const Columns d;
    const auto& a_bank = state.bank(state::Src::a, work.a_bank);
    const auto& b_bank = state.bank(state::Src::b, work.b_bank);
    for (unsigned i = 0; i < 8; ++i) {
        const std::uint32_t* a = &a_bank.datums[(work.a_row + i) % state::SrcBank::rows * columns];
        const std::uint32_t* b =
            &b_bank.datums[(work.b_row + (work.b_same_row ? 0 : i)) % state::SrcBank::rows * columns];
        const unsigned row = work.map.row(work.dst_row + i);
        for (unsigned c = 0; c < columns; c += hn::Lanes(d))
            f(row, c, hn::LoadU(d, a + c), work.b_column0 ? word(*b) : hn::LoadU(d, b + c));
        mark_written(state.dst, row, work.map.wide);
    }
}

template <class Operation, DstForm Form, class Rounding = NearestRow>
void in_floats(const ElementwiseWork& work, state::State& state) {
    const Integers bug = integer(work.renormalise_bug ? 27 : 0);
    std::uint32_t random = state[state::cells::matrix_random];
    std::optional<Rounding> rounding;
    for_each_part(work, state, [&](unsigned row, unsigned c, Words a, Words b) HWY_ATTR {
        if (c == 0) rounding.emplace(random);
        const Words valid = word(work.accumulate && state.dst.valid[row] ? ~0u : 0u);
        const Term terms[] = {Operation::term(work, a, b)};
        store_dst<Form>(state.dst, row, c,
                        accumulate<Form>(terms, load_dst<Form>(state.dst, row, c, valid), bug, rounding->at(c),
                                         Operation::align(work, a, b)));
    });
    if (work.stochastic) state.write(state::cells::matrix_random, random);
}

template <class Operation>
void in_integers(const ElementwiseWork& work, state::State& state) {
    for_each_part(work, state, [&](unsigned row, unsigned c, Words a, Words b) HWY_ATTR {
        const Words valid = word(work.accumulate && state.dst.valid[row] ? ~0u : 0u);
        const Integers old = integers_of(load_dst<DstForm::wide>(state.dst, row, c, valid));
        const Integers sum = saturated_sum(old, Operation::whole(work, a, b));
        store_dst<DstForm::wide>(state.dst, row, c, sign_magnitude_of(sum));
    });
}

void add_wide(const ElementwiseWork& work, state::State& state) { in_floats<Sum, DstForm::wide>(work, state); }
void add_bf16(const ElementwiseWork& work, state::State& state) { in_floats<Sum, DstForm::bf16>(work, state); }
void add_fp16(const ElementwiseWork& work, state::State& state) { in_floats<Sum, DstForm::fp16>(work, state); }
void add_wide_unflushed(const ElementwiseWork& work, state::State& state) {
    in_floats<UnflushedSum, DstForm::wide>(work, state);
}
void add_bf16_unflushed(const ElementwiseWork& work, state::State& state) {
    in_floats<UnflushedSum, DstForm::bf16>(work, state);
}
void add_fp16_unflushed(const ElementwiseWork& work, state::State& state) {
    in_floats<UnflushedSum, DstForm::fp16>(work, state);
}
void add_stochastic_wide(const ElementwiseWork& work, state::State& state) {
    in_floats<UnflushedSum, DstForm::wide, RandomRow>(work, state);
}
void add_stochastic_bf16(const ElementwiseWork& work, state::State& state) {
    in_floats<UnflushedSum, DstForm::bf16, RandomRow>(work, state);
}
void add_stochastic_fp16(const ElementwiseWork& work, state::State& state) {
    in_floats<UnflushedSum, DstForm::fp16, RandomRow>(work, state);
}
void multiply_stochastic_wide(const ElementwiseWork& work, state::State& state) {
    in_floats<Product, DstForm::wide, RandomRow>(work, state);
}
void multiply_stochastic_bf16(const ElementwiseWork& work, state::State& state) {
    in_floats<Product, DstForm::bf16, RandomRow>(work, state);
}
void multiply_stochastic_fp16(const ElementwiseWork& work, state::State& state) {
    in_floats<Product, DstForm::fp16, RandomRow>(work, state);
}
void add_integers(const ElementwiseWork& work, state::State& state) { in_integers<Sum>(work, state); }
void multiply_wide(const ElementwiseWork& work, state::State& state) { in_floats<Product, DstForm::wide>(work, state); }
void multiply_bf16(const ElementwiseWork& work, state::State& state) { in_floats<Product, DstForm::bf16>(work, state); }
void multiply_fp16(const ElementwiseWork& work, state::State& state) { in_floats<Product, DstForm::fp16>(work, state); }
void multiply_integers(const ElementwiseWork& work, state::State& state) { in_integers<Product>(work, state); }

}  // namespace

}  // namespace tessera::units::matrix::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tessera::units::matrix {

namespace {

using Work = plan::ElementwiseWork;

HWY_EXPORT(add_wide);
HWY_EXPORT(add_bf16);
HWY_EXPORT(add_fp16);
HWY_EXPORT(add_wide_unflushed);
HWY_EXPORT(add_bf16_unflushed);
HWY_EXPORT(add_fp16_unflushed);
HWY_EXPORT(add_integers);
HWY_EXPORT(multiply_wide);
HWY_EXPORT(multiply_bf16);
HWY_EXPORT(multiply_fp16);
HWY_EXPORT(multiply_integers);
HWY_EXPORT(add_stochastic_wide);
HWY_EXPORT(add_stochastic_bf16);
HWY_EXPORT(add_stochastic_fp16);
HWY_EXPORT(multiply_stochastic_wide);
HWY_EXPORT(multiply_stochastic_bf16);
HWY_EXPORT(multiply_stochastic_fp16);

plan::ElementwiseWork::Loop stochastic_loop(bool product, bool wide_dst, bool wide_exponent) {
    if (product) {
        if (wide_dst)
            return [](const Work& work, state::State& s) { HWY_DYNAMIC_DISPATCH(multiply_stochastic_wide)(work, s); };
        if (wide_exponent)
            return [](const Work& work, state::State& s) { HWY_DYNAMIC_DISPATCH(multiply_stochastic_bf16)(work, s); };
        return [](const Work& work, state::State& s) { HWY_DYNAMIC_DISPATCH(multiply_stochastic_fp16)(work, s); };
    }
    if (wide_dst) return [](const Work& work, state::State& s) { HWY_DYNAMIC_DISPATCH(add_stochastic_wide)(work, s); };
    if (wide_exponent)
        return [](const Work& work, state::State& s) { HWY_DYNAMIC_DISPATCH(add_stochastic_bf16)(work, s); };
    return [](const Work& work, state::State& s) { HWY_DYNAMIC_DISPATCH(add_stochastic_fp16)(work, s); };
}

}  // namespace

plan::ElementwiseWork::Loop elementwise_loop(bool product, bool integers, bool wide_dst, bool wide_exponent,
                                             bool flush_b, bool stochastic) {
    if (stochastic && !integers) return stochastic_loop(product, wide_dst, wide_exponent);
    if (product) {
        if (integers)
            return [](const Work& work, state::State& s) { HWY_DYNAMIC_DISPATCH(multiply_integers)(work, s); };
        if (wide_dst) return [](const Work& work, state::State& s) { HWY_DYNAMIC_DISPATCH(multiply_wide)(work, s); };
        if (wide_exponent)
            return [](const Work& work, state::State& s) { HWY_DYNAMIC_DISPATCH(multiply_bf16)(work, s); };
        return [](const Work& work, state::State& s) { HWY_DYNAMIC_DISPATCH(multiply_fp16)(work, s); };
    }
    if (integers) return [](const Work& work, state::State& s) { HWY_DYNAMIC_DISPATCH(add_integers)(work, s); };
    if (!flush_b) {
        if (wide_dst)
            return [](const Work& work, state::State& s) { HWY_DYNAMIC_DISPATCH(add_wide_unflushed)(work, s); };
        if (wide_exponent)
            return [](const Work& work, state::State& s) { HWY_DYNAMIC_DISPATCH(add_bf16_unflushed)(work, s); };
        return [](const Work& work, state::State& s) { HWY_DYNAMIC_DISPATCH(add_fp16_unflushed)(work, s); };
    }
    if (wide_dst) return [](const Work& work, state::State& s) { HWY_DYNAMIC_DISPATCH(add_wide)(work, s); };
    if (wide_exponent) return [](const Work& work, state::State& s) { HWY_DYNAMIC_DISPATCH(add_bf16)(work, s); };
    return [](const Work& work, state::State& s) { HWY_DYNAMIC_DISPATCH(add_fp16)(work, s); };
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
    lines.emplace_back("SrcA", fmt::format("bank {} rows {} to {}", work.a_bank, work.a_row, work.a_row + 7));
    lines.emplace_back("SrcB", fmt::format("bank {} row{} {}{}", work.b_bank, work.b_same_row ? "" : "s from",
                                           work.b_row, work.b_column0 ? ", column 0" : ""));
    lines.emplace_back("Dst", fmt::format("rows {} to {} ({}-bit view), {}", work.dst_row, work.dst_row + 7,
                                          work.map.wide ? 32 : 16, work.accumulate ? "added to" : "replaced"));
    lines.emplace_back("fidelity phase", fmt::format("{}", work.phase.number));
    if (work.stochastic) lines.emplace_back("rounding", "stochastic");
}

}  // namespace tessera::plan

#endif  // HWY_ONCE
