// SPDX-License-Identifier: Apache-2.0
// Columns as floats of the host, and the range of exponents in which the host's arithmetic gives Dst's results
// (numerics.md 3). Included once per target.
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

// Only on this target can arithmetic instructions take these constants as memory operands.
#if HWY_TARGET == HWY_AVX3
inline constexpr const FloatConstants& constants = float_constants;
#else
inline constexpr FloatConstants constants;
#endif

HWY_INLINE Floats as_floats(Words x) { return hn::BitCast(FloatColumns(), x); }
HWY_INLINE Words bits_of(Floats x) { return hn::BitCast(Columns(), x); }
HWY_INLINE Floats real(float x) { return hn::Set(FloatColumns(), x); }
/// The exponent field in place: the float 2^exponent.
HWY_INLINE Words exponent_of(Words x) { return hn::And(x, word(constants.exponent)); }

/// Whether all exponents, in place, are in that range or 0.
template <std::size_t N>
HWY_INLINE bool are_float_exponents(const Words (&exponents)[N]) {
    Words most = exponents[0], least = hn::Sub(most, word(constants.one));
    HWY_UNROLL(8)
    for (std::size_t i = 1; i < N; ++i) {
        most = hn::Max(most, exponents[i]);
        least = hn::Min(least, hn::Sub(exponents[i], word(constants.one)));  // wraps for 0 and so exceeds all others
    }
    return hn::AllFalse(Columns(),
                        hn::Or(hn::Gt(most, word(constants.most)), hn::Gt(word(constants.before_least), least)));
}

}  // namespace tessera::units::matrix::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TESSERA_UNITS_MATRIX_COLUMN_FLOATS_INL_HPP_
