// SPDX-License-Identifier: Apache-2.0
// Vector versions of the packers' most frequent steps for whole rows: early conversions (EarlyLanes; scalar in
// pack_early.cpp) and the assembly of block floats (PackBlock; scalar in pack_late.cpp). Included once per target.
#if defined(TESSERA_FORMATS_PACK_LANES_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_FORMATS_PACK_LANES_INL_HPP_
#undef TESSERA_FORMATS_PACK_LANES_INL_HPP_
#else
#define TESSERA_FORMATS_PACK_LANES_INL_HPP_
#endif

#include <hwy/highway.h>

#include <cstdint>

#include "formats/bytes-inl.hpp"
#include "formats/datum_size.hpp"
#include "formats/lane_constants.hpp"
#include "formats/layouts.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera::formats::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class D>
HWY_INLINE hn::Vec<D> constant(D d, const LaneConstant& from) {
    return hn::BitCast(d, hn::LoadDup128(hn::Repartition<std::uint16_t, D>(), from.data()));
}

/// The exponent's place in a 16-bit intermediate type, or in the upper half of a 32-bit one.
struct ExponentField {
    int low;
    std::uint16_t mask;
};
inline constexpr ExponentField wide_field{7, 0xFF}, narrow_field{10, 0x1F};

/// Early conversions of Dst's datums, each half in lanes of 16 bits: they make the magnitude. The sign is that of the
/// high half; a flushed result is +0 if the magnitude's exponent is 0. For block floats the magnitude is doubled, so
/// that the exponent is the upper byte.
struct Same16 {
    static constexpr bool reads_low = false, flushes = false;
    static constexpr ExponentField field = wide_field;
    template <class D, class V = hn::Vec<D>>
    static HWY_INLINE V magnitude(D d, V x, V) {
        return hn::And(x, constant(d, lane_constants.magnitude));
    }
    template <class D, class V = hn::Vec<D>>
    static HWY_INLINE V doubled(D, V x, V) {
        return hn::Add(x, x);
    }
};

struct Bf16Of16 {
    static constexpr bool reads_low = false, flushes = true;
    static constexpr ExponentField field = wide_field;
    template <class D, class V = hn::Vec<D>>
    static HWY_INLINE V magnitude(D d, V x, V) {
        return hn::Min(hn::And(x, constant(d, lane_constants.magnitude)), constant(d, lane_constants.bf16_infinity));
    }
    template <class D, class V = hn::Vec<D>>
    static HWY_INLINE V doubled(D d, V x, V) {
        return hn::Min(hn::Add(x, x), constant(d, lane_constants.upper_byte));
    }
};

struct Bf16Of32 {
    static constexpr bool reads_low = true, flushes = true;
    static constexpr ExponentField field = wide_field;
    // The low half's highest bit rounds to nearest, ties away from zero. It has the same place in stored order.
    template <class D, class V = hn::Vec<D>>
    static HWY_INLINE V magnitude(D d, V high, V low) {
        return hn::Min(hn::Add(hn::And(high, constant(d, lane_constants.magnitude)), hn::ShiftRight<15>(low)),
                       constant(d, lane_constants.bf16_infinity));
    }
    template <class D, class V = hn::Vec<D>>
    static HWY_INLINE V doubled(D d, V high, V low) {
        const V up = hn::And(hn::ShiftRight<14>(low), hn::Set(d, 2));
        return hn::Min(hn::SaturatedAdd(hn::Add(high, high), up), constant(d, lane_constants.upper_byte));
    }
};

struct Fp16Raw {
    static constexpr bool reads_low = false, flushes = false;
    static constexpr ExponentField field = narrow_field;
    // Moves the exponent's lower two and the mantissa's upper seven bits up, the mantissa's lower three down.
    template <class D, class V = hn::Vec<D>>
    static HWY_INLINE V magnitude(D d, V x, V) {
        return hn::Or(hn::And(hn::ShiftLeft<3>(x), constant(d, lane_constants.magnitude)),
                      hn::And(hn::ShiftRight<12>(x), hn::Set(d, 0x0007)));
    }
};

struct Fp16Flushed : Fp16Raw {
    static constexpr bool flushes = true;
};

/// The datum unchanged.
template <class Early, class D, class V = hn::Vec<D>>
HWY_INLINE V with_sign(D d, V magnitude, V high) {
    const V x = hn::Or(magnitude, hn::AndNot(constant(d, lane_constants.magnitude), high));
    if constexpr (!Early::flushes) return x;
    const hn::RebindToSigned<D> integers;
    const auto has_exponent = hn::Gt(hn::BitCast(integers, magnitude), hn::Set(integers, (1 << Early::field.low) - 1));
    return hn::IfThenElseZero(hn::RebindMask(d, has_exponent), x);
}

/// dst_to_stored() of each lane.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V stored_lanes(D d, V x) {
    const V moved =
        hn::Or(hn::And(hn::ShiftLeft<8>(x), hn::Set(d, 0x7F00)), hn::And(hn::ShiftRight<7>(x), hn::Set(d, 0x00FF)));
    return hn::OrAnd(moved, hn::Set(d, 0x8000), x);
}

/// The largest doubled magnitudes of blocks of 16.
template <class V, std::size_t N, std::size_t Blocks>
struct Largest {
    V each[N];  ///< per vector, in all lanes of a block; lower bytes are 0xFF
    hn::Vec<hn::CappedTag<std::uint32_t, Blocks>> exponents;  ///< of the blocks, in their order
};

template <class D, class V = hn::Vec<D>>
HWY_INLINE V largest_of_words_and_blocks(D d, V x) {
    const hn::Repartition<std::uint32_t, D> words;
    x = hn::Max(x, hn::BitCast(d, hn::Shuffle2301(hn::BitCast(words, x))));
    x = hn::Max(x, hn::BitCast(d, hn::RotateRight<16>(hn::BitCast(words, x))));
    if constexpr (hn::MaxLanes(d) >= block_datums) x = hn::Max(x, hn::SwapAdjacentBlocks(x));
    return x;
}

// The maxima of the halves of 128 bits: of `a` in the lower halves, of `b` in the upper ones.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V larger_halves(D d, V a, V b) {
    const hn::Repartition<std::uint64_t, D> halves;
    const auto x = hn::BitCast(halves, a), y = hn::BitCast(halves, b);
    return hn::Max(hn::BitCast(d, hn::InterleaveLower(halves, x, y)),
                   hn::BitCast(d, hn::InterleaveUpper(halves, x, y)));
}

/// One block, a vector or two.
template <class D, class V, std::size_t N>
HWY_INLINE Largest<V, N, 1> largest_of_blocks(D d, const V (&x)[N]) {
    static_assert(N * hn::MaxLanes(d) == block_datums);
    const hn::Repartition<std::uint32_t, D> words;
    V all = x[0];
    if constexpr (N == 2) all = hn::Max(all, x[1]);
    all = hn::Max(all, hn::BitCast(d, hn::Shuffle1032(hn::BitCast(words, all))));
    all = largest_of_words_and_blocks(d, all);
    Largest<V, N, 1> found;
    for (V& each : found.each) each = hn::Or(all, constant(d, lane_constants.lower_byte));
    found.exponents = hn::Set(hn::CappedTag<std::uint32_t, 1>(), hn::GetLane(all) >> 8u);
    return found;
}

#if HWY_TARGET <= HWY_AVX3
/// Four blocks in two vectors.
template <class V>
HWY_INLINE Largest<V, 2, 4> largest_of_blocks(hn::Full512<std::uint16_t> d, const V (&x)[2]) {
    const hn::Repartition<std::uint32_t, decltype(d)> words;
    const hn::Repartition<std::uint64_t, decltype(d)> halves;
    HWY_ALIGN static constexpr std::uint32_t firsts[hn::MaxLanes(words)] = {0, 8, 2, 10};
    const V all =
        hn::Or(largest_of_words_and_blocks(d, larger_halves(d, x[0], x[1])), constant(d, lane_constants.lower_byte));
    const auto both = hn::BitCast(halves, all);
    const auto four = hn::TableLookupLanes(hn::BitCast(words, all), hn::IndicesFromVec(words, hn::Load(words, firsts)));
    return {{hn::BitCast(d, hn::InterleaveLower(halves, both, both)),
             hn::BitCast(d, hn::InterleaveUpper(halves, both, both))},
            hn::ShiftRight<24>(hn::LowerHalf(hn::LowerHalf(four)))};
}
#endif

/// Four blocks, a vector each.
template <class D, class V>
HWY_INLINE Largest<V, 4, 4> largest_of_blocks(D d, const V (&x)[4]) {
    static_assert(hn::MaxLanes(d) == block_datums);
    const hn::Repartition<std::uint32_t, D> words;
    const hn::Repartition<std::uint8_t, D> bytes;
    HWY_ALIGN static constexpr std::uint8_t upper_halves[][16] = {
        {2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3},
        {6, 7, 6, 7, 6, 7, 6, 7, 6, 7, 6, 7, 6, 7, 6, 7},
        {10, 11, 10, 11, 10, 11, 10, 11, 10, 11, 10, 11, 10, 11, 10, 11},
        {14, 15, 14, 15, 14, 15, 14, 15, 14, 15, 14, 15, 14, 15, 14, 15}};
    const auto even = hn::BitCast(words, larger_halves(d, x[0], x[2]));
    const auto odd = hn::BitCast(words, larger_halves(d, x[1], x[3]));
    // Words in the order of the blocks within each 128 bits; only upper halves are used.
    V all = hn::Max(hn::BitCast(d, hn::OddEven(odd, even)), hn::BitCast(d, hn::Shuffle2301(hn::OddEven(even, odd))));
    all = hn::Max(all, hn::BitCast(d, hn::ShiftLeft<16>(hn::BitCast(words, all))));
    all = hn::Or(hn::Max(all, hn::SwapAdjacentBlocks(all)), constant(d, lane_constants.lower_byte));
    Largest<V, 4, 4> found;
    for (std::size_t i = 0; i < 4; ++i)
        found.each[i] =
            hn::BitCast(d, hn::TableLookupBytes(hn::BitCast(bytes, all), hn::LoadDup128(bytes, upper_halves[i])));
    found.exponents = hn::ShiftRight<24>(hn::LowerHalf(hn::BitCast(words, all)));
    return found;
}

/// Mantissas of doubled magnitudes with their hidden bit, shifted right by the distance of their exponent from the
/// block's. `Flushed`: those with exponent 0 become 0.
template <bool Flushed, class D, class V = hn::Vec<D>>
HWY_INLINE V moved_mantissas(D d, V x, V largest) {
    const hn::Repartition<std::uint8_t, D> bytes;
    HWY_ALIGN static constexpr std::uint8_t powers[16] = {128, 64, 32, 16, 8, 4, 2, 1};
    const V hidden = constant(d, lane_constants.hidden_bit);
    const V mantissa =
        hn::Or(hn::AndNot(constant(d, lane_constants.upper_byte), x), Flushed ? hidden : hn::Min(x, hidden));
    // The distance is in the upper byte. The shift is a product with 2^(15 - distance), whose upper byte comes from a
    // table. Table indices with the highest bit set give 0; otherwise their lower four bits count (as on x86).
    const V distance = hn::Sub(largest, x);
    const auto index =
        hn::SaturatedAdd(hn::BitCast(bytes, distance), hn::BitCast(bytes, constant(d, lane_constants.beyond_power)));
    const auto power = hn::TableLookupBytesOr0(hn::LoadDup128(bytes, powers), index);
    const V moved = hn::MulHigh(mantissa, hn::BitCast(d, power));
    return Flushed ? hn::IfThenElseZero(hn::Gt(x, constant(d, lane_constants.lower_byte)), moved) : moved;
}

/// Datums of block floats in the upper `Bits` of bytes, from shifted mantissas and bytes whose highest bits are the
/// signs.
template <unsigned Bits, class V, class D = hn::DFromV<V>>
HWY_INLINE V rounded_datums(V moved, V signs) {
    const D d;
    const hn::RebindToSigned<D> integers;
    // To nearest, ties up, to 7 bits.
    V magnitude = hn::Min(hn::AverageRound(moved, hn::Zero(d)), constant(d, lane_constants.byte_magnitudes));
    if constexpr (Bits < 8) magnitude = hn::And(magnitude, hn::Set(d, 0x80 - (1 << (8 - Bits))));
    const auto any = hn::Gt(hn::BitCast(integers, magnitude), hn::Zero(integers));
    return hn::Or(magnitude, hn::AndNot(constant(d, lane_constants.byte_magnitudes),
                                        hn::IfThenElseZero(hn::RebindMask(d, any), signs)));
}

/// Pairs of 4-bit datums, in the upper half of their bytes, to bytes in lanes of 16 bits.
template <class V, class D = hn::Repartition<std::uint16_t, hn::DFromV<V>>>
HWY_INLINE hn::Vec<D> pairs_of_nibbles(V datums) {
    const D d;
    const auto x = hn::BitCast(d, datums);
    return hn::Or(hn::ShiftRight<8>(x), hn::And(hn::ShiftRight<4>(x), hn::Set(d, 0x0F)));
}

}  // namespace tessera::formats::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TESSERA_FORMATS_PACK_LANES_INL_HPP_
