// SPDX-License-Identifier: Apache-2.0
// The formats of scalar_formats.hpp and integer_formats.hpp, for single values and in lanes of 32 bits. Included once
// per target.
#if defined(TESSERA_TENSOR_SCALAR_LANES_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_TENSOR_SCALAR_LANES_INL_HPP_
#undef TESSERA_TENSOR_SCALAR_LANES_INL_HPP_
#else
#define TESSERA_TENSOR_SCALAR_LANES_INL_HPP_
#endif

#include <hwy/highway.h>

#include <cstdint>
#include <limits>
#include <type_traits>

#include "formats/datum_size.hpp"
#include "tensor/integer_formats.hpp"
#include "tensor/scalar_formats.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera::tensor::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Columns = hn::CappedTag<std::uint32_t, formats::block_datums>;
using Floats = hn::RebindToFloat<Columns>;
using Integers = hn::RebindToSigned<Columns>;
using Words = hn::Vec<Columns>;

HWY_INLINE Words word(std::uint32_t x) { return hn::Set(Columns(), x); }
HWY_INLINE hn::Vec<Floats> as_floats(Words x) { return hn::BitCast(Floats(), x); }
template <class V>
HWY_INLINE Words as_words(V x) {
    return hn::BitCast(Columns(), x);
}
/// Lane-wise `a < b ? yes : no`, signed.
HWY_INLINE Words if_less(Words a, Words b, Words yes, Words no) {
    const Integers d;
    return hn::IfThenElse(hn::RebindMask(Columns(), hn::Lt(hn::BitCast(d, a), hn::BitCast(d, b))), yes, no);
}

// Formats: conversion of single values, and of lanes (bits of a float, datums of `Word`).

struct Float32 {
    using Word = std::uint32_t;
    static std::uint32_t encode(float value) { return to_float32(value); }
    static HWY_INLINE Words encode(Words bits) { return bits; }
    static float decode(std::uint32_t datum) { return from_float32(datum); }
    static HWY_INLINE Words decode(Words datum) { return datum; }
};

/// Vector form of without_low_bits().
template <unsigned Drop>
HWY_INLINE Words without_low_lanes(Words bits) {
    const Words odd = hn::And(hn::ShiftRight<Drop>(bits), word(1));
    const Words rounded = hn::Add(hn::Add(bits, word((1u << (Drop - 1)) - 1)), odd);
    const Words magnitude = hn::And(bits, word(0x7FFF'FFFF)), quiet = hn::Or(bits, word(0x40'0000));
    return hn::ShiftRight<Drop>(if_less(word(0x7F80'0000), magnitude, quiet, rounded));
}

struct Tf32 : Float32 {
    static std::uint32_t encode(float value) { return to_tf32(value); }
    static HWY_INLINE Words encode(Words bits) { return hn::ShiftLeft<13>(without_low_lanes<13>(bits)); }
};

struct Float16B {
    using Word = std::uint16_t;
    static std::uint32_t encode(float value) { return to_float16_b(value); }
    static HWY_INLINE Words encode(Words bits) { return without_low_lanes<16>(bits); }
    static float decode(std::uint32_t datum) { return from_float16_b(datum); }
    static HWY_INLINE Words decode(Words datum) { return hn::ShiftLeft<16>(datum); }
};

template <class DatumWord, unsigned ExponentBits, unsigned MantissaBits>
struct SmallFloat {
    using Word = DatumWord;
    static constexpr unsigned bias = (1u << (ExponentBits - 1)) - 1, drop = 23 - MantissaBits,
                              sign_bit = ExponentBits + MantissaBits;
    static constexpr std::uint32_t rebias = (127 - bias) << 23, smallest_normal = rebias + (1u << 23);

    static std::uint32_t encode(float value) { return to_small_float<ExponentBits, MantissaBits>(value); }
    static HWY_INLINE Words encode(Words bits) {
        // A float whose last bit has a denormal's weight: adding it rounds.
        constexpr std::uint32_t denormal_places = smallest_normal + (drop << 23);
        const Words magnitude = hn::And(bits, word(0x7FFF'FFFF));
        const Words odd = hn::And(hn::ShiftRight<drop>(magnitude), word(1));
        const Words normal =
            hn::ShiftRight<drop>(hn::Add(hn::Add(magnitude, word((1u << (drop - 1)) - 1 - rebias)), odd));
        const Words sum = as_words(hn::Add(as_floats(magnitude), as_floats(word(denormal_places))));
        const Words result = if_less(magnitude, word(smallest_normal), hn::Sub(sum, word(denormal_places)), normal);
        const Words sign = hn::And(hn::ShiftRight<31 - sign_bit>(bits), word(1u << sign_bit));
        return hn::Or(hn::Min(result, word((1u << sign_bit) - 1)), sign);
    }
    static float decode(std::uint32_t datum) { return from_small_float<ExponentBits, MantissaBits>(datum); }
    static HWY_INLINE Words decode(Words datum) {
        const Words magnitude = hn::ShiftLeft<drop>(hn::And(datum, word((1u << sign_bit) - 1)));
        // A denormal becomes the fraction of a number that is subtracted afterwards.
        const Words one = word(smallest_normal);
        const Words denormal = as_words(hn::Sub(as_floats(hn::Or(magnitude, one)), as_floats(one)));
        const Words result = if_less(magnitude, word(1u << 23), denormal, hn::Add(magnitude, word(rebias)));
        return hn::Or(result, hn::And(hn::ShiftLeft<31 - sign_bit>(datum), word(0x8000'0000)));
    }
};
using Float16 = SmallFloat<std::uint16_t, 5, 10>;
using Lf8 = SmallFloat<std::uint8_t, 5, 2>;
using E4m3 = SmallFloat<std::uint8_t, 4, 3>;

struct IeeeHalf {
    using Word = std::uint16_t;
    static float decode(std::uint32_t datum) { return from_ieee_half(static_cast<Word>(datum)); }
    static HWY_INLINE Words decode(Words datum) {
        const Words number = Float16::decode(datum), largest_exponent = word(0x7C00);
        const auto is_number = hn::Ne(hn::And(datum, largest_exponent), largest_exponent);
        return hn::IfThenElse(is_number, number, hn::Or(number, word(0x7F80'0000)));
    }
};

/// The formats that packers make from FP32.
struct LateFloat16 : Float16 {
    static std::uint32_t encode(float value) { return late_float16(value); }
    static HWY_INLINE Words encode(Words bits) {
        const Words magnitude = hn::Max(hn::And(bits, word(0x7FFF'FFFF)), word(rebias));
        const Words cut = hn::ShiftRight<drop>(hn::Sub(magnitude, word(rebias)));
        return hn::Or(hn::Min(cut, word(0x7FFF)), hn::And(hn::ShiftRight<16>(bits), word(0x8000)));
    }
};
struct LateLf8 : Lf8 {
    static std::uint32_t encode(float value) { return late_lf8(value); }
    static HWY_INLINE Words encode(Words bits) { return hn::ShiftRight<8>(LateFloat16::encode(bits)); }
};
struct LateFloat16B : Float16B {
    static std::uint32_t encode(float value) { return late_float16_b(value); }
    static HWY_INLINE Words encode(Words bits) {
        const Words upper = hn::ShiftRight<16>(bits);
        return hn::IfThenZeroElse(hn::Eq(hn::And(bits, word(0x7F80'0000)), word(0)), upper);
    }
};

/// Vector form of to_integer() for non-NaN values, clamped; results saturate at 32 bits.
HWY_INLINE hn::Vec<Integers> rounded_lanes(hn::Vec<Floats> values, float least, float most) {
    const Floats d;
    return hn::NearestInt(hn::Min(hn::Max(values, hn::Set(d, least)), hn::Set(d, most)));
}
HWY_INLINE hn::Vec<Floats> without_nan(Words bits) {
    const auto values = as_floats(bits);
    return hn::IfThenElseZero(hn::Eq(values, values), values);
}

template <class Integer>
struct PlainInteger {
    using Word = std::make_unsigned_t<Integer>;
    static std::uint32_t encode(std::int64_t integer) { return to_plain_integer<Integer>(integer); }
    static std::uint32_t encode(float value) { return encode(to_integer(value)); }
    static HWY_INLINE Words encode(Words bits) {
        const auto values = without_nan(bits);
        if constexpr (!std::is_same_v<Integer, std::uint32_t>) {
            using Limits = std::numeric_limits<Integer>;
            return as_words(
                rounded_lanes(values, static_cast<float>(Limits::min()), static_cast<float>(Limits::max())));
        } else {
            const Floats d;
            const auto middle = hn::Set(d, 0x1p31f);
            const auto large = hn::Ge(values, middle);
            const Words rest = as_words(rounded_lanes(hn::Sub(values, hn::IfThenElseZero(large, middle)), 0, 0x1p31f));
            return hn::Or(rest, hn::IfThenElseZero(hn::RebindMask(Columns(), large), word(0x8000'0000)));
        }
    }
    static auto decode(std::uint32_t datum) { return from_plain_integer<Integer>(datum); }
};

struct SignMagnitude {
    using Word = std::uint8_t;
    static std::uint32_t encode(std::int64_t integer) { return to_sign_magnitude(integer); }
    static std::uint32_t encode(float value) { return encode(to_integer(value)); }
    static HWY_INLINE Words encode(Words bits) {
        const auto integers = rounded_lanes(without_nan(bits), -127, 127);
        return hn::Or(as_words(hn::Abs(integers)), hn::And(as_words(integers), word(0x80)));
    }
    static auto decode(std::uint32_t datum) { return from_sign_magnitude(datum); }
};

}  // namespace tessera::tensor::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TESSERA_TENSOR_SCALAR_LANES_INL_HPP_
