// SPDX-License-Identifier: Apache-2.0
// ELWMUL onto BF16 of the 16-bit view (numerics.md 1, 3, 4) for values that floats cannot handle, two rows at once.
// Operands, products and Dst's datums fit in 16 bits, and aligned terms have 11 used bits. Included once per target.
#if defined(TESSERA_UNITS_MATRIX_PRODUCT_ONTO_BF16_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_UNITS_MATRIX_PRODUCT_ONTO_BF16_INL_HPP_
#undef TESSERA_UNITS_MATRIX_PRODUCT_ONTO_BF16_INL_HPP_
#else
#define TESSERA_UNITS_MATRIX_PRODUCT_ONTO_BF16_INL_HPP_
#endif

#include "units/matrix/loops/multiply_operands-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera::units::matrix::HWY_NAMESPACE {

class ProductOntoBf16 {
public:
    explicit HWY_INLINE ProductOntoBf16(const plan::ElementwiseWork& work)
        : a_({31u << work.phase.a_shift, work.phase.a_shift, 10, work.a_keep, true, 0}),
          b_({static_cast<unsigned>(work.phase.b_mask) << work.phase.b_shift, work.phase.b_shift,
              8u + work.phase.b_left, work.b_keep, work.flush_b, 0}),
          more_exponent_(shorts(offset + work.phase.exponent)),
          zero_exponent_(shorts(offset + work.phase.zero_exponent)) {}

    /// The new values of two rows of Dst; the first row is in the lower halves of words.
    HWY_INLINE Words sum(Words a_first, Words a_second, Words b_first, Words b_second, Words dst) const {
        const Factor a(a_, a_first, a_second), b(b_, b_first, b_second);
        const Shorts exponent = hn::Add(hn::Add(a.exponent, b.exponent), more_exponent_);
        const auto nothing = hn::Or(hn::Or(a.zero, b.zero), hn::Lt(exponent, shorts(offset + 1)));
        const Shorts opposite = hn::BroadcastSignBit(hn::Xor(a.upper, b.upper));
        const Shorts product = hn::Sub(hn::Xor(hn::MulHigh(a.mantissa, b.mantissa), opposite), opposite);
        return sum(hn::IfThenElse(nothing, zero_exponent_, exponent), hn::IfThenZeroElse(nothing, product),
                   as_shorts(dst));
    }

private:
    // Exponents are raised by this, so that none is below 15.
    static constexpr int offset = 1024;

    struct Constants {
        HWY_INLINE Constants(const Slice& how)
            : mantissa(shorts(static_cast<std::int16_t>(how.mantissa))),
              hidden(shorts(static_cast<std::int16_t>(how.hidden))),
              exponent(shorts(static_cast<std::int16_t>(how.exponent))),
              zero(shorts(how.zero)),
              shift(word(static_cast<std::uint32_t>(how.shift))),
              rest(word(static_cast<std::uint32_t>(16 - how.shift))) {}
        Shorts mantissa, hidden, exponent, zero;
        Words shift, rest;
    };
    struct Factor {
        HWY_INLINE Factor(const Constants& how, Words first, Words second)
            : upper(as_shorts(halves(hn::ShiftRight<16>(first), second))),
              exponent(hn::And(hn::ShiftRight<7>(upper), how.exponent)),
              mantissa(hn::OrAnd(how.hidden, as_shorts(halves(first >> how.shift, second << how.rest)), how.mantissa)),
              zero(hn::Eq(exponent, how.zero)) {}
        Shorts upper, exponent, mantissa;
        hn::Mask<Halves> zero;
    };

    // In a product 2^12 is 1.0, and Dst's mantissa is brought to the same scale.
    static HWY_INLINE Words sum(Shorts exponent, Shorts product, Shorts old) {
        const Shorts old_field = hn::And(hn::ShiftRight<7>(old), shorts(255));
        const Shorts magnitude = hn::OrAnd(shorts(1 << 12), hn::ShiftLeft<5>(old), shorts(127 << 5));
        const Shorts old_mantissa = hn::IfThenZeroElse(hn::Eq(old_field, shorts(0)), magnitude);
        const Shorts old_exponent = hn::Add(old_field, shorts(offset));
        const Shorts largest = hn::Max(exponent, old_exponent);
        // Ties: the product rounds up, the old value away from zero.
        const Shorts aligned = hn::MulFixedPoint15(product, scale(largest, exponent));
        const Shorts old_aligned = hn::MulFixedPoint15(old_mantissa, scale(largest, old_exponent));
        const Shorts sign = hn::BroadcastSignBit(old);
        const Shorts total = hn::Add(aligned, hn::Sub(hn::Xor(old_aligned, sign), sign));
        return as_words(finished(total, largest));
    }

    static HWY_INLINE Shorts finished(Shorts total, Shorts exponent) {
        const FloatColumns floats;
        const auto bf16_of = [&](Words x) HWY_ATTR {
            return hn::Add(hn::BitCast(Columns(), hn::ConvertTo(floats, as_integers(x))), word(1 << 15));
        };
        const Words first = bf16_of(hn::ShiftLeft<16>(as_words(total))),
                    second = bf16_of(hn::And(as_words(total), word(0xFFFF0000)));
        const Shorts converted = as_shorts(halves(hn::ShiftRight<16>(first), second));

        constexpr int one = 26;  // in the upper half of a word, 2^10 is 2^26
        const Shorts place = hn::And(hn::ShiftRight<7>(converted), shorts(255));
        const Shorts more = hn::Sub(exponent, shorts(offset + 127 + one));
        const Shorts final_exponent = hn::Add(place, more);
        Shorts result = hn::Add(converted, hn::ShiftLeft<7>(more));
        const Shorts infinity = hn::OrAnd(shorts(0x7F80), total, shorts(-0x8000));
        result = hn::IfThenElse(hn::Gt(final_exponent, shorts(254)), infinity, result);
        // The float of 0 has no leading one.
        return hn::IfThenElseZero(hn::Gt(hn::Min(place, final_exponent), shorts(0)), result);
    }

    Constants a_, b_;
    Shorts more_exponent_, zero_exponent_;
};

}  // namespace tessera::units::matrix::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TESSERA_UNITS_MATRIX_PRODUCT_ONTO_BF16_INL_HPP_
