// SPDX-License-Identifier: Apache-2.0
// Lanes of 16 bits: a lane of 32 bits is a column, and its halves are two numbers of that column. Included once per
// target.
#if defined(TESSERA_UNITS_MATRIX_SHORT_LANES_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_UNITS_MATRIX_SHORT_LANES_INL_HPP_
#undef TESSERA_UNITS_MATRIX_SHORT_LANES_INL_HPP_
#else
#define TESSERA_UNITS_MATRIX_SHORT_LANES_INL_HPP_
#endif

#include "units/matrix/loops/halves-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera::units::matrix::HWY_NAMESPACE {

using Halves = hn::Repartition<std::int16_t, Columns>;
using Shorts = hn::Vec<Halves>;

HWY_INLINE Shorts shorts(int x) { return hn::Set(Halves(), static_cast<std::int16_t>(x)); }
HWY_INLINE Shorts as_shorts(Words x) { return hn::BitCast(Halves(), x); }
HWY_INLINE Words as_words(Shorts x) { return hn::BitCast(Columns(), x); }

/// The lower half of `low`, the upper half of `high`.
HWY_INLINE Words halves(Words low, Words high) { return chosen_bits(word(0xFFFF0000), high, low); }

/// 2^(13 - (largest - exponent)), or 0 if that is below 1. As a factor of MulFixedPoint15() it aligns four times a
/// number to the largest exponent, to nearest with ties up. Exponents must be at least 15.
HWY_INLINE Shorts scale(Shorts largest, Shorts exponent) {
    const hn::RebindToUnsigned<Halves> d;
#if HWY_TARGET <= HWY_AVX3
    return hn::BitCast(Halves(), hn::Set(d, 8192) >> hn::BitCast(d, hn::Sub(largest, exponent)));
#else
    // A byte of the result is looked up per half; an index with its highest bit set gives 0.
    const hn::Repartition<std::uint8_t, Halves> bytes;
    HWY_ALIGN static constexpr std::uint8_t powers[16] = {1, 2, 4, 8, 16, 32, 64, 128};
    const auto near = hn::SaturatedSub(hn::BitCast(d, exponent), hn::BitCast(d, hn::Sub(largest, shorts(15))));
    const auto index = hn::Sub(hn::Mul(near, hn::Set(d, 0x101)), hn::Set(d, 0x0A02));
    return hn::BitCast(Halves(), hn::TableLookupBytesOr0(hn::LoadDup128(bytes, powers), hn::BitCast(bytes, index)));
#endif
}

}  // namespace tessera::units::matrix::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TESSERA_UNITS_MATRIX_SHORT_LANES_INL_HPP_
