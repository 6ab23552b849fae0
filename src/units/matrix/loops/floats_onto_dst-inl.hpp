// SPDX-License-Identifier: Apache-2.0
// Adds MVMUL's sums to Dst (numerics.md 3) with floats of the host. For medium exponents their rounding and
// normalisation equal Dst's. Included once per target.
#if defined(TESSERA_UNITS_MATRIX_FLOATS_ONTO_DST_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_UNITS_MATRIX_FLOATS_ONTO_DST_INL_HPP_
#undef TESSERA_UNITS_MATRIX_FLOATS_ONTO_DST_INL_HPP_
#else
#define TESSERA_UNITS_MATRIX_FLOATS_ONTO_DST_INL_HPP_
#endif

#include "units/matrix/loops/multiply_floats-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera::units::matrix::HWY_NAMESPACE {

/// Adds both groups to Dst's old values, of 32 bits or BF16.
template <DstForm Form, bool Miscounts>
class FloatsOntoDst {
public:
    /// Dst's datums become the sums.
    HWY_INLINE void add(const FloatGroups (&groups)[part], Words (&dst)[part]) const {
        Floats common[part];
        HWY_UNROLL(4)
        for (unsigned i = 0; i < part; ++i) {
            const Words units = hn::Add(exponent_of(dst[i]), word(constants.units));
            common[i] = hn::Max(groups[i].units, as_floats(units));
        }
        if constexpr (Form == DstForm::wide)
            onto_wide(groups, common, dst);
        else
            onto_bf16(groups, common, dst);
    }
    /// Whether add() can take these: zeros, and exponents in range.
    HWY_INLINE bool can_be_old(const Words (&dst)[part]) const {
        Words exponents[part];
        HWY_UNROLL(4)
        for (unsigned i = 0; i < part; ++i) exponents[i] = exponent_of(dst[i]);
        return are_float_exponents(exponents);
    }

private:
    // Rounds a group twice: to 2^-13 of the common unit, then to the unit. An excess of 2^-14 makes that equal to
    // rounding once.
    static HWY_INLINE void onto_bf16(const FloatGroups (&groups)[part], const Floats (&common)[part],
                                     Words (&dst)[part]) {
        Floats sum[part];
        HWY_UNROLL(4)
        for (unsigned i = 0; i < part; ++i) {
            // A tiny excess, so that ties round away from zero.
            const auto number = hn::Ne(exponent_of(dst[i]), word(0));
            sum[i] = hn::Add(as_floats(hn::IfThenElseZero(number, hn::Or(dst[i], word(1 << 11)))), common[i]);
        }
        HWY_UNROLL(2)
        for (unsigned half = 0; half < 2; ++half) {
            HWY_UNROLL(4)
            for (unsigned i = 0; i < part; ++i)
                sum[i] = hn::Add(sum[i], hn::MulAdd(common[i], real(0x1p-37f / 1.5f), groups[i].sums[half]));
        }
        HWY_UNROLL(4)
        for (unsigned i = 0; i < part; ++i) dst[i] = hn::Add(bits_of(hn::Sub(sum[i], common[i])), word(1 << 15));
    }

    // In units of 32-bit Dst all values are integers; `common` is 1.5 * 2^36 units.
    static HWY_INLINE void onto_wide(const FloatGroups (&groups)[part], const Floats (&common)[part],
                                     Words (&dst)[part]) {
        const FloatColumns d;
        Integers sum[part];
        Floats in_units[part];
        HWY_UNROLL(4)
        for (unsigned i = 0; i < part; ++i) {
            // 1 in units.
            in_units[i] = as_floats(hn::Sub(word(constants.in_units), bits_of(common[i])));
            // Adding the float below 0.5 rounds non-integers as 0.5 would, and leaves integers alone.
            const Words half = hn::OrAnd(word(constants.below_half), dst[i], word(constants.sign));
            sum[i] = truncated(hn::MulAdd(as_floats(dst[i]), in_units[i], as_floats(half)));
        }
        HWY_UNROLL(2)
        for (unsigned half = 0; half < 2; ++half) {
            HWY_UNROLL(4)
            for (unsigned i = 0; i < part; ++i)
                sum[i] = hn::Add(sum[i],
                                 rounded_down(hn::MulAdd(groups[i].sums[half], in_units[i], real(constants.rounding))));
        }
        Integers twice[part];
        HWY_UNROLL(4)
        for (unsigned i = 0; i < part; ++i) {
            // The conversion rounds ties to even; half a unit more makes a tie round up. Below 2^24 nothing is
            // dropped.
            twice[i] = hn::Abs(hn::Add(sum[i], sum[i]));
            twice[i] = hn::IfThenElse(hn::Gt(twice[i], as_integers(word(constants.twice_below))),
                                      hn::Add(twice[i], as_integers(word(constants.one))), twice[i]);
        }
        HWY_UNROLL(4)
        for (unsigned i = 0; i < part; ++i) {
            const Words half_unit = hn::Sub(bits_of(common[i]), word(constants.half_unit));
            Floats result = hn::Mul(hn::ConvertTo(d, twice[i]), as_floats(half_unit));
            if constexpr (Miscounts) {
                const auto minus_one = hn::MaskFromVec(hn::BitCast(d, hn::VecFromMask(hn::Eq(sum[i], integer(-1)))));
                result = hn::IfThenElse(minus_one, hn::Mul(result, real(1 << 27)), result);
            }
            dst[i] = hn::OrAnd(bits_of(result), as_words(sum[i]), word(constants.sign));
        }
    }
};

}  // namespace tessera::units::matrix::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TESSERA_UNITS_MATRIX_FLOATS_ONTO_DST_INL_HPP_
