// SPDX-License-Identifier: Apache-2.0
// Integer operands, columns side by side. Included once per target.
#if defined(TESSERA_UNITS_MATRIX_OPERANDS_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_UNITS_MATRIX_OPERANDS_INL_HPP_
#undef TESSERA_UNITS_MATRIX_OPERANDS_INL_HPP_
#else
#define TESSERA_UNITS_MATRIX_OPERANDS_INL_HPP_
#endif

#include "units/matrix/dst_rows-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera::units::matrix::HWY_NAMESPACE {

/// An integer "8": sign and magnitude in the place of a mantissa; `keep` has the bits that take part. Zero when its
/// exponent is and `flush`.
HWY_INLINE Integers integer_operand(Words x, std::uint32_t keep, bool flush) {
    const auto zero = hn::And(hn::Eq(hn::And(x, word(0x7F800000)), word(0)), hn::Eq(word(flush), word(1)));
    const Integers magnitude = as_integers(hn::And(hn::ShiftRight<13>(hn::And(x, word(keep))), word(1023)));
    const Integers sign = hn::BroadcastSignBit(as_integers(x));
    return as_integers(hn::IfThenZeroElse(zero, as_words(hn::Sub(hn::Xor(magnitude, sign), sign))));
}

}  // namespace tessera::units::matrix::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TESSERA_UNITS_MATRIX_OPERANDS_INL_HPP_
