// SPDX-License-Identifier: Apache-2.0
// SFPARECIP (its page, Functional model).
// Rules: rules/sfparecip.cpp; reference: reference/models/vector_lut.cpp.
#include "units/vector/loops/sfparecip_loops.hpp"

#include "units/vector/loops/sfparecip_tables.hpp"
#include "util/vector_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "units/vector/loops/sfparecip_loops.cpp"
#include <hwy/foreach_target.h>

#include "units/vector/loops/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera::units::vector::HWY_NAMESPACE {

namespace {

template <std::size_t Size>
HWY_INLINE Words entry_of(const std::array<std::uint32_t, Size>& table, Words index) {
    return hn::GatherIndex(Lanes(), table.data(), as_integers(index));
}

/// Of a magnitude: infinity below 2^-126, zero from 2^126 on.
HWY_INLINE Words reciprocal(Words x) {
    const Words mantissa = entry_of(reciprocals, hn::And(hn::ShiftRight<16>(x), word(127)));
    const Words exponent = hn::Sub(word(253), hn::ShiftRight<23>(x));
    const Words value = hn::Or(hn::ShiftLeft<23>(exponent), hn::ShiftLeft<16>(mantissa));
    const Words in_range = hn::IfThenElseZero(less(x, word(0x7E800000)), value);
    return hn::IfThenElse(less(x, word(1 << 23)), word(exponent_bits), in_range);
}

/// Of a magnitude; undefined from 2 on. The lower half passes through.
HWY_INLINE Words exponential(Words x) {
    const Words upper = hn::ShiftRight<16>(x), lower = hn::And(x, word(0xFFFF));
    const Words last = word(end_of_exponentials - 1), first = word(first_exponential);
    const Words mantissa = entry_of(exponentials, hn::Sub(hn::Max(hn::Min(upper, last), first), first));
    const Words below_2 = hn::Or(word(0x3F800000), hn::ShiftLeft<16>(mantissa));
    const Words above_2 = hn::Or(word(0x40000000), hn::ShiftLeft<16>(mantissa));
    const Words in_table = hn::IfThenElse(less(upper, word(first_above_2)), below_2, above_2);
    const Words up = hn::IfThenElse(less(upper, word(end_of_exponentials)), in_table, word(0x40800000));
    const Words down = hn::IfThenElse(less(upper, first), word(0x3F810000), up);
    return hn::IfThenElse(less(x, word(1 << 23)), word(0x3F800000), hn::Or(down, lower));
}

struct Reciprocal {
    static HWY_INLINE Words value(const LaneWork& w, const Part& x) {
        const Words c = x[w.c];
        return hn::Or(reciprocal(hn::And(c, word(~sign_bit))), hn::And(c, word(sign_bit)));
    }
};
struct ReciprocalWhereNegative {
    static HWY_INLINE Words value(const LaneWork& w, const Part& x) {
        const Words c = x[w.c];
        return hn::IfThenElse(negative(x[w.b]), reciprocal(hn::And(c, word(~sign_bit))), c);
    }
};
struct Exponential {
    static HWY_INLINE Words value(const LaneWork& w, const Part& x) {
        const Words c = x[w.c];
        return hn::Or(exponential(hn::And(c, word(~sign_bit))), hn::And(c, word(sign_bit)));
    }
};

LaneWork::Loop loop_of(Approximation approximation) {
    static constexpr LaneWork::Loop loops[] = {compute<Reciprocal>, compute<ReciprocalWhereNegative>,
                                               compute<Exponential>};
    static_assert(std::size(loops) == static_cast<unsigned>(Approximation::count));
    return loops[static_cast<unsigned>(approximation)];
}

}  // namespace

}  // namespace tessera::units::vector::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tessera::units::vector {

namespace {

TESSERA_VERSIONS(loop_of);

}  // namespace

plan::LaneWork::Loop approximation_loop(Approximation approximation) {
    return TESSERA_BEST_VERSION(loop_of)(approximation);
}

}  // namespace tessera::units::vector

#endif  // HWY_ONCE
