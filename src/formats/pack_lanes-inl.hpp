// SPDX-License-Identifier: Apache-2.0
// What packers do most often, on whole rows as vectors: early conversions (EarlyLanes; pack_early.cpp has each for one datum)
// and the assembly of block floats (PackBlock; pack_late.cpp). Included once per target.
#if defined(TESSERA_FORMATS_PACK_LANES_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_FORMATS_PACK_LANES_INL_HPP_
#undef TESSERA_FORMATS_PACK_LANES_INL_HPP_
#else
#define TESSERA_FORMATS_PACK_LANES_INL_HPP_
#endif

#include <hwy/highway.h>

#include <cstdint>

#include "formats/datum_size.hpp"
#include "formats/layouts.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera::formats::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Where an intermediate type of 16 bits, or the upper half of one of 32, has its exponent.
struct ExponentField {
    int low;
    std::uint16_t mask;
};
inline constexpr ExponentField wide_field{7, 0xFF}, narrow_field{10, 0x1F};

/// Early conversions of Dst's datums, each half in lanes of 16 bits: the magnitude that a datum gets. It keeps the sign of its
/// high half, unless it is flushed: then it is +0 if the magnitude's exponent is 0.
struct Same16 {
    static constexpr bool reads_low = false, flushes = false;
    static constexpr ExponentField field = wide_field;
    template <class D, class V = hn::Vec<D>>
    static HWY_INLINE V magnitude(D d, V x, V) {
        return hn::And(x, hn::Set(d, 0x7FFF));
    }
};

struct Bf16Of16 {
    static constexpr bool reads_low = false, flushes = true;
    static constexpr ExponentField field = wide_field;
    template <class D, class V = hn::Vec<D>>
    static HWY_INLINE V magnitude(D d, V x, V) {
        return hn::Min(hn::And(x, hn::Set(d, 0x7FFF)), hn::Set(d, 0x7F80));
    }
};

struct Bf16Of32 {
    static constexpr bool reads_low = true, flushes = true;
    static constexpr ExponentField field = wide_field;
    // The low half's highest bit decides: to nearest, ties away from zero. It is where stored order has it, too.
    template <class D, class V = hn::Vec<D>>
    static HWY_INLINE V magnitude(D d, V high, V low) {
        return hn::Min(hn::Add(hn::And(high, hn::Set(d, 0x7FFF)), hn::ShiftRight<15>(low)), hn::Set(d, 0x7F80));
    }
};

struct Fp16Raw {
    static constexpr bool reads_low = false, flushes = false;
    static constexpr ExponentField field = narrow_field;
    // The exponent's lower two bits and the mantissa's upper seven move up, the mantissa's lower three down.
    template <class D, class V = hn::Vec<D>>
    static HWY_INLINE V magnitude(D d, V x, V) {
        return hn::Or(hn::And(hn::ShiftLeft<3>(x), hn::Set(d, 0x7FF8)),
                      hn::And(hn::ShiftRight<12>(x), hn::Set(d, 0x0007)));
    }
};

struct Fp16Flushed : Fp16Raw {
    static constexpr bool flushes = true;
};

/// The datum itself.
template <class Early, class D, class V = hn::Vec<D>>
HWY_INLINE V with_sign(D d, V magnitude, V high) {
    const V x = hn::Or(magnitude, hn::AndNot(hn::Set(d, 0x7FFF), high));
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

/// 2^(7 - x), and 0 from 8 on.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V power_of_7_less(D d, V x) {
#if HWY_TARGET <= HWY_AVX3
    return hn::Set(d, 128) >> x;
#else
    // Looked up for the lower byte; an index with its highest bit set gives 0 for the upper one.
    const hn::Repartition<std::uint8_t, D> bytes;
    HWY_ALIGN static constexpr std::uint8_t powers[16] = {128, 64, 32, 16, 8, 4, 2, 1};
    const V index = hn::Or(hn::Min(x, hn::Set(d, 15)), hn::Set(d, 0x8000));
    return hn::BitCast(d, hn::TableLookupBytesOr0(hn::LoadDup128(bytes, powers), hn::BitCast(bytes, index)));
#endif
}

template <class D, class V = hn::Vec<D>>
HWY_INLINE V largest_of_words_and_blocks(D d, V x) {
    const hn::Repartition<std::uint32_t, D> words;
    x = hn::Max(x, hn::BitCast(d, hn::Shuffle2301(hn::BitCast(words, x))));
    x = hn::Max(x, hn::BitCast(d, hn::RotateRight<16>(hn::BitCast(words, x))));
    if constexpr (hn::MaxLanes(d) >= block_datums) x = hn::Max(x, hn::SwapAdjacentBlocks(x));
    return x;
}

/// The largest lane of a block of 16, in all of its lanes: of one vector of them, or of a block that is two vectors.
template <class D, class V>
HWY_INLINE void share_exponents(D d, const V (&exponent)[1], V (&shared)[1]) {
    static_assert(hn::MaxLanes(d) >= block_datums);
    const hn::Repartition<std::uint32_t, D> words;
    const V x = hn::Max(exponent[0], hn::BitCast(d, hn::Shuffle1032(hn::BitCast(words, exponent[0]))));
    shared[0] = largest_of_words_and_blocks(d, x);
}
template <class D, class V>
HWY_INLINE void share_exponents(D d, const V (&exponent)[2], V (&shared)[2]) {
    if constexpr (hn::MaxLanes(d) < block_datums) {
        const hn::Repartition<std::uint32_t, D> words;
        V x = hn::Max(exponent[0], exponent[1]);
        x = hn::Max(x, hn::BitCast(d, hn::Shuffle1032(hn::BitCast(words, x))));
        shared[0] = shared[1] = largest_of_words_and_blocks(d, x);
    } else {
        // Both together: the first one's in the lower halves of the 128 bits, the second one's in the upper.
        const hn::Repartition<std::uint64_t, D> halves;
        const auto a = hn::BitCast(halves, exponent[0]), b = hn::BitCast(halves, exponent[1]);
        const V x = hn::Max(hn::BitCast(d, hn::InterleaveLower(halves, a, b)),
                            hn::BitCast(d, hn::InterleaveUpper(halves, a, b)));
        const auto both = hn::BitCast(halves, largest_of_words_and_blocks(d, x));
        shared[0] = hn::BitCast(d, hn::InterleaveLower(halves, both, both));
        shared[1] = hn::BitCast(d, hn::InterleaveUpper(halves, both, both));
    }
}

/// Datums of block floats, in the low `Bits` of their lanes, of BF16 with their exponents; of `signs` the highest bit counts.
/// `Flushed`: those with exponent 0 are 0.
template <unsigned Bits, bool Flushed, class D, class V = hn::Vec<D>>
HWY_INLINE V assemble(D d, V x, V exponent, V shared, V signs) {
    const hn::RebindToSigned<D> integers;
    const V zero = hn::Zero(d), hidden = hn::Set(d, 0x80 << 7);
    const auto no_exponent = hn::Eq(exponent, zero);
    V mantissa = hn::And(hn::ShiftLeft<7>(x), hn::Set(d, 0x7F << 7));
    if constexpr (Flushed)
        mantissa = hn::IfThenZeroElse(no_exponent, hn::Or(mantissa, hidden));
    else
        mantissa = hn::Or(mantissa, hn::IfThenZeroElse(no_exponent, hidden));
    // The rounding product: (m << 7) * 2^(7 - distance) / 2^15, to nearest with ties up.
    const V rounded =
        hn::BitCast(d, hn::MulFixedPoint15(hn::BitCast(integers, mantissa),
                                           hn::BitCast(integers, power_of_7_less(d, hn::Sub(shared, exponent)))));
    const V magnitude = hn::ShiftRight<8 - Bits>(hn::Min(rounded, hn::Set(d, 0x7F)));
    const V datum = hn::OrAnd(magnitude, hn::ShiftRight<16 - Bits>(signs), hn::Set(d, 1 << (Bits - 1)));
    return hn::IfThenZeroElse(hn::Eq(magnitude, zero), datum);
}

}  // namespace tessera::formats::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TESSERA_FORMATS_PACK_LANES_INL_HPP_
