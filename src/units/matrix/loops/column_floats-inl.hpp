// SPDX-License-Identifier: Apache-2.0
// Columns as floats of the host, and which exponents its arithmetic may meet to do what Dst's does (numerics.md 3). Included once per
// target.
#if defined(TESSERA_UNITS_MATRIX_COLUMN_FLOATS_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_UNITS_MATRIX_COLUMN_FLOATS_INL_HPP_
#undef TESSERA_UNITS_MATRIX_COLUMN_FLOATS_INL_HPP_
#else
#define TESSERA_UNITS_MATRIX_COLUMN_FLOATS_INL_HPP_
#endif

#include <cstddef>

#include "units/matrix/loops/float_constants.hpp"
#include "units/matrix/loops/halves-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera::units::matrix::HWY_NAMESPACE {

using Floats = hn::Vec<FloatColumns>;

// Only there are they operands in memory of what computes.
#if HWY_TARGET == HWY_AVX3
inline constexpr const FloatConstants& constants = float_constants;
#else
inline constexpr FloatConstants constants;
#endif

HWY_INLINE Floats as_floats(Words x) { return hn::BitCast(FloatColumns(), x); }
HWY_INLINE Words bits_of(Floats x) { return hn::BitCast(Columns(), x); }
HWY_INLINE Floats real(float x) { return hn::Set(FloatColumns(), x); }
/// In its place, as the float that is two to it.
HWY_INLINE Words exponent_of(Words x) { return hn::And(x, word(constants.exponent)); }

/// Whether these, in their places, are among them, or 0.
template <std::size_t N>
HWY_INLINE bool are_float_exponents(const Words (&exponents)[N]) {
    Words most = exponents[0], least = hn::Sub(most, word(constants.one));
    HWY_UNROLL(8)
    for (std::size_t i = 1; i < N; ++i) {
        most = hn::Max(most, exponents[i]);
        least = hn::Min(least, hn::Sub(exponents[i], word(constants.one)));  // of 0, more than of any
    }
    return hn::AllFalse(Columns(),
                        hn::Or(hn::Gt(most, word(constants.most)), hn::Gt(word(constants.before_least), least)));
}

}  // namespace tessera::units::matrix::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TESSERA_UNITS_MATRIX_COLUMN_FLOATS_INL_HPP_
