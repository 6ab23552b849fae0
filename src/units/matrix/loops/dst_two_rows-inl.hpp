// SPDX-License-Identifier: Apache-2.0
// Two rows of Dst as vectors of FP32 fields. Their low halves are processed together, a full vector at a time.
// Included once per target.
#if defined(TESSERA_UNITS_MATRIX_DST_TWO_ROWS_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_UNITS_MATRIX_DST_TWO_ROWS_INL_HPP_
#undef TESSERA_UNITS_MATRIX_DST_TWO_ROWS_INL_HPP_
#else
#define TESSERA_UNITS_MATRIX_DST_TWO_ROWS_INL_HPP_
#endif

#include "units/matrix/loops/dst_rows-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera::units::matrix::HWY_NAMESPACE {

/// Vectors per row.
inline constexpr unsigned row_vectors = state::columns / hn::MaxLanes(Columns());

/// FP32 fields, or BF16 in the upper halves.
struct TwoRows {
    Words row[2][row_vectors];
};

/// The places of two rows of Dst for a write. Rows with low halves must be adjacent.
struct TwoPlaces {
    HWY_INLINE TwoPlaces(state::Dst& dst, unsigned first, unsigned second)
        : high{&dst.datums[first * state::columns], &dst.datums[second * state::columns]},
          low{&dst.datums[plan::DstMap::low_half(first) * state::columns],
              &dst.datums[plan::DstMap::low_half(second) * state::columns]} {}
    HWY_INLINE TwoPlaces(std::uint16_t* high_half, std::uint16_t* low_half)
        : high{high_half, high_half + state::columns}, low{low_half, low_half + state::columns} {}
    std::uint16_t *high[2], *low[2];
};

/// A vector of 16-bit halves of one or two rows.
using RowHalves = hn::Repartition<std::uint16_t, Columns>;

/// The bits of `mask` from `yes`, the others from `no`.
HWY_INLINE hn::Vec<RowHalves> chosen_halves(std::uint16_t mask, hn::Vec<RowHalves> yes, hn::Vec<RowHalves> no) {
    const auto words = [](hn::Vec<RowHalves> v) HWY_ATTR { return hn::BitCast(Columns(), v); };
    return hn::BitCast(RowHalves(), chosen_bits(word(mask * 0x10001u), words(yes), words(no)));
}
/// Shifts right by that many bits; copies of bit 15 move in.
template <int Bits>
HWY_INLINE hn::Vec<RowHalves> shifted_right(hn::Vec<RowHalves> x) {
    return hn::BitCast(RowHalves(), hn::ShiftRight<Bits>(hn::BitCast(hn::RebindToSigned<RowHalves>(), x)));
}

/// Converts low halves between Dst's form and FP32's: bits 14 to 0 are rotated, bit 15 stays.
HWY_INLINE hn::Vec<RowHalves> low_from_dst(hn::Vec<RowHalves> x) {
    return chosen_halves(0x7F00, hn::ShiftLeft<8>(x), shifted_right<7>(x));
}
HWY_INLINE hn::Vec<RowHalves> low_to_dst(hn::Vec<RowHalves> x) {
    return chosen_halves(0x7F80, hn::ShiftLeft<7>(x), shifted_right<8>(x));
}

#if HWY_TARGET <= HWY_AVX3

namespace two_rows {

HWY_INLINE __m256i load(const std::uint16_t* p) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)); }
HWY_INLINE void store(__m256i x, std::uint16_t* p) { _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), x); }
HWY_INLINE void store_both(__m512i x, std::uint16_t* lower, std::uint16_t* upper) {
    store(_mm512_castsi512_si256(x), lower);
    store(_mm512_extracti64x4_epi64(x, 1), upper);
}

// Interleaves 16-bit halves from both halves of a vector, starting with the lower one; and the inverse.
HWY_ALIGN inline constexpr std::uint16_t in_turn[] = {0, 16, 1, 17, 2,  18, 3,  19, 4,  20, 5,  21, 6,  22, 7,  23,
                                                      8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31};
HWY_ALIGN inline constexpr std::uint16_t upper_first[] = {16, 0, 17, 1, 18, 2,  19, 3,  20, 4,  21, 5,  22, 6,  23, 7,
                                                          24, 8, 25, 9, 26, 10, 27, 11, 28, 12, 29, 13, 30, 14, 31, 15};
HWY_ALIGN inline constexpr std::uint16_t apart_low[] = {0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30,
                                                        1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31};
HWY_ALIGN inline constexpr std::uint16_t apart_high[] = {1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31,
                                                         0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30};
HWY_INLINE __m512i ordered(const std::uint16_t (&order)[32], __m512i x) {
    return _mm512_permutexvar_epi16(_mm512_load_si512(order), x);
}

}  // namespace two_rows

/// Rows with low halves must be adjacent.
template <DstForm Form>
HWY_INLINE TwoRows load_two_rows(const ReadableRow& first, const ReadableRow& second) {
    using namespace two_rows;
    if constexpr (Form != DstForm::wide) return {{{load_dst<Form>(first, 0)}, {load_dst<Form>(second, 0)}}};
    const __m512i low = low_from_dst(hn::LoadU(RowHalves(), first.low)).raw;
    return {{{Words{ordered(in_turn, _mm512_inserti64x4(low, load(first.high), 1))}},
             {Words{ordered(upper_first, _mm512_inserti64x4(low, load(second.high), 0))}}}};
}
template <DstForm Form>
HWY_INLINE void store_two_rows(const TwoPlaces& to, const TwoRows& x) {
    using namespace two_rows;
    if constexpr (Form != DstForm::wide) {
        const Words first = in_upper_half<Form>(x.row[0][0]), second = in_upper_half<Form>(x.row[1][0]);
        const Words both = chosen_bits(word(0xFFFF0000), second, hn::ShiftRight<16>(first));
        return store_both(ordered(apart_low, both.raw), to.high[0], to.high[1]);
    }
    const __m512i first = ordered(apart_low, x.row[0][0].raw), second = ordered(apart_high, x.row[1][0].raw);
    store(_mm512_extracti64x4_epi64(first, 1), to.high[0]);
    store(_mm512_castsi512_si256(second), to.high[1]);
    const __m512i low = low_to_dst(hn::Vec<RowHalves>{_mm512_mask_blend_epi64(0xF0, first, second)}).raw;
    _mm512_storeu_si512(to.low[0], low);
}

#else

static_assert(row_vectors % 2 == 0);

template <DstForm Form>
HWY_INLINE TwoRows load_two_rows(const ReadableRow& first, const ReadableRow& second) {
    const Columns d;
    TwoRows rows;
    for (unsigned r = 0; r < 2; ++r) {
        const ReadableRow& from = r ? second : first;
        for (unsigned v = 0; v < row_vectors; v += 2) {
            const unsigned c = v * hn::Lanes(d);
            if constexpr (Form != DstForm::wide) {
                rows.row[r][v] = load_dst<Form>(from, c);
                rows.row[r][v + 1] = load_dst<Form>(from, c + hn::Lanes(d));
            } else {
                const auto high = hn::LoadU(RowHalves(), from.high + c),
                           low = low_from_dst(hn::LoadU(RowHalves(), from.low + c));
                const Words lower = hn::BitCast(d, hn::InterleaveLower(RowHalves(), low, high)),
                            upper = hn::BitCast(d, hn::InterleaveUpper(RowHalves(), low, high));
                // Blocks of 128 bits are interleaved separately.
                constexpr bool one_block = hn::MaxLanes(d) == 4;
                rows.row[r][v] = one_block ? lower : hn::ConcatLowerLower(d, upper, lower);
                rows.row[r][v + 1] = one_block ? upper : hn::ConcatUpperUpper(d, upper, lower);
            }
        }
    }
    return rows;
}
template <DstForm Form>
HWY_INLINE void store_two_rows(const TwoPlaces& to, const TwoRows& x) {
    const RowHalves d;
    for (unsigned r = 0; r < 2; ++r)
        for (unsigned v = 0; v < row_vectors; v += 2) {
            const unsigned c = v * hn::Lanes(Columns());
            const auto first = hn::BitCast(d, in_upper_half<Form>(x.row[r][v])),
                       second = hn::BitCast(d, in_upper_half<Form>(x.row[r][v + 1]));
            hn::StoreU(hn::ConcatOdd(d, second, first), d, to.high[r] + c);
            if constexpr (Form == DstForm::wide)
                hn::StoreU(low_to_dst(hn::ConcatEven(d, second, first)), d, to.low[r] + c);
        }
}

#endif

}  // namespace tessera::units::matrix::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TESSERA_UNITS_MATRIX_DST_TWO_ROWS_INL_HPP_
