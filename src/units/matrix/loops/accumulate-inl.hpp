// SPDX-License-Identifier: Apache-2.0
// The matrix unit's common last stage for whole rows: adds terms to Dst (docs/internals/numerics.md 3). Included once
// per target.
#if defined(TESSERA_UNITS_MATRIX_ACCUMULATE_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_UNITS_MATRIX_ACCUMULATE_INL_HPP_
#undef TESSERA_UNITS_MATRIX_ACCUMULATE_INL_HPP_
#else
#define TESSERA_UNITS_MATRIX_ACCUMULATE_INL_HPP_
#endif

#include "units/matrix/loops/dst_rows-inl.hpp"
#include "util/shift_register.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera::units::matrix::HWY_NAMESPACE {

/// A sum of products before it is added to Dst: exponent, and signed mantissa (2^23 is 1.0).
struct Term {
    Integers exponent, mantissa;
};

/// x / 2^shift, rounded to nearest, ties up. For negative x that is towards zero, as required.
HWY_INLINE Integers rounded_shift(Integers x, Integers shift) {
    const Integers s = hn::Min(shift, integer(31));
    const Words half = hn::ShiftRight<1>(word(1) << as_words(s));
    return hn::Add(x, as_integers(half)) >> s;
}

/// The same for a magnitude of up to 32 bits, ties away from zero.
HWY_INLINE Words rounded_shift(Words x, Integers shift) {
    const Words s = as_words(hn::Min(shift, integer(31)));
    return hn::Add(x, hn::ShiftRight<1>(word(1) << s)) >> s;
}

/// Rounds to the 11 significant bits that 16-bit Dst keeps.
HWY_INLINE Integers cut_to_11_bits(Integers x) { return hn::AndNot(integer(8191), hn::Add(x, integer(4096))); }

struct RoundedShift {
    HWY_INLINE Integers operator()(Integers x, Integers shift) const { return rounded_shift(x, shift); }
};

/// Rounds a magnitude to `shift` fewer bits, 0 to 31, for Dst.
struct NearestMagnitude {
    HWY_INLINE Words operator()(Words x, Integers shift) const { return rounded_shift(x, shift); }
};

/// Rounds up if the dropped bits are not less than as many random bits (spec-notes E56).
struct RandomMagnitude {
    HWY_INLINE Words operator()(Words x, Integers shift) const {
        const Words s = as_words(shift);
        const Words dropped = hn::And(x, hn::Sub(word(1) << s, word(1)));
        const Words limit = hn::ShiftRight<1>(random) >> as_words(hn::Sub(integer(31), shift));
        const auto down = hn::Or(hn::Gt(as_integers(limit), as_integers(dropped)), hn::Eq(shift, integer(0)));
        return hn::Add(x >> s, as_words(hn::IfThenZeroElse(down, integer(1))));
    }
    Words random;
};

/// The random numbers for a row of Dst.
class RandomRow {
public:
    explicit RandomRow(std::uint32_t& generator) {
        for (std::uint32_t& x : numbers_) x = generator = next_random(generator);
    }
    HWY_INLINE RandomMagnitude at(unsigned column) const { return {hn::Load(Columns(), numbers_ + column)}; }

private:
    HWY_ALIGN std::uint32_t numbers_[state::columns];
};

/// The same interface without random numbers.
struct NearestRow {
    explicit NearestRow(std::uint32_t&) {}
    HWY_INLINE NearestMagnitude at(unsigned) const { return {}; }
};

/// Adds the terms to `d`, Dst's old value as FP32 fields, and rounds as Dst does; the result is in the same form.
/// `renormalise_bug` is added to the exponent of a sum of exactly -1 unit (Wormhole's leading-sign miscount). `align`
/// shifts terms to the largest exponent. `round` rounds the result's magnitude to Dst's bits.
template <DstForm Form, std::size_t Terms, class Round, class Align = RoundedShift>
HWY_INLINE Words accumulate(const Term (&terms)[Terms], Words d, Integers renormalise_bug, Round round,
                            Align align = {}) {
    constexpr bool acc32 = Form == DstForm::wide;
    constexpr int drop = Form == DstForm::wide ? 0 : Form == DstForm::bf16 ? 16 : 13;
    const Integers zero = integer(0);

    const Integers d_exponent = as_integers(hn::And(hn::ShiftRight<23>(d), word(255)));
    Integers exponent = d_exponent;
    for (const Term& t : terms) exponent = hn::Max(exponent, t.exponent);
    const auto nothing = hn::Lt(exponent, integer(1));

    Integers d_mantissa = as_integers(hn::Or(hn::And(d, word(0x7FFFFF)), word(1 << 23)));
    d_mantissa = hn::IfThenElse(hn::Eq(d_exponent, zero), zero, d_mantissa);
    d_mantissa = rounded_shift(d_mantissa, hn::Sub(exponent, d_exponent));
    if constexpr (!acc32) d_mantissa = cut_to_11_bits(d_mantissa);
    const Integers d_sign = hn::BroadcastSignBit(as_integers(d));
    Integers sum = hn::Sub(hn::Xor(d_mantissa, d_sign), d_sign);
    for (const Term& t : terms) {
        Integers x = align(t.mantissa, hn::Sub(exponent, t.exponent));
        if constexpr (!acc32) x = cut_to_11_bits(x);
        sum = hn::Add(sum, x);
    }

    // Finds the leading one by a conversion to float that cannot round up to the next power of two.
    const Integers magnitude = hn::Abs(sum);
    const Integers leading = hn::AndNot(hn::ShiftRight<1>(magnitude), magnitude);
    const FloatColumns floats;
    const Integers place =
        hn::Sub(hn::ShiftRight<23>(hn::BitCast(SignedColumns(), hn::ConvertTo(floats, leading))), integer(127));

    exponent = hn::Sub(hn::Add(exponent, place), integer(23));
    if constexpr (acc32) exponent = hn::Add(exponent, hn::IfThenElseZero(hn::Eq(sum, integer(-1)), renormalise_bug));

    // Rounds to 24 - drop bits.
    const Integers right = hn::Sub(place, integer(23 - drop));
    Words kept = as_words(magnitude);
    if constexpr (acc32) kept = kept << as_words(hn::Max(hn::Sub(zero, right), zero));
    kept = round(kept, hn::Max(right, zero));
    Words result = hn::Add(as_words(hn::ShiftLeft<23>(hn::Sub(exponent, integer(1)))), hn::ShiftLeft<drop>(kept));
    exponent = hn::Add(exponent, as_integers(hn::ShiftRight<24 - drop>(kept)));

    constexpr int limit = Form == DstForm::fp16 ? 32 : 255;
    constexpr std::uint32_t largest = Form == DstForm::fp16 ? 31u << 23 | 0x3FFu << 13 : 0x7F800000;
    result =
        as_words(hn::IfThenElse(hn::Gt(exponent, integer(limit - 1)), as_integers(word(largest)), as_integers(result)));
    result = hn::Or(result, hn::And(as_words(sum), word(0x80000000)));
    const auto vanishes = hn::Or(nothing, hn::Or(hn::Lt(exponent, integer(1)), hn::Eq(sum, zero)));
    return as_words(hn::IfThenZeroElse(vanishes, as_integers(result)));
}

}  // namespace tessera::units::matrix::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TESSERA_UNITS_MATRIX_ACCUMULATE_INL_HPP_
