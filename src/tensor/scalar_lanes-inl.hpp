// SPDX-License-Identifier: Apache-2.0
// Single values as scalar_formats.hpp and integer_formats.hpp convert them, in lanes of 32 bits. Included once per target.
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
/// `yes` where a < b, as signed integers.
HWY_INLINE Words if_less(Words a, Words b, Words yes, Words no) {
    const Integers d;
    return hn::IfThenElse(hn::RebindMask(Columns(), hn::Lt(hn::BitCast(d, a), hn::BitCast(d, b))), yes, no);
}

/// to_small_float() and from_small_float().
template <unsigned ExponentBits, unsigned MantissaBits>
struct SmallFloat {
    static constexpr unsigned bias = (1u << (ExponentBits - 1)) - 1, drop = 23 - MantissaBits,
                              sign_bit = ExponentBits + MantissaBits;
    static constexpr std::uint32_t rebias = (127 - bias) << 23, smallest_normal = rebias + (1u << 23);

    static HWY_INLINE Words encode(Words bits) {
        // Where a float has its last bit at a denormal's: adding it rounds.
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
    static HWY_INLINE Words decode(Words datum) {
        const Words magnitude = hn::ShiftLeft<drop>(hn::And(datum, word((1u << sign_bit) - 1)));
        // A denormal as the fraction of a number that is then subtracted.
        const Words one = word(smallest_normal);
        const Words denormal = as_words(hn::Sub(as_floats(hn::Or(magnitude, one)), as_floats(one)));
        const Words result = if_less(magnitude, word(1u << 23), denormal, hn::Add(magnitude, word(rebias)));
        return hn::Or(result, hn::And(hn::ShiftLeft<31 - sign_bit>(datum), word(0x8000'0000)));
    }
};

/// from_ieee_half().
HWY_INLINE Words ieee_half_lanes(Words half) {
    const Words exponent = hn::And(half, word(0x7C00)), infinity = word(0x7F80'0000);
    const Words number = SmallFloat<5, 10>::decode(half);
    // The largest exponent is 2^16's here: its fraction stays, below the exponent of no number.
    return hn::IfThenElse(hn::Eq(exponent, word(0x7C00)), hn::Or(number, infinity), number);
}

/// without_low_bits().
template <unsigned Drop>
HWY_INLINE Words without_low_lanes(Words bits) {
    const Words odd = hn::And(hn::ShiftRight<Drop>(bits), word(1));
    const Words rounded = hn::Add(hn::Add(bits, word((1u << (Drop - 1)) - 1)), odd);
    const Words magnitude = hn::And(bits, word(0x7FFF'FFFF)), quiet = hn::Or(bits, word(0x40'0000));
    return hn::ShiftRight<Drop>(if_less(word(0x7F80'0000), magnitude, quiet, rounded));
}

/// to_integer() of what is not NaN, clamped; beyond an integer of 32 bits, that one's end.
HWY_INLINE hn::Vec<Integers> rounded_lanes(hn::Vec<Floats> values, float least, float most) {
    const Floats d;
    return hn::NearestInt(hn::Min(hn::Max(values, hn::Set(d, least)), hn::Set(d, most)));
}
HWY_INLINE hn::Vec<Floats> without_nan(Words bits) {
    const auto values = as_floats(bits);
    return hn::IfThenElseZero(hn::Eq(values, values), values);
}

/// to_plain_integer() of to_integer().
template <class Integer>
HWY_INLINE Words plain_integer_lanes(Words bits) {
    const auto values = without_nan(bits);
    if constexpr (!std::is_same_v<Integer, std::uint32_t>) {
        using Limits = std::numeric_limits<Integer>;
        return as_words(rounded_lanes(values, static_cast<float>(Limits::min()), static_cast<float>(Limits::max())));
    } else {
        const Floats d;
        const auto middle = hn::Set(d, 0x1p31f);
        const auto large = hn::Ge(values, middle);
        const Words rest = as_words(rounded_lanes(hn::Sub(values, hn::IfThenElseZero(large, middle)), 0, 0x1p31f));
        return hn::Or(rest, hn::IfThenElseZero(hn::RebindMask(Columns(), large), word(0x8000'0000)));
    }
}

/// to_sign_magnitude() of to_integer().
HWY_INLINE Words sign_magnitude_lanes(Words bits) {
    const auto integers = rounded_lanes(without_nan(bits), -127, 127);
    return hn::Or(as_words(hn::Abs(integers)), hn::And(as_words(integers), word(0x80)));
}

}  // namespace tessera::tensor::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TESSERA_TENSOR_SCALAR_LANES_INL_HPP_
