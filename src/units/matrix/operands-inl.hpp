// SPDX-License-Identifier: Apache-2.0
// Operands of the multipliers: the slices of a datum that a fidelity phase uses, columns side by side. Included once per
// target.
#if defined(TESSERA_UNITS_MATRIX_OPERANDS_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_UNITS_MATRIX_OPERANDS_INL_HPP_
#undef TESSERA_UNITS_MATRIX_OPERANDS_INL_HPP_
#else
#define TESSERA_UNITS_MATRIX_OPERANDS_INL_HPP_
#endif

#include "plan/work.hpp"
#include "units/matrix/dst_rows-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera::units::matrix::HWY_NAMESPACE {

/// The exponent of an operand that is zero: far below every other, and twice it still fits 16 bits.
constexpr std::int32_t zero_exponent = -8192;

/// A slice with its sign and the exponent of its datum, per lane of 32 bits.
struct Slices {
    Integers exponent, mantissa;
};

/// SrcA: five bits of its eleven; zero when its exponent is.
HWY_INLINE Slices slices_of_a(Words x, const plan::FidelityPhase& phase) {
    const Integers exponent = as_integers(hn::And(hn::ShiftRight<23>(x), word(255)));
    const Words all = hn::Or(hn::And(hn::ShiftRight<13>(x), word(1023)), word(1024));
    const Integers mantissa = as_integers(hn::And(hn::ShiftRightSame(all, phase.a_shift), word(31)));
    const auto zero = hn::Eq(exponent, integer(0));
    const Integers sign = hn::BroadcastSignBit(as_integers(x));
    return {hn::IfThenElse(zero, integer(zero_exponent), hn::Add(exponent, integer(phase.exponent))),
            hn::IfThenZeroElse(zero, hn::Sub(hn::Xor(mantissa, sign), sign))};
}

/// SrcB: up to seven bits of its eleven; `flush` tells whether a zero exponent makes it zero.
HWY_INLINE Slices slices_of_b(Words x, const plan::FidelityPhase& phase, bool flush) {
    const Integers exponent = as_integers(hn::And(hn::ShiftRight<23>(x), word(255)));
    const Words all = hn::Or(hn::And(hn::ShiftRight<13>(x), word(1023)), word(1024));
    const Integers mantissa = as_integers(
        hn::ShiftLeftSame(hn::And(hn::ShiftRightSame(all, phase.b_shift), word(phase.b_mask)), phase.b_left));
    const auto zero = hn::And(hn::Eq(exponent, integer(0)), hn::Eq(integer(flush), integer(1)));
    const Integers sign = hn::BroadcastSignBit(as_integers(x));
    return {hn::IfThenElse(zero, integer(zero_exponent), exponent),
            hn::IfThenZeroElse(zero, hn::Sub(hn::Xor(mantissa, sign), sign))};
}

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
