// SPDX-License-Identifier: Apache-2.0
// Vector versions of block_float.hpp for whole blocks. Included once per target.
#if defined(TESSERA_FORMATS_BLOCK_FLOAT_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_FORMATS_BLOCK_FLOAT_INL_HPP_
#undef TESSERA_FORMATS_BLOCK_FLOAT_INL_HPP_
#else
#define TESSERA_FORMATS_BLOCK_FLOAT_INL_HPP_
#endif

#include <hwy/highway.h>

#include <type_traits>

#include "formats/block_float.hpp"
#include "formats/datum_size.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera::formats::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// block_datum() of `blocks` times 16 datums, a byte each.
template <unsigned Bits>
HWY_INLINE void spread_blocks(const std::uint8_t* packed, std::size_t blocks, std::uint8_t* out) {
    constexpr unsigned per_byte = 8 / Bits, block_bytes = block_datums / per_byte;
    constexpr unsigned mask = 0x100 - (1u << (8 - Bits));
    using Spread = std::conditional_t<per_byte == 2, std::uint16_t, std::uint32_t>;
    const hn::CappedTag<Spread, block_bytes> d;
    const hn::Rebind<std::uint8_t, decltype(d)> bytes;
    for (std::size_t i = 0; i < blocks * block_bytes; i += hn::Lanes(d)) {
        const auto x = hn::PromoteTo(d, hn::LoadU(bytes, packed + i));
        auto spread = hn::And(hn::ShiftLeft<8 - Bits>(x), hn::Set(d, mask));
        spread = hn::OrAnd(spread, hn::ShiftLeft<16 - 2 * Bits>(x), hn::Set(d, mask << 8));
        if constexpr (per_byte == 4) {
            spread = hn::OrAnd(spread, hn::ShiftLeft<24 - 3 * Bits>(x), hn::Set(d, mask << 16));
            spread = hn::OrAnd(spread, hn::ShiftLeft<32 - 4 * Bits>(x), hn::Set(d, mask << 24));
        }
        hn::StoreU(spread, d, reinterpret_cast<Spread*>(out + i * per_byte));
    }
}

/// Sign and magnitude to integers; false if a datum is a sign alone, which is no number.
HWY_INLINE bool integers_of_datums(const std::uint8_t* datums, std::size_t blocks, std::int8_t* out) {
    constexpr std::int8_t lone = -0x80;  // sign without magnitude: the lowest byte
    const hn::CappedTag<std::int8_t, 4 * block_datums> d;
    const hn::CappedTag<std::int8_t, block_datums> one_block;
    auto least = hn::Zero(d);
    auto last_least = hn::Zero(one_block);
    const auto convert = [&](auto tag, std::size_t i, auto& smallest) HWY_ATTR {
        const auto x = hn::LoadU(tag, reinterpret_cast<const std::int8_t*>(datums) + i);
        smallest = hn::Min(smallest, x);
        hn::StoreU(hn::IfThenElse(hn::Lt(x, hn::Zero(tag)), hn::Sub(hn::Set(tag, lone), x), x), tag, out + i);
    };
    const std::size_t n = blocks * block_datums, whole = n - n % hn::Lanes(d);
    HWY_UNROLL(4)
    for (std::size_t i = 0; i < whole; i += hn::Lanes(d)) convert(d, i, least);
    for (std::size_t i = whole; i < n; i += hn::Lanes(one_block)) convert(one_block, i, last_least);
    return hn::AllFalse(d, hn::Eq(least, hn::Set(d, lone))) &&
           hn::AllFalse(one_block, hn::Eq(last_least, hn::Set(one_block, lone)));
}

/// The same for packed datums of 4 bits.
HWY_INLINE bool integers_of_nibbles(const std::uint8_t* packed, std::size_t blocks, std::int8_t* out) {
    HWY_ALIGN static constexpr std::int8_t integers[] = {0, 16,  32,  48,  64,  80,  96,  112,
                                                         0, -16, -32, -48, -64, -80, -96, -112};
    constexpr unsigned block_bytes = block_datums / 2;
    const hn::CappedTag<std::uint16_t, block_bytes> d;
    const hn::Rebind<std::uint8_t, decltype(d)> bytes;
    const hn::Repartition<std::int8_t, decltype(d)> datums;
    const auto table = hn::LoadDup128(datums, integers);
    auto lone = hn::MaskFromVec(hn::Zero(datums));
    for (std::size_t i = 0; i < blocks * block_bytes; i += hn::Lanes(d)) {
        const auto x = hn::PromoteTo(d, hn::LoadU(bytes, packed + i));
        const auto nibbles = hn::BitCast(datums, hn::And(hn::Or(x, hn::ShiftLeft<4>(x)), hn::Set(d, 0x0F0F)));
        lone = hn::Or(lone, hn::Eq(nibbles, hn::Set(datums, 8)));
        hn::StoreU(hn::TableLookupBytes(table, nibbles), datums, out + 2 * i);
    }
    return hn::AllFalse(datums, lone);
}

/// Whether all `N` exponents have a scale (scale_bias).
template <std::uint32_t ExponentMask, std::size_t N>
HWY_INLINE bool has_scales(const std::uint8_t* exponents) {
    static_assert(N % 16 == 0);
    const hn::CappedTag<std::uint8_t, N> d;
    auto beyond = hn::Zero(d);
    for (std::size_t i = 0; i < N; i += hn::Lanes(d)) {
        const auto above = hn::Sub(hn::LoadU(d, exponents + i), hn::Set(d, least_scaled));
        beyond = hn::Or(beyond, hn::SaturatedSub(above, hn::Set(d, most_scaled<ExponentMask> - least_scaled)));
    }
    return hn::AllTrue(d, hn::Eq(beyond, hn::Zero(d)));
}

/// Their scales or block_exponent_term()s, chosen by the bias.
template <std::size_t N>
HWY_INLINE void exponent_fields(const std::uint8_t* exponents, std::uint32_t bias, std::uint32_t* out) {
    static_assert(N % 16 == 0);
    const hn::CappedTag<std::uint32_t, 16> d;
    const hn::Rebind<std::uint8_t, decltype(d)> bytes;
    for (std::size_t i = 0; i < N; i += hn::Lanes(d))
        hn::Store(hn::ShiftLeft<23>(hn::Sub(hn::PromoteTo(d, hn::LoadU(bytes, exponents + i)), hn::Set(d, bias))), d,
                  out + i);
}

/// src_from_block() of integers, for medium exponents. `scales` has the scale of each block.
HWY_INLINE void src_from_integers(const std::int8_t* datums, const std::uint32_t* scales, std::size_t blocks,
                                  std::uint32_t* out) {
    const hn::CappedTag<float, block_datums> floats;
    const hn::RebindToSigned<decltype(floats)> d;
    const hn::Rebind<std::int8_t, decltype(floats)> bytes;
    HWY_UNROLL(8)
    for (std::size_t b = 0; b < blocks; ++b) {
        const auto scale = hn::BitCast(floats, hn::Set(d, static_cast<std::int32_t>(scales[b])));
        for (std::size_t i = 0; i < block_datums; i += hn::Lanes(d)) {
            const auto x = hn::ConvertTo(floats, hn::PromoteTo(d, hn::LoadU(bytes, datums + b * block_datums + i)));
            hn::StoreU(hn::BitCast(d, hn::Mul(x, scale)), d,
                       reinterpret_cast<std::int32_t*>(out) + b * block_datums + i);
        }
    }
}

/// src_from_block() of `blocks` times 16 datums; `terms` has the block_exponent_term() of each.
template <std::uint32_t ExponentMask>
HWY_INLINE void src_from_blocks(const std::uint8_t* datums, const std::uint32_t* terms, std::size_t blocks,
                                std::uint32_t* out) {
    const hn::CappedTag<std::int32_t, block_datums> d;
    const hn::RebindToUnsigned<decltype(d)> words;
    const hn::RebindToFloat<decltype(d)> floats;
    const hn::Rebind<std::int8_t, decltype(d)> bytes;
    constexpr std::uint32_t sign = 0x80000000, exponent = ExponentMask << 23;
    for (std::size_t b = 0; b < blocks; ++b) {
        const auto term = hn::Set(d, static_cast<std::int32_t>(terms[b]));
        for (std::size_t i = 0; i < block_datums; i += hn::Lanes(d)) {
            const auto datum =
                hn::PromoteTo(d, hn::LoadU(bytes, reinterpret_cast<const std::int8_t*>(datums) + b * block_datums + i));
            const auto magnitude = hn::And(datum, hn::Set(d, 0x7F));
            const auto sum = hn::Add(hn::BitCast(d, hn::ConvertTo(floats, magnitude)), term);
            // The sign was extended from bit 7 to bit 31, so this shift also fills the exponent.
            auto nothing = hn::ShiftLeft<16>(datum), number = sum;
            if constexpr (ExponentMask != wide_exponent) {
                nothing = hn::And(nothing, hn::BitCast(d, hn::Set(words, sign | exponent)));
                number = hn::And(sum, hn::Set(d, exponent | 0x7FFFFF));
            }
            const auto value = hn::BitCast(d, hn::CopySign(hn::BitCast(floats, number), hn::BitCast(floats, datum)));
            const auto result = hn::IfThenElse(hn::Eq(magnitude, hn::Zero(d)), nothing, value);
            hn::StoreU(hn::BitCast(words, result), words, out + b * block_datums + i);
        }
    }
}

}  // namespace tessera::formats::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TESSERA_FORMATS_BLOCK_FLOAT_INL_HPP_
