// SPDX-License-Identifier: Apache-2.0
// Columns as vectors of 32-bit words, and their halves as rows of 16 bits: the parts that need intrinsics. Included
// once per target.
#if defined(TESSERA_UNITS_MATRIX_HALVES_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_UNITS_MATRIX_HALVES_INL_HPP_
#undef TESSERA_UNITS_MATRIX_HALVES_INL_HPP_
#else
#define TESSERA_UNITS_MATRIX_HALVES_INL_HPP_
#endif

#include <hwy/highway.h>

#include "state/memories.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera::units::matrix::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// A vector of 32-bit columns, at most one row.
using Columns = hn::CappedTag<std::uint32_t, state::columns>;
using SignedColumns = hn::RebindToSigned<Columns>;
using FloatColumns = hn::RebindToFloat<Columns>;
using HalfColumns = hn::Rebind<std::uint16_t, Columns>;
using Words = hn::Vec<Columns>;
using Integers = hn::Vec<SignedColumns>;

HWY_INLINE Words word(std::uint32_t x) { return hn::Set(Columns(), x); }
HWY_INLINE Integers integer(std::int32_t x) { return hn::Set(SignedColumns(), x); }
HWY_INLINE Integers as_integers(Words x) { return hn::BitCast(SignedColumns(), x); }
HWY_INLINE Words as_words(Integers x) { return hn::BitCast(Columns(), x); }

/// The bits of `mask` from `yes`, the others from `no`.
HWY_INLINE Words chosen_bits(Words mask, Words yes, Words no) {
#if HWY_TARGET <= HWY_AVX3
    return hn::IfVecThenElse(mask, yes, no);
#else
    return hn::Or(hn::And(mask, yes), hn::AndNot(mask, no));
#endif
}

/// Floats to integers, towards zero. Each must be in the integers' range.
HWY_INLINE Integers truncated(hn::Vec<FloatColumns> x) {
#if HWY_TARGET == HWY_AVX3
    return Integers{_mm512_cvttps_epi32(x.raw)};
#elif HWY_TARGET == HWY_AVX2
    return Integers{_mm256_cvttps_epi32(x.raw)};
#else
    return hn::ConvertTo(SignedColumns(), x);
#endif
}
/// The same, rounded down.
HWY_INLINE Integers rounded_down(hn::Vec<FloatColumns> x) {
#if HWY_TARGET == HWY_AVX3
    return Integers{_mm512_cvt_roundps_epi32(x.raw, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC)};
#else
    return truncated(hn::Floor(x));
#endif
}

#if HWY_TARGET == HWY_AVX3

/// The upper halves, then the lower ones.
HWY_INLINE __m512i apart(Words x) {
    HWY_ALIGN static constexpr std::uint16_t order[32] = {1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31,
                                                          0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30};
    return _mm512_permutexvar_epi16(_mm512_load_si512(order), x.raw);
}
/// Words of two halves each, or of upper halves and zeros.
HWY_INLINE Words load_halves(const std::uint16_t* upper, const std::uint16_t* lower) {
    HWY_ALIGN static constexpr std::uint16_t order[32] = {0, 16, 1, 17, 2,  18, 3,  19, 4,  20, 5,  21, 6,  22, 7,  23,
                                                          8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31};
    const __m512i both =
        _mm512_inserti64x4(_mm512_castsi256_si512(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(lower))),
                           _mm256_loadu_si256(reinterpret_cast<const __m256i*>(upper)), 1);
    return Words{_mm512_permutexvar_epi16(_mm512_load_si512(order), both)};
}
HWY_INLINE Words load_upper_halves(const std::uint16_t* upper) {
    HWY_ALIGN static constexpr std::uint16_t order[32] = {0, 0, 0, 1, 0, 2,  0, 3,  0, 4,  0, 5,  0, 6,  0, 7,
                                                          0, 8, 0, 9, 0, 10, 0, 11, 0, 12, 0, 13, 0, 14, 0, 15};
    const __m512i x = _mm512_castsi256_si512(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(upper)));
    return Words{_mm512_maskz_permutexvar_epi16(0xAAAAAAAA, _mm512_load_si512(order), x)};
}
HWY_INLINE void store_upper_halves(Words x, std::uint16_t* upper) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(upper), _mm512_castsi512_si256(apart(x)));
}
HWY_INLINE void store_halves(Words x, std::uint16_t* upper, std::uint16_t* lower) {
    const __m512i both = apart(x);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(upper), _mm512_castsi512_si256(both));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(lower), _mm512_extracti64x4_epi64(both, 1));
}

#else

HWY_INLINE Words load_upper_halves(const std::uint16_t* upper) {
    return hn::ShiftLeft<16>(hn::PromoteTo(Columns(), hn::LoadU(HalfColumns(), upper)));
}
HWY_INLINE Words load_halves(const std::uint16_t* upper, const std::uint16_t* lower) {
    return hn::Or(load_upper_halves(upper), hn::PromoteTo(Columns(), hn::LoadU(HalfColumns(), lower)));
}
HWY_INLINE void store_upper_halves(Words x, std::uint16_t* upper) {
    const HalfColumns half;
    hn::StoreU(hn::DemoteTo(half, as_integers(hn::ShiftRight<16>(x))), half, upper);
}
HWY_INLINE void store_halves(Words x, std::uint16_t* upper, std::uint16_t* lower) {
    const HalfColumns half;
    store_upper_halves(x, upper);
    hn::StoreU(hn::DemoteTo(half, as_integers(hn::And(x, word(0xFFFF)))), half, lower);
}

#endif

}  // namespace tessera::units::matrix::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TESSERA_UNITS_MATRIX_HALVES_INL_HPP_
