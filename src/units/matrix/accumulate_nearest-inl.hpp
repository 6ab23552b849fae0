// SPDX-License-Identifier: Apache-2.0
// The matrix unit's common last stage (docs/numerics.md 3) where nothing is random: what accumulate-inl.hpp says, in fewer
// steps. Included once per target.
#if defined(TESSERA_UNITS_MATRIX_ACCUMULATE_NEAREST_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_UNITS_MATRIX_ACCUMULATE_NEAREST_INL_HPP_
#undef TESSERA_UNITS_MATRIX_ACCUMULATE_NEAREST_INL_HPP_
#else
#define TESSERA_UNITS_MATRIX_ACCUMULATE_NEAREST_INL_HPP_
#endif

#include "units/matrix/dst_rows-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera::units::matrix::HWY_NAMESPACE {

/// A sum of products on its way into Dst: its exponent, and its mantissa with the sign, 2^24 worth 1.0. The lowest bit is 0:
/// it is there to be rounded with.
struct DoubledTerm {
    Integers exponent, mantissa;
};

/// Half of `x` to nearest (of a tie, up), and in 16-bit Dst again to the 11 bits that it lets through; doubled.
template <DstForm Form>
HWY_INLINE Integers rounded_half(Integers x) {
    if constexpr (Form == DstForm::wide) return hn::AndNot(integer(1), hn::Add(x, integer(1)));
    return hn::AndNot(integer(16383), hn::Add(x, integer(8193)));
}

/// Dst's old value, FP32 fields, as a term. A negative mantissa lacks one unit, so that its tie is taken away from zero.
struct OldTerm {
    HWY_INLINE explicit OldTerm(Words d) {
        exponent = as_integers(hn::And(hn::ShiftRight<23>(d), word(255)));
        const Words magnitude = hn::OrAnd(word(1 << 24), hn::ShiftLeft<1>(d), word(0xFFFFFE));
        const Integers signed_one = hn::Xor(as_integers(magnitude), hn::BroadcastSignBit(as_integers(d)));
        mantissa = hn::IfThenZeroElse(hn::Eq(exponent, integer(0)), signed_one);
    }
    /// As rounded_half() of a term. In 16-bit Dst the mantissa is too short to be rounded by the first rounding.
    template <DstForm Form>
    HWY_INLINE Integers aligned(Integers shift) const {
        const Integers x = shifted_down(mantissa, shift);
        if constexpr (Form == DstForm::wide) return rounded_half<Form>(x);
        return hn::AndNot(integer(16383), hn::Add(x, integer(8192)));
    }
    Integers exponent, mantissa;
};

/// `sum`, doubled as terms are, of `exponent`, rounded as Dst takes it: FP32 fields. Nothing if `exponent` is not positive.
/// `renormalise_bug` is what Wormhole's leading-sign miscount adds to the exponent of a sum of exactly -1 unit.
template <DstForm Form>
HWY_INLINE Words rounded_for_dst(Integers sum, Integers exponent, Integers renormalise_bug) {
    const hn::RebindToFloat<SignedColumns> floats;
    constexpr int bias = 127 + 24;
    Integers scale = hn::Sub(exponent, integer(bias));
    Words result;
    if constexpr (Form == DstForm::wide) {
        // A conversion takes a tie to even; one unit more makes it more than a tie. Below 2^25 nothing is dropped.
        const Integers magnitude = hn::Abs(sum);
        const Integers beyond =
            hn::Add(magnitude, hn::IfThenElseZero(hn::Gt(magnitude, integer((1 << 25) - 1)), integer(1)));
        result = hn::BitCast(Columns(), hn::ConvertTo(floats, beyond));
        scale = hn::Add(scale, hn::IfThenElseZero(hn::Eq(sum, integer(-2)), renormalise_bug));
    } else {
        constexpr std::uint32_t half = Form == DstForm::bf16 ? 1 << 15 : 1 << 12;
        result = hn::Add(hn::BitCast(Columns(), hn::ConvertTo(floats, sum)), word(half));
    }
    Integers place = as_integers(hn::ShiftRight<23>(result));
    if constexpr (Form != DstForm::wide) place = hn::And(place, integer(255));
    const Integers final_exponent = hn::Add(place, scale);

    result = hn::Add(result, as_words(hn::ShiftLeft<23>(scale)));
    constexpr int limit = Form == DstForm::fp16 ? 32 : 255;
    constexpr std::uint32_t largest = Form == DstForm::fp16 ? 31u << 23 | 0x3FFu << 13 : 0x7F800000;
    result = as_words(
        hn::IfThenElse(hn::Gt(final_exponent, integer(limit - 1)), as_integers(word(largest)), as_integers(result)));
    result = hn::OrAnd(result, as_words(sum), word(0x80000000));
    // The float of 0 has no place.
    const Integers least = hn::Min(hn::Min(place, exponent), final_exponent);
    return as_words(hn::IfThenElseZero(hn::Gt(least, integer(0)), as_integers(result)));
}

/// The terms plus `d`, rounded as Dst takes it. All exponents but d's are too large by `offset`, so that none is negative.
template <DstForm Form, std::size_t Terms>
HWY_INLINE Words accumulate_nearest(const DoubledTerm (&terms)[Terms], Words d, Integers offset,
                                    Integers renormalise_bug) {
    const OldTerm old(d);
    const Integers old_exponent = hn::Add(old.exponent, offset);
    Integers exponent = old_exponent;
    for (const DoubledTerm& t : terms) exponent = hn::Max(exponent, t.exponent);
    Integers sum = old.aligned<Form>(hn::Sub(exponent, old_exponent));
    for (const DoubledTerm& t : terms)
        sum = hn::Add(sum, rounded_half<Form>(shifted_down(t.mantissa, hn::Sub(exponent, t.exponent))));
    return rounded_for_dst<Form>(sum, hn::Sub(exponent, offset), renormalise_bug);
}

}  // namespace tessera::units::matrix::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TESSERA_UNITS_MATRIX_ACCUMULATE_NEAREST_INL_HPP_
