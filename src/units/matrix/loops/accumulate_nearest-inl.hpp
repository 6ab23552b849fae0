// SPDX-License-Identifier: Apache-2.0
// The common last stage (docs/internals/numerics.md 3) without random rounding: the same results as
// accumulate-inl.hpp in fewer steps. Included once per target.
#if defined(TESSERA_UNITS_MATRIX_ACCUMULATE_NEAREST_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_UNITS_MATRIX_ACCUMULATE_NEAREST_INL_HPP_
#undef TESSERA_UNITS_MATRIX_ACCUMULATE_NEAREST_INL_HPP_
#else
#define TESSERA_UNITS_MATRIX_ACCUMULATE_NEAREST_INL_HPP_
#endif

#include "units/matrix/loops/dst_rows-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera::units::matrix::HWY_NAMESPACE {

/// A sum of products before it is added to Dst: exponent, and signed mantissa (2^26 is 1.0).
struct WideTerm {
    static constexpr int one = 26;
    Integers exponent, mantissa;
};

/// `x` / 2 rounded to nearest, ties up; for 16-bit Dst then rounded to 11 bits. Returned doubled.
template <DstForm Form>
HWY_INLINE Integers rounded_half(Integers x) {
    if constexpr (Form == DstForm::wide) return hn::AndNot(integer(1), hn::Add(x, integer(1)));
    return hn::AndNot(integer(16383), hn::Add(x, integer(8193)));
}

/// Aligns and rounds the terms for Dst. `MayVanish`: a term may have a mantissa although its exponent is not
/// positive. `Miscounts`: Wormhole's leading-sign count adds 27 to the exponent of a sum of exactly -1 unit (32-bit
/// Dst).
template <DstForm Form, bool MayVanish, bool Miscounts>
class Nearest {
public:
    /// A single term. Only the last rounding can drop bits of it.
    HWY_INLINE Words rounded(const WideTerm& term) const {
        const Words exact = hn::BitCast(Columns(), hn::ConvertTo(FloatColumns(), magnitude_or_signed(term.mantissa)));
        return finished<WideTerm::one>(term.mantissa, exact, term.exponent);
    }

    /// Adds the terms to `d`, Dst's old value as FP32 fields; the result is in the same form. The terms' exponents
    /// are raised by `Offset`, a multiple of 256, so that none is negative.
    template <int Offset, std::size_t Terms>
    HWY_INLINE Words accumulated(const WideTerm (&terms)[Terms], Words d) const {
        static_assert(Offset % 256 == 0);
        const OldTerm old(d, Offset);
        Integers exponent = old.exponent;
        for (const WideTerm& t : terms) exponent = hn::Max(exponent, t.exponent);
        // Two more bits are dropped than the exponents say; the rest is doubled.
        constexpr int doubled = 24;
        exponent = hn::Add(exponent, integer(WideTerm::one - doubled));
        Integers sum = old.aligned(hn::Sub(exponent, old.exponent));
        for (const WideTerm& t : terms)
            sum = hn::Add(sum, rounded_half<Form>(shifted_down(t.mantissa, hn::Sub(exponent, t.exponent))));
        return finished<doubled, Offset + WideTerm::one - doubled>(sum, to_float(sum), exponent);
    }

private:
    // Dst's old value. A negative mantissa is one unit smaller, so its ties round away from zero.
    struct OldTerm {
        HWY_INLINE OldTerm(Words d, int offset) {
            exponent =
                as_integers(hn::OrAnd(word(static_cast<std::uint32_t>(offset)), hn::ShiftRight<23>(d), word(255)));
            const Words magnitude = hn::OrAnd(word(1 << WideTerm::one), hn::ShiftLeft<3>(d), word(0x3FFFFF8));
            const auto is_number = hn::Ne(as_integers(hn::And(d, word(0x7F800000))), integer(0));
            const Integers sign = hn::BroadcastSignBit(as_integers(d));
            mantissa = hn::IfThenElseZero(is_number, hn::Xor(as_integers(magnitude), sign));
        }
        // Rounds like rounded_half(). For 16-bit Dst the mantissa is too short for the first rounding to matter.
        HWY_INLINE Integers aligned(Integers shift) const {
            const Integers x = shifted_down(mantissa, shift);
            if constexpr (Form == DstForm::wide) return rounded_half<Form>(x);
            return hn::AndNot(integer(16383), hn::Add(x, integer(8192)));
        }
        Integers exponent, mantissa;
    };

    static HWY_INLINE Integers magnitude_or_signed(Integers x) {
        if constexpr (Form == DstForm::wide) return hn::Abs(x);
        return x;
    }
    // The conversion rounds ties to even. One more unit makes a tie round up. Below 2^25 nothing is dropped.
    static HWY_INLINE Words to_float(Integers sum) {
        Integers x = magnitude_or_signed(sum);
        if constexpr (Form == DstForm::wide)
            x = hn::IfThenElse(hn::Gt(x, integer((1 << 25) - 1)), hn::Add(x, integer(1)), x);
        return hn::BitCast(Columns(), hn::ConvertTo(FloatColumns(), x));
    }

    // `converted` is `sum`, or for 32-bit Dst its magnitude, as a float; 2^One is 1.0. The exponent is raised by
    // `Offset`.
    template <int One, int Offset = 0>
    HWY_INLINE Words finished(Integers sum, Words converted, Integers exponent) const {
        constexpr int bias = 127 + One + Offset;
        if constexpr (Form != DstForm::wide)
            converted = hn::Add(converted, word(Form == DstForm::bf16 ? 1 << 15 : 1 << 12));
        Integers place = as_integers(hn::ShiftRight<23>(converted));
        if constexpr (Form != DstForm::wide) place = hn::And(place, integer(255));
        Integers more = integer(-bias);
        if constexpr (Miscounts && Form == DstForm::wide) {
            constexpr int unit = 1 << (One - 23);
            more = hn::IfThenElse(hn::Eq(sum, integer(-unit)), integer(27 - bias), more);
        }
        const Integers scale = hn::Add(exponent, more);
        const Integers final_exponent = hn::Add(place, scale);

        Words result = hn::Add(converted, as_words(hn::ShiftLeft<23>(scale)));
        constexpr int limit = Form == DstForm::fp16 ? 32 : 255;
        constexpr std::uint32_t largest = Form == DstForm::fp16 ? 31u << 23 | 0x3FFu << 13 : 0x7F800000;
        result = as_words(hn::IfThenElse(hn::Gt(final_exponent, integer(limit - 1)), as_integers(word(largest)),
                                         as_integers(result)));
        result = hn::OrAnd(result, as_words(sum), word(0x80000000));
        // The float of 0 has no leading one.
        Integers least = hn::Min(place, final_exponent);
        if constexpr (MayVanish) least = hn::Min(least, hn::Sub(exponent, integer(Offset)));
        return as_words(hn::IfThenElseZero(hn::Gt(least, integer(0)), as_integers(result)));
    }
};

}  // namespace tessera::units::matrix::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TESSERA_UNITS_MATRIX_ACCUMULATE_NEAREST_INL_HPP_
