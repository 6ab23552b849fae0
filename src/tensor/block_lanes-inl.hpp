// SPDX-License-Identifier: Apache-2.0
// BlockLoops in vector lanes: blocks of 16 values, lanes of 32 bits. Included once per target.
#if defined(TESSERA_TENSOR_BLOCK_LANES_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_TENSOR_BLOCK_LANES_INL_HPP_
#undef TESSERA_TENSOR_BLOCK_LANES_INL_HPP_
#else
#define TESSERA_TENSOR_BLOCK_LANES_INL_HPP_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "formats/block_float-inl.hpp"
#include "tensor/scalar_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera::tensor::HWY_NAMESPACE {

/// Number of vectors in a block.
inline constexpr std::size_t block_parts = formats::block_datums / hn::MaxLanes(Columns());
using Bytes = hn::Full128<std::uint8_t>;

/// A format's layout: exponents of 8 or 5 bits, and magnitudes.
template <bool Narrow, unsigned DatumBits>
struct BlockFormat {
    static constexpr bool narrow = Narrow;
    static constexpr unsigned bits = DatumBits, magnitude_bits = bits - 1;
    static constexpr unsigned bias = narrow ? 15 : 127;
};

inline constexpr std::uint32_t all_ones = 0xFF'FFFF;

/// Magnitudes with their leading one at bit 23; zeros and denormals are 0.
struct Parts {
    Words magnitude, exponent;
};

template <class Format>
HWY_INLINE Parts parts_of(Words bits) {
    const Words field = hn::ShiftRight<24>(hn::Add(bits, bits));
    const Words magnitude = hn::Or(hn::And(bits, word(0x7F'FFFF)), word(0x80'0000));
    // The least exponent that is kept.
    constexpr std::uint32_t least = Format::narrow ? 127 - Format::bias : 1;
    const Words kept = hn::Max(field, word(least));
    const Words number = hn::IfThenElseZero(hn::Eq(kept, field), magnitude);
    if constexpr (!Format::narrow) return {number, field};
    const Words rebiased = hn::Sub(kept, word(least));
    const Words exponent = hn::Min(rebiased, word(31));  // the largest of 5 bits
    return {hn::IfThenElse(hn::Eq(exponent, rebiased), number, word(all_ones)), exponent};
}

/// How magnitudes are aligned to the shared exponent.
enum class Placing {
    host,    ///< truncated, and rounded to nearest even
    given,   ///< as host, below a given exponent that may not be the largest: larger values saturate
    /// as packers do (formats/pack_late.cpp): truncated, rounded to 7 bits with ties away from zero, truncated again
    device,
};

/// As a packer does from FP16: no leading one below the least exponent.
template <class Format>
HWY_INLINE Words device_magnitude(const Parts& parts) {
    if constexpr (!Format::narrow) return parts.magnitude;
    const Words fraction = hn::And(parts.magnitude, word(0x7F'FFFF));
    return hn::IfThenElse(hn::Eq(parts.exponent, word(0)), fraction, parts.magnitude);
}

template <class Format, Placing how>
HWY_INLINE Words placed_lanes(const Parts& parts, Words shared) {
    constexpr unsigned bits = Format::magnitude_bits, drop = 24 - bits;
    // Only a given exponent may be smaller than the value's.
    const Words exponent = how == Placing::given ? hn::Min(parts.exponent, shared) : parts.exponent;
    const Words distance = hn::Min(hn::Sub(shared, exponent), word(31));
    if constexpr (how == Placing::device) {
        const Words cut = hn::Shr(hn::ShiftRight<16>(device_magnitude<Format>(parts)), distance);
        return hn::ShiftRight<7 - bits>(hn::Min(hn::ShiftRight<1>(hn::Add(cut, word(1))), word(0x7F)));
    } else {
        const Words cut = hn::Shr(parts.magnitude, distance);
        const Words placed =
            how == Placing::given ? hn::IfThenElse(hn::Eq(exponent, parts.exponent), cut, word(all_ones)) : cut;
        const Words odd = hn::And(hn::ShiftRight<drop>(placed), word(1));
        const Words rounded = hn::ShiftRight<drop>(hn::Add(hn::Add(placed, word((1u << (drop - 1)) - 1)), odd));
        return hn::Min(rounded, word((1u << bits) - 1));
    }
}

/// Datums: magnitudes with a sign, unless the magnitude is 0.
template <class Format, Placing how>
HWY_INLINE Words block_lanes(Words bits, const Parts& parts, Words shared) {
    const Words magnitude = placed_lanes<Format, how>(parts, shared);
    const Words sign = hn::And(hn::ShiftRight<31 - Format::magnitude_bits>(bits), word(1u << Format::magnitude_bits));
    return hn::Or(magnitude, hn::IfThenZeroElse(hn::Eq(magnitude, word(0)), sign));
}

/// Narrows words to bytes, for `Parts` vectors.
template <std::size_t Parts>
HWY_INLINE auto bytes_of(const Words* x) {
    const hn::CappedTag<std::uint8_t, Parts * hn::MaxLanes(Columns())> d;
    if constexpr (Parts == 1)
        return hn::DemoteTo(d, hn::BitCast(Integers(), *x));
    else
        return hn::Combine(d, bytes_of<Parts / 2>(x + Parts / 2), bytes_of<Parts / 2>(x));
}

/// Packs datums of less than a byte, given one per byte.
template <unsigned Bits>
HWY_INLINE void store_datums(hn::Vec<Bytes> x, std::byte* datums) {
    auto* const out = reinterpret_cast<std::uint8_t*>(datums);
    if constexpr (Bits == 8) {
        hn::StoreU(x, Bytes(), out);
    } else {
        const hn::Repartition<std::int16_t, Bytes> pairs;
        const hn::RebindToUnsigned<decltype(pairs)> lanes;
        const auto two = hn::BitCast(lanes, x);
        const auto joined = hn::Or(hn::And(two, hn::Set(lanes, 0xFF)), hn::ShiftRight<8 - Bits>(two));
        if constexpr (Bits == 4) {
            const hn::Half<Bytes> half;
            hn::StoreU(hn::DemoteTo(half, hn::BitCast(pairs, joined)), half, out);
        } else {
            static_assert(Bits == 2);
            const hn::Repartition<std::int32_t, Bytes> quads;
            const hn::RebindToUnsigned<decltype(quads)> words;
            const hn::Rebind<std::uint8_t, decltype(quads)> quarter;
            const auto four = hn::BitCast(words, joined);
            const auto all = hn::Or(hn::And(four, hn::Set(words, 0xFF)), hn::ShiftRight<12>(four));
            hn::StoreU(hn::DemoteTo(quarter, hn::BitCast(quads, all)), quarter, out);
        }
    }
}

/// Implements BlockLoops::encode.
template <class Format, Placing how>
HWY_INLINE void encode_blocks(const float* values, std::size_t blocks, std::uint8_t given, std::byte* datums,
                              std::byte* exponents) {
    const Columns d;
    constexpr std::size_t block_bytes = formats::block_datums * Format::bits / 8;
    for (std::size_t b = 0; b < blocks; ++b, values += formats::block_datums, datums += block_bytes) {
        Words bits[block_parts];
        Parts parts[block_parts];
        Words largest = word(0);
        for (std::size_t p = 0; p < block_parts; ++p) {
            bits[p] = as_words(hn::LoadU(Floats(), values + p * hn::MaxLanes(d)));
            parts[p] = parts_of<Format>(bits[p]);
            largest = hn::Max(largest, parts[p].exponent);
        }
        const Words shared = how == Placing::given ? word(given) : hn::MaxOfLanes(d, largest);
        for (std::size_t p = 0; p < block_parts; ++p) bits[p] = block_lanes<Format, how>(bits[p], parts[p], shared);
        store_datums<Format::bits>(bytes_of<block_parts>(bits), datums);
        if constexpr (how != Placing::given) exponents[b] = static_cast<std::byte>(hn::GetLane(shared));
    }
}

/// The values of a block. Datums are bytes of sign and magnitude, with the magnitude's highest bit at bit 6.
template <class Format>
HWY_INLINE void decode_block(const std::uint8_t* datums, std::uint8_t exponent, float* values) {
    constexpr std::uint32_t infinity = 0x7F80'0000, sign = 0x8000'0000;
    // The unpackers' value for a sign without a magnitude.
    constexpr std::uint32_t lone_sign = Format::narrow ? 0xC780'0000 : sign | infinity;
    constexpr int least_scale = -static_cast<int>(Format::bias) - 6, denormal_places = 149;
    const Integers d;
    const hn::Rebind<std::int8_t, Integers> bytes;
    const int scale = exponent + least_scale;
    const Words exponents = word(static_cast<std::uint32_t>(scale) << 23);
    for (std::size_t i = 0; i < formats::block_datums; i += hn::MaxLanes(d)) {
        const auto datum = hn::PromoteTo(d, hn::LoadU(bytes, reinterpret_cast<const std::int8_t*>(datums) + i));
        const auto magnitude = hn::And(datum, hn::Set(d, 0x7F));
        Words number = hn::Add(as_words(hn::ConvertTo(Floats(), magnitude)), exponents);
        if constexpr (!Format::narrow) {
            // Exponents below 1 give denormals, counted in units of their last bit.
            const auto denormal = hn::ShiftLeftSame(as_words(magnitude), std::min(scale + denormal_places, 31));
            number = if_less(number, word(1u << 23), denormal, number);
        }
        number = hn::Min(number, word(infinity));
        const Words signs = as_words(hn::BroadcastSignBit(datum));
        const auto nothing = hn::RebindMask(Columns(), hn::Eq(magnitude, hn::Zero(d)));
        const Words value =
            hn::IfThenElse(nothing, hn::And(signs, word(lone_sign)), hn::Or(number, hn::And(signs, word(sign))));
        hn::StoreU(as_floats(value), Floats(), values + i);
    }
}

/// Implements BlockLoops::decode.
template <class Format, bool Given>
HWY_INLINE void decode_blocks(const std::byte* datums, const std::byte* exponents, std::size_t blocks,
                              std::uint8_t given, float* values) {
    constexpr std::size_t together = 16, block_bytes = formats::block_datums * Format::bits / 8;
    const auto* packed = reinterpret_cast<const std::uint8_t*>(datums);
    HWY_ALIGN std::array<std::uint8_t, together * formats::block_datums> spread;
    for (std::size_t first = 0; first < blocks; first += together) {
        const std::size_t n = std::min(together, blocks - first);
        const std::uint8_t* each = packed + first * block_bytes;
        if constexpr (Format::bits != 8) {
            formats::HWY_NAMESPACE::spread_blocks<Format::bits>(each, n, spread.data());
            each = spread.data();
        }
        for (std::size_t b = 0; b < n; ++b)
            decode_block<Format>(each + b * formats::block_datums,
                                 Given ? given : std::to_integer<std::uint8_t>(exponents[first + b]),
                                 values + (first + b) * formats::block_datums);
    }
}

}  // namespace tessera::tensor::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TESSERA_TENSOR_BLOCK_LANES_INL_HPP_
