// SPDX-License-Identifier: Apache-2.0
// Fields of FP32: SFPSETSGN, SFPSETEXP, SFPSETMAN, SFPDIVP2, SFPEXMAN.
// Rules: rules/float_fields.cpp; reference: reference/models/vector_fields.cpp.
#include "units/vector/loops/float_fields_loops.hpp"

#include "util/vector_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "units/vector/loops/float_fields_loops.cpp"
#include <hwy/foreach_target.h>

#include "units/vector/loops/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera::units::vector::HWY_NAMESPACE {

namespace {

template <std::uint32_t Field>
struct OfImmediate {
    static HWY_INLINE Words value(const LaneWork& w, const Part& x) {
        return hn::Or(hn::And(x[w.c], word(~Field)), word(w.immediate));
    }
};
template <std::uint32_t Field>
struct OfRegister {
    static HWY_INLINE Words value(const LaneWork& w, const Part& x) {
        return hn::Or(hn::And(x[w.c], word(~Field)), hn::And(x[w.b], word(Field)));
    }
};
struct ExponentOfInteger {
    static HWY_INLINE Words value(const LaneWork& w, const Part& x) {
        return hn::Or(hn::And(x[w.c], word(~exponent_bits)), hn::And(hn::ShiftLeft<23>(x[w.b]), word(exponent_bits)));
    }
};
struct AddExponent {
    static HWY_INLINE Words value(const LaneWork& w, const Part& x) {
        const Words c = x[w.c];
        const Words sum =
            hn::Or(hn::And(hn::Add(c, word(w.immediate)), word(exponent_bits)), hn::And(c, word(~exponent_bits)));
        return hn::IfThenElse(is_special(c), c, sum);
    }
    static HWY_INLINE Chosen is_special(Words x) {
        return hn::Eq(hn::And(x, word(exponent_bits)), word(exponent_bits));
    }
};

LaneWork::Loop immediate_loop(Field field) {
    static constexpr LaneWork::Loop loops[] = {compute<OfImmediate<sign_bit>>, compute<OfImmediate<exponent_bits>>,
                                               compute<OfImmediate<mantissa_bits>>,
                                               compute<OfImmediate<sign_bit | exponent_bits>>};
    static_assert(std::size(loops) == static_cast<unsigned>(Field::count));
    return loops[static_cast<unsigned>(field)];
}
LaneWork::Loop register_loop(Field field) {
    static constexpr LaneWork::Loop loops[] = {compute<OfRegister<sign_bit>>, compute<OfRegister<exponent_bits>>,
                                               compute<OfRegister<mantissa_bits>>,
                                               compute<OfRegister<sign_bit | exponent_bits>>};
    static_assert(std::size(loops) == static_cast<unsigned>(Field::count));
    return loops[static_cast<unsigned>(field)];
}
LaneWork::Loop integer_loop() { return compute<ExponentOfInteger>; }
LaneWork::Loop add_loop() { return compute<AddExponent>; }

}  // namespace

}  // namespace tessera::units::vector::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tessera::units::vector {

namespace {

TESSERA_VERSIONS(immediate_loop);
TESSERA_VERSIONS(register_loop);
TESSERA_VERSIONS(integer_loop);
TESSERA_VERSIONS(add_loop);

}  // namespace

plan::LaneWork::Loop field_of_immediate_loop(Field field) { return TESSERA_BEST_VERSION(immediate_loop)(field); }
plan::LaneWork::Loop field_of_register_loop(Field field) { return TESSERA_BEST_VERSION(register_loop)(field); }
plan::LaneWork::Loop exponent_of_integer_loop() { return TESSERA_BEST_VERSION(integer_loop)(); }
plan::LaneWork::Loop add_exponent_loop() { return TESSERA_BEST_VERSION(add_loop)(); }

}  // namespace tessera::units::vector

#endif  // HWY_ONCE
