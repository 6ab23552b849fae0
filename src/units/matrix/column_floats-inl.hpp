// SPDX-License-Identifier: Apache-2.0
// Columns as floats of the host, and which exponents its arithmetic may meet to do what Dst's does (docs/numerics.md 3). Included once per
// target.
#if defined(TESSERA_UNITS_MATRIX_COLUMN_FLOATS_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_UNITS_MATRIX_COLUMN_FLOATS_INL_HPP_
#undef TESSERA_UNITS_MATRIX_COLUMN_FLOATS_INL_HPP_
#else
#define TESSERA_UNITS_MATRIX_COLUMN_FLOATS_INL_HPP_
#endif

#include <cstddef>

#include "units/matrix/halves-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera::units::matrix::HWY_NAMESPACE {

using Floats = hn::Vec<FloatColumns>;

HWY_INLINE Floats as_floats(Words x) { return hn::BitCast(FloatColumns(), x); }
HWY_INLINE Words bits_of(Floats x) { return hn::BitCast(Columns(), x); }
HWY_INLINE Floats real(float x) { return hn::Set(FloatColumns(), x); }
/// In its place, as the float that is two to it.
HWY_INLINE Words exponent_of(Words x) { return hn::And(x, word(0x7F800000)); }

/// Which exponents products have, and what they are added to: no sum but 0 then has an exponent of 0 or less, and no float ends.
inline constexpr int least_float_exponent = 26, most_float_exponent = 220;

/// Whether these, in their places, are among them, or 0.
template <std::size_t N>
HWY_INLINE bool are_float_exponents(const Words (&exponents)[N]) {
    Words most = exponents[0], least = hn::Sub(most, word(1));
    HWY_UNROLL(8)
    for (std::size_t i = 1; i < N; ++i) {
        most = hn::Max(most, exponents[i]);
        least = hn::Min(least, hn::Sub(exponents[i], word(1)));  // of 0, more than of any
    }
    return hn::AllFalse(Columns(), hn::Or(hn::Gt(most, word(most_float_exponent << 23)),
                                          hn::Gt(word((least_float_exponent << 23) - 1), least)));
}

}  // namespace tessera::units::matrix::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TESSERA_UNITS_MATRIX_COLUMN_FLOATS_INL_HPP_
