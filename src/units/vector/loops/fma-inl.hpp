// SPDX-License-Identifier: Apache-2.0
// The vector unit's multiply-add in integer lanes (docs/internals/numerics.md 8, FMA), without the host's floating
// point. Included once per target.
#if defined(TESSERA_UNITS_VECTOR_FMA_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_UNITS_VECTOR_FMA_INL_HPP_
#undef TESSERA_UNITS_VECTOR_FMA_INL_HPP_
#else
#define TESSERA_UNITS_VECTOR_FMA_INL_HPP_
#endif

#include "tessera/arch.hpp"
#include "units/vector/loops/indirect-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera::units::vector::HWY_NAMESPACE {

/// Products of 64 bits: upper and lower halves.
struct Products {
    HWY_INLINE Products(Words x, Words y) {
        const Words even = hn::BitCast(Lanes(), hn::MulEven(x, y));
        const Words odd = hn::BitCast(Lanes(), hn::MulEven(hn::DupOdd(x), hn::DupOdd(y)));
        upper = hn::OddEven(odd, hn::DupOdd(even));
        lower = hn::OddEven(hn::DupEven(odd), even);
    }
    Words upper, lower;
};

/// Lanes with NaN or infinity as a factor or addend, or with a too large product. `result`: the sum if they were
/// numbers.
template <Arch Chip>
HWY_INLINE Words with_specials(Words x, Words y, Words z, Integers product_exponent, Words result) {
    constexpr bool blackhole = Chip == Arch::blackhole;
    const Words infinity = word(exponent_bits), first_normal = word(1 << 23);
    const Words p_sign = hn::And(hn::Xor(x, y), word(sign_bit)), z_sign = hn::And(z, word(sign_bit));
    x = hn::And(x, word(~sign_bit));
    y = hn::And(y, word(~sign_bit));
    const Words za = hn::And(z, word(~sign_bit));

    const auto large = lanes_of(hn::Gt(product_exponent, integer(254)));
    const auto infinite_factor = hn::Not(hn::And(less(x, infinity), less(y, infinity)));
    const auto infinite_z = hn::Eq(za, infinity), nan_z = less(infinity, za);
    // A factor is NaN, or infinity times zero, or infinities cancel.
    const auto zero_factor = hn::Or(less(x, first_normal), less(y, first_normal));
    const auto nan_product =
        hn::Or(hn::Or(less(infinity, x), less(infinity, y)), hn::And(infinite_factor, zero_factor));
    const auto infinite_product = blackhole ? infinite_factor : hn::Or(infinite_factor, large);
    const auto cancel = hn::And(hn::And(infinite_z, infinite_product), hn::Ne(p_sign, z_sign));
    const auto nan_of_product = hn::Or(nan_product, cancel), nan = hn::Or(nan_of_product, nan_z);
    const Words infinite = hn::IfThenElse(infinite_z, z, hn::Or(p_sign, infinity));
    const auto special = hn::Or(hn::Or(infinite_factor, large), hn::Or(infinite_z, nan_z));

    Words nan_bits = word(0x7FC00000);
    if constexpr (!blackhole) {
        // The adder can leak another operand's bits into a NaN's mantissa.
        const Words magnitude = hn::And(result, word(~sign_bit));
        const Words leaked = hn::IfThenElseZero(less(magnitude, infinity), magnitude);
        const Words sign = hn::IfThenElse(nan_of_product, p_sign, z_sign);
        nan_bits = hn::Or(hn::Or(sign, word(0x7F800001)), leaked);
    }
    return hn::IfThenElse(nan, nan_bits, hn::IfThenElse(special, infinite, result));
}

/// x * y + z of any numbers.
template <Arch Chip>
HWY_NOINLINE Words fma_of_any(Words x, Words y, Words z) {
    constexpr bool blackhole = Chip == Arch::blackhole;
    const Words sign_mask = word(sign_bit), one = word(1);
    const Integers x_exponent = as_integers(exponent_of(x)), y_exponent = as_integers(exponent_of(y)),
                   z_exponent = as_integers(exponent_of(z));
    const Integers product_exponent = hn::Sub(hn::Add(x_exponent, y_exponent), integer(127));

    // The product in 28 bits: a significand and three bits below it, the lowest of which says whether any bit was
    // dropped. Zero if a factor or the exponent is too small.
    const Products product(hn::Or(hn::ShiftLeft<8>(x), sign_mask),
                           hn::Or(hn::And(hn::ShiftLeft<4>(y), word(mantissa_bits << 4)), word(1 << 27)));
    const Integers least = hn::Min(hn::Sub(hn::Min(x_exponent, y_exponent), integer(1)), product_exponent);
    const auto vanishes = hn::Lt(least, integer(0));
    const Words p = hn::IfThenZeroElse(lanes_of(vanishes), hn::Or(product.upper, hn::Min(product.lower, one)));
    const Integers p_exponent = hn::IfThenZeroElse(vanishes, hn::Min(product_exponent, integer(255)));
    const Words z_bits = hn::Or(hn::And(hn::ShiftLeft<3>(z), word(mantissa_bits << 3)), word(1 << 26));
    const Words addend = hn::IfThenZeroElse(lanes_of(hn::Eq(z_exponent, integer(0))), z_bits);

    // Shifts the operand with the smaller exponent. Its lowest bit says whether bits were lost, unless nothing is
    // left.
    const Integers apart = hn::Sub(p_exponent, z_exponent);
    const auto z_larger = lanes_of(hn::Lt(apart, integer(0)));
    const Words larger = hn::IfThenElse(z_larger, addend, p), smaller = hn::IfThenElse(z_larger, p, addend);
    const Words by = as_words(hn::Min(hn::Abs(apart), integer(31)));
    const Words kept = smaller >> by, lost = hn::Xor(kept << by, smaller);
    const Words small = hn::Or(kept, hn::Min(hn::Min(kept, lost), one));

    const Words p_sign = hn::Xor(x, y), opposite = as_words(hn::BroadcastSignBit(as_integers(hn::Xor(p_sign, z))));
    const Words sum = hn::Add(larger, hn::Sub(hn::Xor(small, opposite), opposite));
    Words sign = hn::And(hn::Xor(hn::IfThenElse(z_larger, z, p_sign), sum), sign_mask);
    Words magnitude = as_words(hn::Abs(as_integers(sum)));
    const auto nothing = hn::Eq(sum, word(0));
    if constexpr (blackhole)
        sign = hn::IfThenElse(nothing, hn::And(hn::And(p_sign, z), sign_mask), sign);
    else  // A sum of 4 or more loses the bit above its lowest.
        magnitude = hn::AndNot(hn::And(hn::ShiftRight<27>(magnitude), word(2)), magnitude);

    // The leading one becomes bit 30, so that all lower bits have room; for a denormal, bit 29.
    const Integers place = biased_place(magnitude);
    Integers exponent = hn::Add(hn::Max(p_exponent, z_exponent), hn::Sub(place, integer(153)));
    const auto overflows = lanes_of(hn::Gt(exponent, integer(254)));
    exponent = hn::Min(exponent, integer(255));
    Integers left = hn::Sub(integer(157), place);
    if constexpr (blackhole) {
        const auto denormal = hn::Lt(exponent, integer(1));
        left = hn::Sub(left, hn::IfThenElseZero(denormal, integer(1)));
        exponent = hn::Max(exponent, integer(1));
    }
    const Words bits = magnitude << hn::And(as_words(left), word(31));
    // To nearest, ties to even.
    const Words odd = hn::And(hn::ShiftRight<7>(bits), one);
    const Words rounded = hn::ShiftRight<7>(hn::Add(bits, hn::Add(odd, word(0x3F))));
    Words result = hn::Add(hn::ShiftLeft<23>(as_words(hn::Sub(exponent, integer(1)))), rounded);
    // Done before the value is read as signed: a mantissa of ones may carry into an infinite exponent.
    result = hn::IfThenElse(overflows, word(exponent_bits), result);
    const auto flushed = hn::Or(less(result, word(1 << 23)), nothing);
    if constexpr (blackhole)
        result = hn::Or(hn::IfThenZeroElse(flushed, result), sign);
    else
        result = hn::IfThenZeroElse(flushed, hn::Or(result, sign));

    const Integers largest = hn::Max(hn::Max(x_exponent, y_exponent), hn::Max(z_exponent, product_exponent));
    if (HWY_LIKELY(hn::AllFalse(SignedLanes(), hn::Gt(largest, integer(254))))) return result;
    return with_specials<Chip>(x, y, z, product_exponent, result);
}

constexpr bool shifts_beyond_give_zero = HWY_TARGET <= HWY_AVX2;

/// x >> by and x << by; 0 if `by` is 32 or more.
HWY_INLINE Words shifted_right(Words x, Words by) {
    if constexpr (shifts_beyond_give_zero) return x >> by;
    return hn::IfThenElseZero(less(by, word(32)), x >> hn::And(by, word(31)));
}
HWY_INLINE Words shifted_left(Words x, Words by) {
    if constexpr (shifts_beyond_give_zero) return x << by;
    return hn::IfThenElseZero(less(by, word(32)), x << hn::And(by, word(31)));
}

/// x * y + z, and the lanes that need fma_of_any().
struct UsualSum {
    Words result;
    Chosen large;     ///< an exponent is near the largest
    Chosen denormal;  ///< Blackhole: possibly denormal, by its mantissa in `scaled`
    Words scaled;
};

/// fma_of_any() in fewer steps: a conversion to float normalises and rounds the sum. Valid while no exponent is near
/// the largest; too small results need no second look. Exponents stay in place.
template <Arch Chip>
HWY_INLINE UsualSum usual_fma(Words x, Words y, Words z) {
    constexpr bool blackhole = Chip == Arch::blackhole;
    constexpr std::uint32_t exponent_1 = 1 << 23;
    const Words sign_mask = word(sign_bit), one = word(1), all_exponent = word(exponent_bits);
    const Words x_exponent = hn::And(x, all_exponent), y_exponent = hn::And(y, all_exponent),
                z_exponent = hn::And(z, all_exponent);
    const Words exponents = hn::Add(x_exponent, y_exponent);  // of 9 bits

    const Products product(hn::Or(hn::ShiftLeft<8>(x), sign_mask),
                           hn::OrAnd(word(1 << 27), hn::ShiftLeft<4>(y), word(mantissa_bits << 4)));
    const auto vanishes = hn::Or(hn::Or(hn::Eq(x_exponent, word(0)), hn::Eq(y_exponent, word(0))),
                                 hn::Lt(exponents, word(127 * exponent_1)));
    const Words p = hn::IfThenZeroElse(vanishes, hn::Or(product.upper, hn::Min(product.lower, one)));
    const Words p_exponent = hn::IfThenZeroElse(vanishes, hn::Sub(exponents, word(127 * exponent_1)));
    const Words z_bits = hn::OrAnd(word(1 << 26), hn::ShiftLeft<3>(z), word(mantissa_bits << 3));
    const Words addend = hn::IfThenZeroElse(hn::Eq(z_exponent, word(0)), z_bits);

    const Words apart = hn::Sub(p_exponent, z_exponent);
    const auto z_larger = less(apart, word(0));
    const Words larger = hn::IfThenElse(z_larger, addend, p), smaller = hn::IfThenElse(z_larger, p, addend);
    const Words by = hn::ShiftRight<23>(as_words(hn::Abs(as_integers(apart))));
    const Words kept = shifted_right(smaller, by), lost = hn::Xor(shifted_left(kept, by), smaller);
    const Words small = hn::Or(kept, hn::Min(hn::Min(kept, lost), one));

    const Words p_sign = hn::Xor(x, y), opposite = as_words(hn::BroadcastSignBit(as_integers(hn::Xor(p_sign, z))));
    const Words sum = hn::Add(larger, hn::Sub(hn::Xor(small, opposite), opposite));
    Words sign = hn::Xor(hn::IfThenElse(z_larger, z, p_sign), sum);
    Words magnitude = as_words(hn::Abs(as_integers(sum)));
    const auto nothing = hn::Eq(sum, word(0));
    if constexpr (blackhole)
        sign = hn::IfThenElse(nothing, hn::And(p_sign, z), sign);
    else  // A sum of 4 or more loses the bit above its lowest.
        magnitude = hn::AndNot(hn::And(hn::ShiftRight<27>(magnitude), word(2)), magnitude);

    const hn::RebindToFloat<SignedLanes> floats;
    const Words rounded = hn::BitCast(Lanes(), hn::ConvertTo(floats, as_integers(magnitude)));
    const Words exponent = hn::Max(p_exponent, z_exponent);
    const Words scaled = hn::Add(rounded, hn::Sub(exponent, word((127 + 26) * exponent_1)));
    const auto too_small = less(scaled, word(exponent_1)), flushed = hn::Or(too_small, nothing);
    Words result = scaled;
    if constexpr (blackhole)
        result = hn::OrAnd(hn::IfThenZeroElse(flushed, scaled), sign, sign_mask);
    else
        result = hn::IfThenZeroElse(flushed, hn::OrAnd(scaled, sign, sign_mask));

    // Two below the largest exponent, since a sum may still grow.
    const Words largest = hn::Max(hn::Max(x_exponent, y_exponent), exponent);
    return {result, hn::Gt(largest, word(252 * exponent_1)), hn::AndNot(nothing, too_small), scaled};
}

/// x * y + z of any numbers, with a fast path for usual ones.
template <Arch Chip>
struct AnyNumbers {
    HWY_INLINE Words operator()(Words x, Words y, Words z) const {
        const UsualSum sum = usual_fma<Chip>(x, y, z);
        if constexpr (Chip != Arch::blackhole) {
            if (HWY_LIKELY(hn::AllFalse(Lanes(), sum.large))) return sum.result;
            return fma_of_any<Chip>(x, y, z);
        }
        if (HWY_LIKELY(hn::AllFalse(Lanes(), hn::Or(sum.large, sum.denormal)))) return sum.result;
        // A denormal is rounded one place higher, which makes a normal number only of a mantissa of ones.
        const auto ones = hn::Eq(hn::And(hn::Add(sum.scaled, word(1)), word(mantissa_bits - 1)), word(0));
        if (hn::AllFalse(Lanes(), hn::Or(sum.large, hn::And(sum.denormal, ones)))) return sum.result;
        return fma_of_any<Chip>(x, y, z);
    }
};

/// x * y + z for usual numbers only; records whether all were usual.
template <Arch Chip>
class UsualNumbers {
public:
    HWY_INLINE UsualNumbers() : others_(hn::MaskFromVec(hn::Zero(Lanes()))) {}
    HWY_INLINE Words operator()(Words x, Words y, Words z) {
        const UsualSum sum = usual_fma<Chip>(x, y, z);
        others_ = hn::Or(others_, Chip == Arch::blackhole ? hn::Or(sum.large, sum.denormal) : sum.large);
        return sum.result;
    }
    HWY_INLINE bool all() const { return hn::AllFalse(Lanes(), others_); }

private:
    Chosen others_;
};

/// Binds an Operation to its multiply-add.
template <class Operation>
struct OfAnyNumbers {
    static HWY_INLINE Words value(const LaneWork& work, const Part& part) {
        return Operation::value(work, part, AnyNumbers<Operation::chip>());
    }
};

/// VD = Operation. Without calls between the parts, they share constants.
template <class Operation>
void compute_sum(const LaneWork& what, state::State& state) {
    const LaneWork work = what;  // a local copy: stores cannot change it
    constexpr unsigned step = hn::MaxLanes(Lanes()), parts = state::LRegs::lanes / step;
    UsualNumbers<Operation::chip> fma;
    Words results[parts];
    HWY_UNROLL(8)
    for (unsigned i = 0; i < parts; ++i) results[i] = Operation::value(work, Part(state, i * step), fma);
    if (HWY_UNLIKELY(!fma.all())) return compute<OfAnyNumbers<Operation>>(what, state);
    HWY_UNROLL(8)
    for (unsigned i = 0; i < parts; ++i) {
        const Part part(state, i * step);
        work.lanes == ~0u ? part.store(work.d, results[i]) : part.store(work.d, part.chosen(work.lanes), results[i]);
    }
}

template <class Operation>
constexpr LaneWork::Loop sum_loop_for(bool indirect) {
    return indirect ? compute_indirect<OfAnyNumbers<Operation>> : compute_sum<Operation>;
}

}  // namespace tessera::units::vector::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TESSERA_UNITS_VECTOR_FMA_INL_HPP_
