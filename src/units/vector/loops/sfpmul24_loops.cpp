// SPDX-License-Identifier: Apache-2.0
// SFPMUL24 (its page, Functional model).
// Rules: rules/multiply_add.cpp; reference: reference/models/vector_arithmetic.cpp, reference/models/vector_lut.cpp.
#include "util/vector_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "units/vector/loops/sfpmul24_loops.cpp"
#include <hwy/foreach_target.h>

#include "units/vector/loops/fma-inl.hpp"
#include "units/vector/loops/indirect-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera::units::vector::HWY_NAMESPACE {

namespace {

/// The floating-point adder reads an integer product as one with exponent 129. An addend with exponent 0 is ignored.
HWY_INLINE Words with_addend(Words product, Words addend) {
    const Words product_exponent = word(129), exponent = exponent_of(addend);
    const Words larger = hn::Max(product_exponent, exponent);
    const Words shift = hn::And(hn::Sub(larger, exponent), word(31));
    const Words whole = hn::ShiftLeft<3>(hn::Or(hn::And(addend, word(mantissa_bits)), word(1 << 23)));
    const Words kept = whole >> shift;
    const Words dropped = hn::Xor(kept << shift, whole);
    const Words shifted = product >> hn::And(hn::Sub(larger, product_exponent), word(31));
    const Words carry = hn::IfThenElseZero(less(word(0xFFFF), dropped), word(1 << 16));
    const Words sum = hn::And(hn::Add(hn::Add(shifted, kept), carry), word(mantissa_bits));
    const Words result = hn::IfThenElse(hn::Eq(kept, word(0)), shifted, sum);
    return hn::IfThenElse(hn::Eq(exponent, word(0)), product, result);
}

template <bool Upper, bool IndirectA>
struct Multiply {
    static HWY_INLINE Words value(const LaneWork& w, const Part& x) {
        const Words a = hn::And(IndirectA ? x.named_by(x[index_lreg]) : x[w.a], word(mantissa_bits));
        const Words b = hn::And(x[w.b], word(mantissa_bits));
        // In place for the upper half.
        const Products product(Upper ? hn::ShiftLeft<9>(a) : a, b);
        const Words half = Upper ? product.upper : hn::And(product.lower, word(mantissa_bits));
        return with_addend(half, x[w.c]);
    }
};

LaneWork::Loop loop_of(bool upper, bool indirect_a, bool indirect) {
    if (upper) return indirect_a ? loop_for<Multiply<true, true>>(indirect) : loop_for<Multiply<true, false>>(indirect);
    return indirect_a ? loop_for<Multiply<false, true>>(indirect) : loop_for<Multiply<false, false>>(indirect);
}

}  // namespace

}  // namespace tessera::units::vector::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tessera::units::vector {

namespace {

TESSERA_VERSIONS(loop_of);

}  // namespace

plan::LaneWork::Loop multiply_24_loop(bool upper, bool indirect_a, bool indirect) {
    return TESSERA_BEST_VERSION(loop_of)(upper, indirect_a, indirect);
}

}  // namespace tessera::units::vector

#endif  // HWY_ONCE
