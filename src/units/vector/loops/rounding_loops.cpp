// SPDX-License-Identifier: Apache-2.0
// SFP_STOCH_RND, SFPCAST from integers to FP32, and SFPMOV's random bits (their pages, Functional model).
// Rules: rules/sfpcast_sfp_stoch_rnd.cpp, rules/sfpmov.cpp; reference: reference/models/vector_casts.cpp,
//    reference/models/vector_config.cpp.
#include "units/vector/loops/rounding_loops.hpp"

#include "util/vector_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "units/vector/loops/rounding_loops.cpp"
#include <hwy/foreach_target.h>

#include "units/vector/loops/random-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera::units::vector::HWY_NAMESPACE {

namespace {

/// Of 23 dropped bits: whether they round up.
template <Rounding How>
HWY_INLINE Words threshold(Words random) {
    if constexpr (How == Rounding::nearest) return word(0x400000);
    if constexpr (How == Rounding::zero) return word(0x7FFFFF);
    return hn::And(random, word(0x7FFFFF));
}
HWY_INLINE Words one_unless_less(Words a, Words b) { return hn::IfThenZeroElse(less(a, b), word(1)); }

template <unsigned Dropped, Rounding How>
struct FewerBits {
    static HWY_INLINE Words value(const LaneWork& w, const Part& x, Words random) {
        const Words c = x[w.c], exponent = exponent_of(c);
        const Words dropped = hn::And(c, word((1u << Dropped) - 1));
        const Words up = one_unless_less(dropped, hn::ShiftRight<23 - Dropped>(threshold<How>(random)));
        const Words rounded = hn::Add(hn::Xor(c, dropped), hn::ShiftLeft<Dropped>(up));
        const Words infinity = hn::And(c, word(sign_bit | exponent_bits));
        const Words number = hn::IfThenElse(hn::Eq(exponent, word(255)), infinity, rounded);
        return hn::IfThenZeroElse(hn::Eq(exponent, word(0)), number);
    }
};

/// The magnitude is clamped; zero has no sign.
HWY_INLINE Words bounded(const LaneWork& w, Words signed_as, Words magnitude) {
    const Words kept = hn::Min(magnitude, word(w.immediate & ~sign_bit));
    const Words sign = hn::And(signed_as, word(w.immediate & sign_bit));
    return hn::IfThenZeroElse(hn::Eq(kept, word(0)), hn::Or(kept, sign));
}

template <Rounding How>
struct ToInteger {
    static HWY_INLINE Words value(const LaneWork& w, const Part& x, Words random) {
        const Words c = x[w.c];
        const Integers exponent = hn::Sub(as_integers(exponent_of(c)), integer(127));
        const Words mantissa = hn::Or(hn::And(c, word(mantissa_bits)), word(1 << 23));
        const Words left = as_words(hn::Min(hn::Max(exponent, integer(0)), integer(15)));
        // From 1/2 to below 1 there is no integer part, and the lowest bit is lost.
        const auto half = lanes_of(hn::Eq(exponent, integer(-1)));
        const Words fraction =
            hn::And(hn::IfThenElse(half, hn::ShiftRight<1>(mantissa), mantissa << left), word(mantissa_bits));
        const Words whole = hn::IfThenZeroElse(half, mantissa >> hn::Sub(word(23), left));
        const Words magnitude = hn::Add(whole, one_unless_less(fraction, threshold<How>(random)));
        const Words large = hn::IfThenElse(lanes_of(hn::Gt(exponent, integer(15))), word(~sign_bit), magnitude);
        return bounded(w, c, hn::IfThenZeroElse(lanes_of(hn::Lt(exponent, integer(-1))), large));
    }
};

struct ByImmediate {
    static HWY_INLINE Words amount(const LaneWork& w, const Part&) { return word(w.mode); }
};
struct ByRegister {
    static HWY_INLINE Words amount(const LaneWork& w, const Part& x) { return hn::And(x[w.b], word(31)); }
};
template <class By, Rounding How>
struct Scale {
    static HWY_INLINE Words value(const LaneWork& w, const Part& x, Words random) {
        const Words c = x[w.c], magnitude = hn::And(c, word(~sign_bit));
        const Integers amount = as_integers(By::amount(w, x));
        const Words whole = magnitude >> as_words(amount);
        // The 23 bits below the point.
        const Words left = as_words(hn::Max(hn::Sub(integer(23), amount), integer(0)));
        const Words right = as_words(hn::Max(hn::Sub(amount, integer(23)), integer(0)));
        const Words fraction = hn::And((magnitude << left) >> right, word(mantissa_bits));
        return bounded(w, c, hn::Add(whole, one_unless_less(fraction, threshold<How>(random))));
    }
};

/// A magnitude with its leading one in bit 31, including the bits that do not fit the mantissa.
struct Unrounded {
    HWY_INLINE explicit Unrounded(Words c) {
        const Words magnitude = hn::And(c, word(~sign_bit)), zeros = leading_zeros(magnitude);
        normal = magnitude << hn::And(zeros, word(31));
        const Words exponent = hn::IfThenZeroElse(hn::Eq(magnitude, word(0)), hn::Sub(word(157), zeros));
        const Words truncated = hn::Add(hn::ShiftLeft<23>(exponent), hn::ShiftRight<8>(normal));
        value = hn::Or(truncated, hn::And(c, word(sign_bit)));
    }
    Words normal, value;
};
struct ToFloatNearest {
    static HWY_INLINE Words value(const LaneWork& w, const Part& x) {
        const Unrounded number(x[w.c]);
        const auto up = hn::And(hn::Ne(hn::And(number.normal, word(0x80)), word(0)),
                                hn::Ne(hn::And(number.normal, word(0x17F)), word(0)));
        return hn::Add(number.value, hn::IfThenElseZero(up, word(1)));
    }
};
struct ToFloatStochastic {
    static HWY_INLINE Words value(const LaneWork& w, const Part& x, Words random) {
        const Unrounded number(x[w.c]);
        const Words seven_bits = hn::And(hn::ShiftRight<9>(random), word(0xFE));
        const auto up = less(seven_bits, hn::And(number.normal, word(0xFE)));
        return hn::Add(number.value, hn::IfThenElseZero(up, word(1)));
    }
};

struct RandomBits {
    static HWY_INLINE Words value(const LaneWork&, const Part&, Words random) { return random; }
};

template <Rounding How>
LaneWork::Loop rounded_loop(Narrowing narrowing) {
    static constexpr LaneWork::Loop loops[] = {
        compute_with_random<FewerBits<13, How>>, compute_with_random<FewerBits<16, How>>,
        compute_with_random<ToInteger<How>>, compute_with_random<Scale<ByImmediate, How>>,
        compute_with_random<Scale<ByRegister, How>>};
    static_assert(std::size(loops) == static_cast<unsigned>(Narrowing::count));
    return loops[static_cast<unsigned>(narrowing)];
}

LaneWork::Loop narrowing_of(Narrowing narrowing, Rounding rounding) {
    switch (rounding) {
        case Rounding::nearest: return rounded_loop<Rounding::nearest>(narrowing);
        case Rounding::stochastic: return rounded_loop<Rounding::stochastic>(narrowing);
        default: return rounded_loop<Rounding::zero>(narrowing);
    }
}
LaneWork::Loop to_float(bool stochastic) {
    return stochastic ? compute_with_random<ToFloatStochastic> : compute<ToFloatNearest>;
}
LaneWork::Loop random_bits() { return compute_with_random<RandomBits>; }

}  // namespace

}  // namespace tessera::units::vector::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tessera::units::vector {

namespace {

TESSERA_VERSIONS(narrowing_of);
TESSERA_VERSIONS(to_float);
TESSERA_VERSIONS(random_bits);

}  // namespace

plan::LaneWork::Loop narrowing_loop(Narrowing narrowing, Rounding rounding) {
    return TESSERA_BEST_VERSION(narrowing_of)(narrowing, rounding);
}
plan::LaneWork::Loop integer_to_float_loop(bool stochastic) { return TESSERA_BEST_VERSION(to_float)(stochastic); }
plan::LaneWork::Loop random_loop() { return TESSERA_BEST_VERSION(random_bits)(); }

}  // namespace tessera::units::vector

#endif  // HWY_ONCE
