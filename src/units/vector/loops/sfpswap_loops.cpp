// SPDX-License-Identifier: Apache-2.0
// SFPSWAP (its page, Functional model).
// Rules: rules/sfpswap.cpp; reference: reference/models/vector_shuffles.cpp.
#include "units/vector/loops/sfpswap_loops.hpp"

#include "units/vector/dst_places.hpp"
#include "util/vector_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "units/vector/loops/sfpswap_loops.cpp"
#include <hwy/foreach_target.h>

#include "units/vector/loops/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera::units::vector::HWY_NAMESPACE {

namespace {

// Lanes whose values are exchanged, or equal.
template <bool Always>
HWY_INLINE Chosen swapped(const LaneWork& work, const Part& part, Words c, Words d) {
    if constexpr (Always) return part.chosen(work.lanes);
    // Compared as integers, but of two negative ones the larger is the lower.
    const Chosen smaller = hn::Xor(less(c, d), negative(hn::And(c, d)));
    const Chosen swap = hn::Xor(smaller, part.chosen(work.immediate));
    return work.lanes == ~0u ? swap : hn::And(swap, part.chosen(work.lanes));
}

// In a macro VC's register can also be VD's, with another register (B) compared. It then gets VC's new value.
template <bool Always>
HWY_INLINE void swap_part(const LaneWork& work, const Part& part) {
    const Words c = part[work.c], b = part[work.b];
    const Words change = hn::IfThenElseZero(swapped<Always>(work, part, c, b), hn::Xor(c, b));
    if (work.d < state::LRegs::writable) part.store(work.d, hn::Xor(b, change));
    if (work.c < state::LRegs::writable) part.store(work.c, hn::Xor(c, change));
}

// `marked`: lanes that exchange the places of values instead of values that are places.
template <bool Always>
HWY_INLINE void swap_part_with_places(const LaneWork& work, const Part& part) {
    const Words c = part[work.c], b = part[work.b];
    Chosen lanes = part.chosen(work.lanes);
    if constexpr (!Always) {
        const Chosen smaller = less(ordered(c), ordered(b));
        lanes = hn::And(lanes, hn::Xor(smaller, part.chosen(work.immediate)));
    }
    const Chosen marked = hn::And(lanes, part.chosen(work.marked));
    const auto put = [&](unsigned lreg, Words x) HWY_ATTR {
        if (lreg < with_index)
            part.store(lreg, lanes, x);
        else if (lreg < state::LRegs::writable)
            part.store(lreg, hn::AndNot(marked, lanes), x);
    };
    put(work.d, c);
    put(work.c, b);
    const unsigned place_c = index_of(work.c), place_d = index_of(work.d);
    const Words of_c = part[place_c], of_d = part[place_d];
    part.store(place_c, marked, of_d);
    part.store(place_d, marked, of_c);
}

template <bool Always>
void swap(const LaneWork& what, state::State& state) {
    const LaneWork work = what;  // a local copy: stores cannot change it
    if (HWY_UNLIKELY(work.marked))
        for_each_part(state, [&](const Part& part) HWY_ATTR { swap_part_with_places<Always>(work, part); });
    else
        for_each_part(state, [&](const Part& part) HWY_ATTR { swap_part<Always>(work, part); });
}

LaneWork::Loop swap_of(bool always) { return always ? swap<true> : swap<false>; }

}  // namespace

}  // namespace tessera::units::vector::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tessera::units::vector {

namespace {

TESSERA_VERSIONS(swap_of);

}  // namespace

plan::LaneWork::Loop swap_loop(bool always) { return TESSERA_BEST_VERSION(swap_of)(always); }

}  // namespace tessera::units::vector

#endif  // HWY_ONCE
