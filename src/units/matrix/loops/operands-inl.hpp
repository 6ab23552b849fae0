// SPDX-License-Identifier: Apache-2.0
// Used bits of operands, and integer operands, for whole rows. Included once per target.
#if defined(TESSERA_UNITS_MATRIX_OPERANDS_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_UNITS_MATRIX_OPERANDS_INL_HPP_
#undef TESSERA_UNITS_MATRIX_OPERANDS_INL_HPP_
#else
#define TESSERA_UNITS_MATRIX_OPERANDS_INL_HPP_
#endif

#include "units/matrix/loops/dst_rows-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera::units::matrix::HWY_NAMESPACE {

/// Keeps the bits of `keep`. With `flush`, a datum with exponent 0 becomes 0.
class WhatCounts {
public:
    HWY_INLINE WhatCounts(std::uint32_t keep, bool flush) : keep_(word(keep)), zero_(word(flush ? 0 : 1)) {}
    HWY_INLINE Words of(Words x) const {
        return hn::And(hn::IfThenZeroElse(hn::Eq(hn::And(x, word(0x7F800000)), zero_), x), keep_);
    }

private:
    Words keep_;
    Words zero_;  // compared with the exponent; 1 never matches
};

/// An integer "8": sign and magnitude in the place of a mantissa. `keep`: used bits. With `flush`, zero if its
/// exponent is 0.
HWY_INLINE Integers integer_operand(Words x, std::uint32_t keep, bool flush) {
    const auto zero = hn::And(hn::Eq(hn::And(x, word(0x7F800000)), word(0)), hn::Eq(word(flush), word(1)));
    const Integers magnitude = as_integers(hn::And(hn::ShiftRight<13>(hn::And(x, word(keep))), word(1023)));
    const Integers sign = hn::BroadcastSignBit(as_integers(x));
    return as_integers(hn::IfThenZeroElse(zero, as_words(hn::Sub(hn::Xor(magnitude, sign), sign))));
}

}  // namespace tessera::units::matrix::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TESSERA_UNITS_MATRIX_OPERANDS_INL_HPP_
