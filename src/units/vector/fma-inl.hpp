// SPDX-License-Identifier: Apache-2.0
// The vector unit's multiply-add in integer lanes (docs/numerics.md 8, FMA): nothing of the host's floating point takes
// part. Included once per target.
#if defined(TESSERA_UNITS_VECTOR_FMA_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_UNITS_VECTOR_FMA_INL_HPP_
#undef TESSERA_UNITS_VECTOR_FMA_INL_HPP_
#else
#define TESSERA_UNITS_VECTOR_FMA_INL_HPP_
#endif

#include "tessera/arch.hpp"
#include "units/vector/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera::units::vector::HWY_NAMESPACE {

using LongLanes = hn::Repartition<std::uint64_t, Lanes>;
using Longs = hn::Vec<LongLanes>;

/// f(product of 64 bits) of each lane; of what f gives, the low 32 bits count.
template <class F>
HWY_INLINE Words of_products(Words x, Words y, F&& f) {
    const LongLanes d;
    const Longs even = hn::MulEven(x, y);
    const Longs odd = hn::MulEven(hn::BitCast(Lanes(), hn::ShiftRight<32>(hn::BitCast(d, x))),
                                  hn::BitCast(Lanes(), hn::ShiftRight<32>(hn::BitCast(d, y))));
    return hn::BitCast(Lanes(), hn::Or(hn::And(f(even), hn::Set(d, 0xFFFFFFFF)), hn::ShiftLeft<32>(f(odd))));
}

/// With the leading one, below which there are 23 bits; 0 for exponent 0.
HWY_INLINE Words significand(Words x, Words exponent) {
    const Words all = hn::Or(hn::And(x, word(mantissa_bits)), word(1 << 23));
    return hn::IfThenZeroElse(hn::Eq(exponent, word(0)), all);
}

/// The product of two significands, three bits more than one has, and in the lowest whether any was dropped.
HWY_INLINE Words product(Words x, Words y) {
    return of_products(x, y, [](Longs p) HWY_ATTR {
        const LongLanes d;
        const Longs dropped = hn::And(p, hn::Set(d, 0xFFFFF));
        const Longs sticky = hn::ShiftRight<20>(hn::Add(dropped, hn::Set(d, 0xFFFFF)));
        return hn::Or(hn::ShiftRight<20>(p), sticky);
    });
}

/// Shifted to the right; whether bits were lost is in the lowest bit, unless nothing is left.
HWY_INLINE Words aligned(Words x, Integers by) {
    const Words s = as_words(hn::Min(by, integer(31)));
    const Words kept = x >> s;
    const auto exact = hn::Or(hn::Eq(kept << s, x), hn::Eq(kept, word(0)));
    return hn::Or(kept, hn::IfThenZeroElse(exact, word(1)));
}

/// Normalised: the leading one becomes bit 26. `shift` is to the right, at most 3, or to the left if negative.
template <Arch Chip>
HWY_INLINE Words normalised(Words x, Integers shift) {
    const Words left = as_words(hn::Max(hn::Sub(integer(0), shift), integer(0)));
    const Words right = as_words(hn::Max(shift, integer(0)));
    const Words shifted = (x << left) >> right;
    Words lost;
    if constexpr (Chip == Arch::blackhole) {
        const Words seen = hn::And(x, hn::Or(right, word(1)));
        lost = hn::IfThenZeroElse(hn::Eq(seen, word(0)), word(1));
    } else {
        lost = hn::And(x, word(1));
    }
    return hn::Or(shifted, hn::IfThenZeroElse(hn::Eq(right, word(0)), lost));
}

/// x * y + z.
template <Arch Chip>
HWY_INLINE Words fma(Words x, Words y, Words z) {
    constexpr bool blackhole = Chip == Arch::blackhole;
    const Words infinity = word(exponent_bits), magnitude = word(~sign_bit), zero = word(0);
    const Words x_exponent = exponent_of(x), y_exponent = exponent_of(y), z_exponent = exponent_of(z);
    const Words xm = significand(x, x_exponent), ym = significand(y, y_exponent);
    const Words p_sign = hn::And(hn::Xor(x, y), word(sign_bit)), z_sign = hn::And(z, word(sign_bit));
    Integers pe = hn::Sub(as_integers(hn::Add(x_exponent, y_exponent)), integer(127));

    const Words xa = hn::And(x, magnitude), ya = hn::And(y, magnitude), za = hn::And(z, magnitude);
    const auto too_large = lanes_of(hn::Gt(pe, integer(254)));
    const auto infinite_factor = hn::Or(hn::Eq(x_exponent, word(255)), hn::Eq(y_exponent, word(255)));
    const auto infinite_z = hn::Eq(za, infinity), nan_z = less(infinity, za);
    const auto special = hn::Or(hn::Or(infinite_factor, too_large), hn::Or(infinite_z, nan_z));
    const auto opposite = hn::Ne(p_sign, z_sign);
    // A factor that is NaN, or infinity times zero; infinities that cancel.
    const auto nan_product = hn::Or(hn::Or(less(infinity, xa), less(infinity, ya)),
                                    hn::And(infinite_factor, hn::Or(hn::Eq(xm, zero), hn::Eq(ym, zero))));
    const auto product_infinite = blackhole ? infinite_factor : hn::Or(infinite_factor, too_large);
    const auto nan_of_product = hn::Or(nan_product, hn::And(hn::And(infinite_z, product_infinite), opposite));
    const auto nan = hn::Or(nan_of_product, nan_z);
    const Words infinite = hn::IfThenElse(infinite_z, z, hn::Or(p_sign, infinity));

    Words pm = product(xm, ym);
    const auto vanishes = hn::Or(hn::Eq(pm, zero), lanes_of(hn::Lt(pe, integer(0))));
    pm = hn::IfThenZeroElse(vanishes, pm);
    pe = hn::IfThenZeroElse(hn::RebindMask(SignedLanes(), vanishes), hn::Min(pe, integer(255)));
    const Words zm = hn::ShiftLeft<3>(significand(z, z_exponent));

    // The one of the smaller exponent is aligned.
    const Integers ze = as_integers(z_exponent), apart = hn::Sub(pe, ze);
    const auto z_larger = lanes_of(hn::Lt(apart, integer(0)));
    const Words small = aligned(hn::IfThenElse(z_larger, pm, zm), hn::Abs(apart));
    const Words pa = hn::IfThenElse(z_larger, small, pm), ra = hn::IfThenElse(z_larger, zm, small);
    const auto z_wins = less(pa, ra);
    const Words sign = hn::IfThenElse(z_wins, z_sign, p_sign);
    const Words sum = hn::IfThenElse(opposite, as_words(hn::Abs(as_integers(hn::Sub(pa, ra)))), hn::Add(pa, ra));

    Integers shift = hn::Sub(integer(5), as_integers(leading_zeros(sum)));
    Integers exponent = hn::Add(hn::Max(pe, ze), shift);
    const auto overflows = lanes_of(hn::Gt(exponent, integer(254)));
    if constexpr (blackhole) {
        const auto below = hn::Lt(exponent, integer(1));
        shift = hn::Add(shift, hn::IfThenElseZero(below, integer(1)));
        exponent = hn::IfThenZeroElse(below, exponent);
    }
    const Words bits = normalised<Chip>(sum, shift);
    const Words fraction = hn::And(hn::ShiftRight<3>(bits), word(mantissa_bits));
    Words result = hn::Add(hn::ShiftLeft<23>(as_words(exponent)), fraction);
    // To nearest, a tie to even.
    const Words guard = hn::And(bits, word(7)), odd = hn::And(result, word(1));
    result = hn::Add(result, hn::ShiftRight<3>(hn::Add(hn::Add(guard, odd), word(3))));
    const auto denormal = hn::Eq(hn::ShiftRight<23>(result), zero), nothing = hn::Eq(sum, zero);
    result = hn::IfThenElse(overflows, infinity, result);

    if constexpr (blackhole) {
        result = hn::Or(hn::IfThenZeroElse(denormal, result), sign);
        result = hn::IfThenElse(nothing, hn::And(p_sign, z_sign), result);
        return hn::IfThenElse(special, hn::IfThenElse(nan, word(0x7FC00000), infinite), result);
    } else {
        // What a NaN meets on its way through the adder can leak into its mantissa.
        const auto flushed = hn::Or(hn::Or(nothing, denormal), lanes_of(hn::Lt(exponent, integer(0))));
        result = hn::IfThenZeroElse(flushed, result);
        const Words leaked = hn::IfThenZeroElse(overflows, result);
        const Words nan_sign = hn::IfThenElse(nan_of_product, p_sign, z_sign);
        const Words nan_bits = hn::Or(hn::Or(nan_sign, word(0x7F800001)), leaked);
        result = hn::IfThenElse(flushed, zero, hn::Or(result, sign));
        return hn::IfThenElse(nan, nan_bits, hn::IfThenElse(special, infinite, result));
    }
}

}  // namespace tessera::units::vector::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TESSERA_UNITS_VECTOR_FMA_INL_HPP_
